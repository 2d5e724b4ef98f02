from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")

from montego.engine.knowledge.definition import go_game  # noqa: E402
from montego.games import make_game  # noqa: E402
from montego.network.network import Network  # noqa: E402
from montego.train import bundle as bundles  # noqa: E402
from montego.train.bundle import MANIFEST, Bundle, rounded  # noqa: E402
from montego.train.errors import Diverged, TrainError  # noqa: E402
from montego.train.learning.judge import NetJudge  # noqa: E402
from montego.train.learning.net import Net, NetShape  # noqa: E402
from montego.train.run import PlayedBoard, Run, Watch, network_in  # noqa: E402
from montego.train.settings import TrainingSettings  # noqa: E402
from plain_selfplay import Clock, PlainSelfPlay  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

    from montego.mcts.game import GameDefinition
    from montego.train.learning.positions import Judge, PlayProgress, Positions
    from montego.train.report import Row

torch.set_num_threads(1)

GAME = make_game("tic-tac-toe")
SMALL: dict[str, Any] = {
    "minutes": 2.0, "cycle": 15.0, "blocks": 1, "channels": 8, "batch": 16, "start": 20,
    "reuse": 2.0, "warm_up": 4,
}  # fmt: skip


def run_in(
    bundle: Bundle,
    selfplay: type[PlainSelfPlay] = PlainSelfPlay,
    teacher: Judge | None = None,
    **changes: Any,
) -> Run:
    assert GAME.features is not None
    clock = Clock()
    return Run(
        [PlayedBoard(GAME.features, selfplay(GAME, clock=clock))],
        TrainingSettings(**SMALL | changes),
        bundle,
        saved=bundle.read(),
        teacher=teacher,
        clock=clock,
    )


def weights_of(run: Run) -> dict[str, list[Any]]:
    """All weights, averaged ones and moments, to be compared exactly."""
    state = run.learner.state()
    return {
        name: [tensor.tolist() for tensor in state[name].values()] for name in ("net", "averaged")
    } | {"moments": [[one.tolist() for one in pair.values()] for pair in state["moments"]]}


def test_a_run_plays_learns_and_ends_with_a_network(tmp_path: Path) -> None:
    assert GAME.features is not None
    with Bundle(tmp_path) as bundle:
        run = run_in(bundle)
        rows: list[Row] = []
        run.go(rows.append)
        path, small = run.export(quantized=True)
    network = Network.open(path)
    network.check(GAME.features)

    assert run.is_done
    assert run.games == 4 * 8
    assert len(rows) == 8
    assert [row.minutes for row in run.log] == [0.75, 1.5, 2.0]
    assert run.learner.steps > 10
    assert 0 < rows[-1].policy < rows[1].policy
    assert Network.open(small).description.weights == "int8"
    assert network.description.training["games"] == 32


def test_a_run_that_was_interrupted_ends_with_the_same_weights(tmp_path: Path) -> None:
    with Bundle(tmp_path / "straight") as bundle:
        straight = run_in(bundle)
        straight.go()
    for pause in (0.5, 1.25):
        with Bundle(tmp_path / "parts") as bundle:
            part = run_in(bundle)
            part.go(pause_after=pause - part.minutes)
            assert not part.is_done
    with Bundle(tmp_path / "parts") as bundle:
        last = run_in(bundle)
        last.go()

    assert last.is_done
    assert (last.games, last.learner.steps) == (straight.games, straight.learner.steps)
    assert weights_of(last) == weights_of(straight)


def test_a_run_that_is_killed_goes_on_from_what_was_kept(tmp_path: Path) -> None:
    class Killed(PlainSelfPlay):
        def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
            if self.calls == 5:
                raise KeyboardInterrupt
            return super().play(judge, seconds)

    with Bundle(tmp_path) as bundle, pytest.raises(KeyboardInterrupt):
        run_in(bundle, Killed).go()
    (tmp_path / f"{bundles.PREFIX}000002-0.part").write_bytes(b"half")
    with Bundle(tmp_path) as bundle:
        again = run_in(bundle)

        assert again.minutes == 0.75
        again.go()
    assert again.is_done
    assert not list(tmp_path.glob("*.part"))


def test_a_window_too_large_to_be_kept_is_played_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montego.train.run.STATE_BYTES", 0)
    with Bundle(tmp_path) as bundle:
        first = run_in(bundle)
        first.go(pause_after=1.0)
    with Bundle(tmp_path) as bundle:
        second = run_in(bundle, start=40)

        assert second.learner.windows[0].held == 0
        assert second.learner.windows[0].total == first.learner.windows[0].total
        second.go(pause_after=0.25)
        assert second.learner.steps == first.learner.steps  # Too few positions so far.
        second.go()
    assert second.learner.steps > first.learner.steps


def test_more_minutes_go_on_with_a_run_that_was_done(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        run_in(bundle, minutes=0.5).go()
    with Bundle(tmp_path) as bundle:
        longer = run_in(bundle, minutes=1.0)

        assert not longer.is_done
        longer.go()
    assert longer.minutes == 1.0
    assert longer.games == 16


def test_simulations_double_in_equal_parts_of_a_run(tmp_path: Path) -> None:
    searched_with: list[int] = []

    class Noted(PlainSelfPlay):
        def search_with(self, simulations: int) -> None:
            searched_with.append(simulations)

    with Bundle(tmp_path) as bundle:
        run = run_in(bundle, Noted, simulations=40, first_simulations=8, cycle=15.0)
        run.go()

    assert run.settings.budgets() == [8, 10, 20, 40]
    assert searched_with == [8, 8, 10, 10, 20, 20, 40, 40]


@pytest.mark.parametrize(
    ("first", "simulations", "budgets"),
    [
        (None, 32, [32]), (32, 32, [32]), (64, 32, [32]), (16, 64, [16, 32, 64]), (1, 3, [1, 3]),
    ],
)  # fmt: skip
def test_simulations_of_the_parts_end_with_those_asked_for(
    first: int | None, simulations: int, budgets: list[int]
) -> None:
    settings = TrainingSettings(simulations=simulations, first_simulations=first, minutes=6.0)

    assert settings.budgets() == budgets
    assert settings.simulations_at(0.0) == budgets[0]
    assert settings.simulations_at(5.99) == settings.simulations_at(7.0) == simulations


def test_a_teacher_plays_the_first_minutes(tmp_path: Path) -> None:
    with Bundle(tmp_path / "teacher") as bundle:
        run_in(bundle).go()
    teacher = NetJudge(network_in(tmp_path / "teacher").shape, torch.device("cpu"))
    judges: list[Judge] = []

    class Watched(PlainSelfPlay):
        def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
            judges.append(judge)
            return super().play(judge, seconds)

    with Bundle(tmp_path / "run") as bundle:
        run = run_in(bundle, Watched, teacher, teacher_minutes=0.75, channels=4)
        run.go()

    assert judges == [teacher] * 3 + [run.judge] * 5


BOARDS = [go_game(size) for size in (3, 4)]


def run_on_both(bundle: Bundle, boards: list[GameDefinition] = BOARDS, **changes: Any) -> Run:
    clock = Clock()
    return Run(
        [
            PlayedBoard(features, PlainSelfPlay(game, games=2, seed=number, clock=clock))
            for number, game in enumerate(boards)
            if (features := game.features) is not None
        ],
        TrainingSettings(**SMALL | changes),
        bundle,
        saved=bundle.read(),
        serves=(3, 6),
        clock=clock,
    )


def test_one_network_learns_two_boards_and_serves_more(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        run = run_on_both(bundle)
        run.go()
        (path,) = run.export()
    network = Network.open(path)

    assert run.games == 2 * 2 * 8
    assert all(window.held for window in run.learner.windows)
    assert run.positions == sum(window.total for window in run.learner.windows)
    assert network.description.training["boards"] == ["3x3", "4x4"]
    for size in (3, 5, 6):
        features = go_game(size).features
        assert features is not None
        network.check(features)


def test_a_run_on_two_boards_that_was_interrupted_ends_with_the_same_weights(
    tmp_path: Path,
) -> None:
    with Bundle(tmp_path / "straight") as bundle:
        straight = run_on_both(bundle)
        straight.go()
    with Bundle(tmp_path / "parts") as bundle:
        run_on_both(bundle).go(pause_after=0.75)
    with Bundle(tmp_path / "parts") as bundle:
        rest = run_on_both(bundle)
        rest.go()

    assert rest.minutes == straight.minutes
    assert weights_of(rest) == weights_of(straight)


def test_a_board_may_join_a_run_later(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        alone = run_on_both(bundle, BOARDS[1:], minutes=0.5)
        alone.go()
    with Bundle(tmp_path) as bundle:
        both = run_on_both(bundle, minutes=1.0)
        assert [window.total for window in both.learner.windows] == [0, alone.positions]
        both.go()
    assert both.learner.windows[0].held > 0


def test_a_run_of_the_first_format_is_read(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        first = run_in(bundle)
        first.go(pause_after=1.0)
        saved = bundle.read()
        assert saved is not None
        (name, board), state = next(iter(saved.state["boards"].items())), dict(saved.state)
        del state["boards"]
        state |= {"selfplay": board["games"], "window": board["window"]}
        info = saved.info | {"debt": board["debt"], "longest": board["longest"]}
        bundle.write(info, state)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps(manifest | {"format": 1}))
    with Bundle(tmp_path) as bundle:
        second = run_in(bundle)

    assert name == "3x3"
    assert second.positions == first.positions
    assert second.learner.windows[0].held == first.learner.windows[0].held


def test_a_run_without_anything_in_it_has_no_network(tmp_path: Path) -> None:
    with pytest.raises(TrainError, match="there is no run in"):
        network_in(tmp_path)


def test_stopping_keeps_what_is_done(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        run = run_in(bundle)
        run.go(stop=lambda: run.games >= 8)
    with Bundle(tmp_path) as bundle:
        assert run_in(bundle).games == 8


def test_what_is_measured_stands_in_the_log(tmp_path: Path) -> None:
    assert GAME.features is not None
    for elo in (1.0, 2.0):
        with Bundle(tmp_path) as bundle:
            run = Run(
                [PlayedBoard(GAME.features, PlainSelfPlay(GAME, clock=(clock := Clock())))],
                TrainingSettings(**SMALL | {"minutes": 0.25 * elo}),
                bundle,
                saved=bundle.read(),
                clock=clock,
                measure=lambda _net, minutes, *, last: {"elo": 4 * minutes, "last": float(last)},
            )
            run.go()
    assert [row.measured for row in run.log] == [
        {"elo": 1.0, "last": 1.0},
        {"elo": 2.0, "last": 1.0},
    ]


def test_a_network_that_is_no_number_stops_the_run_and_is_not_kept(tmp_path: Path) -> None:
    class Broken(PlainSelfPlay):
        def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
            positions, progress = super().play(judge, seconds)
            if self.calls == 5:
                positions.planes.fill_(torch.nan)
            return positions, progress

    with Bundle(tmp_path) as bundle, pytest.raises(Diverged, match=r"nan; minute 0\.8 is kept in"):
        run_in(bundle, Broken).go()
    with Bundle(tmp_path) as bundle:
        again = run_in(bundle)

        assert again.minutes == 0.75
        assert all(weight.isfinite().all() for weight in again.learner.net.parameters())


def progress_of(length: float) -> PlayProgress:
    from montego.train.learning.positions import PlayProgress

    return PlayProgress(
        games=5, positions=5, evaluations=5, seconds=1.0, length=length, first_wins=0.5, entropy=1.0
    )


def test_games_that_become_very_short_stop_the_run() -> None:
    watch = Watch(TrainingSettings())
    watch.look(progress_of(100.0), {"entropy": 2.0})
    for _ in range(2):
        watch.look(progress_of(2.0), {"entropy": 2.0})
    assert watch.strikes == 2
    with pytest.raises(
        Diverged, match=r"the games have collapsed: they have 2\.0 moves, and had 1"
    ):
        watch.look(progress_of(2.0), {"entropy": 2.0})


def test_policies_without_doubt_stop_the_run_unless_it_passes() -> None:
    watch = Watch(TrainingSettings())
    for entropy in (0.001, 0.001, 0.5, 0.001, 0.001):
        watch.look(progress_of(9.0), {"entropy": entropy})
    with pytest.raises(Diverged, match=r"entropy is 0\.0010"):
        watch.look(progress_of(9.0), {"entropy": 0.001})


def test_nothing_is_kept_while_it_looks_like_a_collapse(tmp_path: Path) -> None:
    class Short(PlainSelfPlay):
        def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
            positions, progress = super().play(judge, seconds)
            return positions, progress._replace(length=1.0 if self.calls >= 6 else 60.0)

    with Bundle(tmp_path) as bundle, pytest.raises(Diverged, match="games have collapsed"):
        run_in(bundle, Short).go()
    with Bundle(tmp_path) as bundle:
        assert run_in(bundle).minutes == 0.75


# The folder


def test_a_run_of_another_format_is_refused(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        run_in(bundle).go(pause_after=0.25)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps(manifest | {"format": 99, "montego": "9.9"}))
    with (
        Bundle(tmp_path) as bundle,
        pytest.raises(TrainError, match=r"is of format 99, from Montego 9\.9"),
    ):
        bundle.read()


def test_a_run_with_another_network_is_refused(tmp_path: Path) -> None:
    with Bundle(tmp_path) as bundle:
        run_in(bundle).go(pause_after=0.25)
    with (
        Bundle(tmp_path) as bundle,
        pytest.raises(TrainError, match=r"another run \(channels 16, not 8 there\)"),
    ):
        run_in(bundle, channels=16)


@pytest.mark.parametrize("damage", ["cut", "gone", "text"])
def test_a_damaged_run_is_told_in_one_line(tmp_path: Path, damage: str) -> None:
    with Bundle(tmp_path) as bundle:
        run_in(bundle).go(pause_after=0.25)
    part = next(tmp_path.glob(f"{bundles.PREFIX}*"))
    if damage == "cut":
        part.write_bytes(part.read_bytes()[:100])
    elif damage == "gone":
        part.unlink()
    else:
        (tmp_path / MANIFEST).write_text("[]")
    with Bundle(tmp_path) as bundle, pytest.raises(TrainError, match="damaged") as refused:
        bundle.read()
    assert "\n" not in str(refused.value)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with Bundle(tmp_path), pytest.raises(TrainError, match="in use by another run"):
        Bundle(tmp_path)


def test_a_state_is_cut_into_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "PART_BYTES", 1000)
    state = {"numbers": torch.arange(1000), "text": "x", "list": [1.5, None]}
    with Bundle(tmp_path) as bundle:
        for _ in range(2):
            bundle.write({"a": 1}, state)
        saved = bundle.read()

    assert saved is not None
    assert saved.info == {"a": 1}
    assert (saved.state["numbers"] == state["numbers"]).all()
    files = list(tmp_path.glob(f"{bundles.PREFIX}*"))
    assert len(files) > 5
    assert max(path.stat().st_size for path in files) <= 1000


@pytest.mark.parametrize(
    ("bytes_each", "kind", "moments"),
    [(16, "float32", "float32"), (10, "float32", "bfloat16"), (8, "float16", "bfloat16"),
     (4, "float16", None)],
)  # fmt: skip
def test_weights_are_kept_as_exactly_as_fits(
    bytes_each: int, kind: str, moments: str | None
) -> None:
    assert GAME.features is not None
    net = Net(NetShape.of(GAME.features, TrainingSettings(**SMALL)))
    weights = sum(tensor.numel() for tensor in net.state_dict().values())
    pairs = [{"step": torch.tensor(1.0), "exp_avg": one.clone()} for one in net.parameters()]
    state = {"net": net.state_dict(), "averaged": net.state_dict(), "moments": pairs}
    kept = rounded(state, bytes_each * weights + (1 << 20))

    assert kept["net"]["stem.filter.weight"].dtype == getattr(torch, kind)
    assert kept["net"]["stem.norm.running_var"].dtype == torch.float32
    assert ("moments" in kept) == (moments is not None)
    if moments is not None:
        assert kept["moments"][0]["exp_avg"].dtype == getattr(torch, moments)
