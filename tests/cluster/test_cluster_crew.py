"""A searcher and its fellows in one process: what they exchange, and who is waited for."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from montego.cluster import crew as crew_module
from montego.cluster.crew import Crew
from montego.cluster.errors import MachineLost
from montego.cluster.member import Errand, Job, Member
from montego.cluster.spec import Sharing
from montego.engine.options.options import Options
from montego.games.hex import hex_game
from montego.go.vocabulary.rules import parse_rules
from montego.jit import compile_off
from montego.mcts import Config, Search
from montego.mcts.sharing import SharedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.skipif(compile_off(), reason="interpreted threads take turns")

CONFIG = Config(selection="rave-mse", memory=8, early_stop=False)
JOB = cast("Job", "hex")  # Any value will do for members that build their own.
QUICK = Sharing(period=0.02)


def build(_job: Job, number: int, _threads: int | None) -> Search:
    return Search(hex_game(4), replace(CONFIG, seed=number))


class NearLink:
    """A member in this process, each call of which may take its time or fail."""

    def __init__(self, number: int, make: Callable[..., Search] = build) -> None:
        self.name = f"member {number}"
        self.member = Member(number, build=make)
        self.delay = 0.0
        self.failure: Exception | None = None
        self.asked: list[str] = []
        self._calls = ThreadPoolExecutor(1)

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        self.asked.append(method)
        return self._calls.submit(self._call, method, arguments)

    def _call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        time.sleep(self.delay)
        if self.failure is not None:
            raise self.failure
        return getattr(self.member, method)(*arguments)


def crew_of(
    links: Sequence[NearLink], sharing: Sharing = QUICK, say: Callable[[str], None] = print
) -> Crew:
    for link in links:
        link.member.prepare(JOB)
    deadline = time.monotonic() + 300
    while not all(link.member.is_ready() for link in links) and time.monotonic() < deadline:
        time.sleep(0.01)
    return Crew(JOB, sharing, lambda: links, say)


def run_until(search: Search, enough: Callable[[], bool], seconds: float = 120.0) -> None:
    """Search until something has happened, at most so long."""
    deadline = time.monotonic() + seconds

    def watch(running: Search, _part: float) -> None:
        if enough() or time.monotonic() > deadline:
            running.stop()

    search.run(simulations=None, seconds=None, progress=watch)
    assert enough()


def test_what_fellows_find_is_in_the_tree_and_counts() -> None:
    links = [NearLink(number) for number in (1, 2, 3)]
    crew = crew_of(links)
    search = Search(hex_game(4), CONFIG, fellows=crew)
    run_until(search, lambda: crew.answers >= 12)
    own = search.share()
    assert search.counted()[0] == search.root().visits
    assert own.simulations < search.counted()[0]
    # Each has all that the others had told by the last round, and never its own twice.
    for link in links:
        found = link.member._search
        assert found is not None
        found.absorb(SharedTable())
        assert found.root().visits == found.counted()[0] <= search.counted()[0]


def test_fellows_follow_the_game_and_keep_their_trees() -> None:
    link = NearLink(1)
    crew = crew_of([link])
    search = Search(hex_game(4), CONFIG, fellows=crew)
    run_until(search, lambda: crew.answers >= 3)
    best = search.best()
    assert best is not None
    found = link.member._search
    assert found is not None
    line = found._line
    search.play(best)
    before = crew.answers
    run_until(search, lambda: crew.answers >= before + 3)
    assert found is link.member._search
    assert (found._line, found._moves) == (line, [best])


def test_a_limit_of_simulations_is_that_of_all_together() -> None:
    crew = crew_of([NearLink(1), NearLink(2)])
    search = Search(hex_game(4), CONFIG, fellows=crew)
    result = search.run(simulations=400_000)
    own = search.share().simulations
    assert result.simulations >= 400_000
    assert own < 400_000 or crew.answers == 0


def test_a_slow_machine_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew_module, "LAST_WORD", 60.0)
    links = [NearLink(number) for number in range(1, 5)]
    crew = crew_of(links)
    search = Search(hex_game(4), CONFIG, fellows=crew)
    run_until(search, lambda: crew.answers >= 8)
    search.play(search.best() or 0)
    links[0].delay = 20.0  # Of four, three are waited for.
    before, begin = crew.answers, time.monotonic()
    run_until(search, lambda: crew.answers >= before + 6)
    assert links[0].asked[-1] == "end"
    assert time.monotonic() - begin < 20.0 or crew.answers > before + 6


def test_a_member_that_fails_is_left_out_and_told_of_once_and_comes_back() -> None:
    told: list[str] = []
    links = [NearLink(1), NearLink(2)]
    crew = crew_of(links, say=told.append)
    search = Search(hex_game(4), CONFIG, fellows=crew)
    run_until(search, lambda: crew.answers >= 4)
    links[0].failure = MachineLost("its process has ended")
    for _ in range(2):
        before = crew.answers
        run_until(search, lambda: crew.answers >= before + 3)  # noqa: B023  # Used at once.
    assert told == ["member 1 is left out for now: its process has ended"]
    links[0].failure = None
    asked = len(links[0].asked)
    before = crew.answers
    run_until(search, lambda: crew.answers >= before + 8)
    assert "exchange" in links[0].asked[asked:]


def test_a_member_that_cannot_search_says_why() -> None:
    told: list[str] = []

    def refuse(_job: Job, _number: int, _threads: int | None) -> Search:
        raise ValueError("there is no file net.onnx here")

    link = NearLink(1, refuse)
    crew = Crew(JOB, QUICK, lambda: [link], told.append)
    search = Search(hex_game(4), CONFIG, fellows=crew)
    deadline = time.monotonic() + 60
    while not told and time.monotonic() < deadline:
        search.run(seconds=0.1)
    assert told[:1] == ["member 1 cannot search: there is no file net.onnx here"]
    assert crew.answers == 0


def test_root_parallel_search_hears_of_others_at_the_end_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crew_module, "LAST_WORD", 60.0)
    link = NearLink(1)
    crew = crew_of([link], Sharing(period=0.02, merge="root"))
    search = Search(hex_game(4), CONFIG, fellows=crew)
    search.run(seconds=1.0)
    assert crew.answers == 1
    assert "exchange" not in link.asked
    assert search.share(depth=1).simulations < search.counted()[0]


def test_without_anybody_a_search_is_as_it_was() -> None:
    crew = Crew(JOB, QUICK, list, print)
    alone = Search(hex_game(4), CONFIG).run(simulations=500)
    found = Search(hex_game(4), CONFIG, fellows=crew).run(simulations=500)
    assert found.candidates == alone.candidates


def test_a_member_that_nobody_listens_to_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    from montego.cluster import member as member_module
    from montego.mcts.sharing import Order

    monkeypatch.setattr(member_module, "SILENCE", 0.2)
    search = Search(hex_game(4), CONFIG)
    order = Order("line", (), search.state, (), (), 0.0)
    member = Member(1, build=build)
    member.begin(Errand(1, JOB, order, {}, QUICK))
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        found = member._search
        if found is not None and found.is_stopped:
            break
        time.sleep(0.02)
    assert found is not None
    assert found.is_stopped
    assert member.exchange(2, SharedTable()) is None
    assert member.end(2) is None


def test_a_job_builds_the_player_s_search_with_other_random_numbers() -> None:
    options = Options(
        size=5, simulations=20, network=None, seed=7, threads=1, memory=40, book="nowhere"
    )
    job = Job(options, 5, parse_rules("chinese"))
    one, other = job.build(1, None), job.build(2, None)
    assert one.config.seed != other.config.seed != options.seed
    assert one.game.experience is other.game.experience
    assert one.game.knowledge is not other.game.knowledge


def test_exchanges_of_many_members_in_any_order_add_up() -> None:
    """Late answers, early ones and none: what is absorbed is what was found, each once."""
    links = [NearLink(number) for number in (1, 2, 3)]
    links[1].delay = 0.05
    links[2].delay = 0.13
    crew = crew_of(links)
    search = Search(hex_game(4), CONFIG, fellows=crew)
    run_until(search, lambda: crew.answers >= 20)
    time.sleep(0.5)  # The slowest end.
    searches = [search, *(link.member._search for link in links)]
    made = 0
    for one in searches:
        assert one is not None
        one.share()
        made += one._forest._ledger.counted[0]  # Its own, all of which it has shared by now.
    for one in searches:
        assert one is not None
        assert one.root().visits == one.counted()[0] <= made
