"""What ``--cluster`` says, and what is said of what makes no sense."""

from __future__ import annotations

import pytest

from montego.cli.main import main
from montego.cluster import errors
from montego.cluster.broker import name_of
from montego.cluster.errors import ClusterError, check_installed
from montego.cluster.host import Identity
from montego.cluster.spec import ClusterSpec, Sharing, parse_cluster


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("auto", ClusterSpec(place="auto")),
        ("local:4", ClusterSpec(place="local", count=4)),
        ("ray://head:10001", ClusterSpec(place="ray://head:10001")),
        ("10.0.0.1:6379", ClusterSpec(place="10.0.0.1:6379")),
        (
            "local:2,depth=2,least=0.1,period=0.5,merge=root",
            ClusterSpec(
                place="local",
                count=2,
                sharing=Sharing(depth=2, least=0.1, period=0.5, merge="root"),
            ),
        ),
    ],
)
def test_places(text: str, spec: ClusterSpec) -> None:
    assert parse_cluster(text) == spec


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "say local:N"),
        ("local", "say local:N"),
        ("local:0", "N from 1"),
        ("local:many", "N from 1"),
        ("head", "ray://HOST:PORT"),
        ("ray://head", "ray://HOST:PORT"),
        ("http://head:80", "ray://HOST:PORT"),
        ("head:99999", "ray://HOST:PORT"),
        ("auto,speed=9", "no setting 'speed'"),
        ("auto,depth=0", "a whole number from 1"),
        ("auto,depth=1.5", "a whole number"),
        ("auto,least=2", "from 0 to 1"),
        ("auto,period=x", "from 0.01"),
        ("auto,merge=all", "say tree or root"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(text: str, complaint: str) -> None:
    with pytest.raises(ClusterError, match=complaint):
        parse_cluster(text)


def test_a_missing_extra_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _name: None)
    with pytest.raises(ClusterError, match=r"pip install 'montego\[cluster\]'"):
        check_installed()
    assert main(["bench", "search", "--cluster", "local:2"]) == 1
    told = capsys.readouterr().err
    assert (
        told == "montego: --cluster needs Ray, which is missing: pip install 'montego[cluster]'\n"
    )


def test_searches_that_cannot_share_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analysis", "--cluster", "local:2", "--set", "votes=5"]) == 1
    assert "searches with one tree" in capsys.readouterr().err


def test_other_versions_are_refused_by_name() -> None:
    ours = Identity("1.0", "aaaa", "here", 1)
    assert ours.difference(Identity("1.0", "aaaa", "there", 2)) == ""
    assert "has Montego 0.9, and this machine 1.0" in ours.difference(
        Identity("0.9", "bbbb", "there", 2)
    )
    assert "other sources (bbbb)" in ours.difference(Identity("1.0", "bbbb", "there", 2))


def test_machines_with_one_host_name_are_told_apart() -> None:
    def node(number: int, address: str) -> dict[str, str]:
        return {
            "NodeID": f"{number}" * 56,
            "NodeManagerHostname": "vm",
            "NodeManagerAddress": address,
        }

    taken: set[str] = set()
    for number, address in enumerate(["10.0.0.1", "10.0.0.2", "10.0.0.2"]):
        taken.add(name_of(node(number, address), taken))

    assert taken == {"vm", "vm at 10.0.0.2", "vm at 10.0.0.2, 22222222"}
