"""Self-play of small games on a CPU: what positions tell agrees with the games they are from."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")

from montego.engine.knowledge.definition import go_game  # noqa: E402
from montego.games import make_game  # noqa: E402
from montego.jit import interpreted  # noqa: E402
from montego.mcts.errors import MctsError  # noqa: E402
from montego.mcts.game import no_experience, no_hash, no_priors  # noqa: E402
from montego.train.games.selfplay import SelfPlay, SelfPlaySettings  # noqa: E402
from montego.train.games.start import KOMIS, start_selfplay  # noqa: E402
from montego.train.games.tables import together  # noqa: E402
from montego.train.learning.positions import PlayProgress  # noqa: E402
from montego.train.settings import TrainingSettings  # noqa: E402

if TYPE_CHECKING:
    from montego.mcts import GameDefinition
    from montego.train.learning.positions import Positions


def in_python(game: GameDefinition) -> GameDefinition:
    """The game interpreted: to compile all of self-play takes most of a minute."""
    legal_moves: Any = game.legal_moves
    return replace(game, legal_moves=interpreted(legal_moves))


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def undecided(planes: Any) -> tuple[Any, Any]:
    count = len(planes)
    outputs = 9 if planes.shape[1] == 3 else 10  # Of tic-tac-toe, and of Go on 3x3.
    return torch.zeros(count, outputs), torch.full((count,), 0.5)


def games_of(positions: Positions) -> list[list[int]]:
    """The positions of each game, in order: each has a stone more than the one before."""
    stones = positions.planes[:, :2].float().sum((1, 2, 3)).tolist()
    games: list[list[int]] = []
    for number, count in enumerate(stones):
        if count == 0:
            games.append([])
        games[-1].append(number)
    return games


def test_tic_tac_toe_is_told_as_it_was_played() -> None:
    play = SelfPlaySettings(games=16, simulations=8, considered=4, seed=3)
    positions, progress = SelfPlay(make_game("tic-tac-toe"), play).play(undecided, 0.5)
    games = games_of(positions)

    assert progress.games == len(games) > 10
    assert progress.positions == len(positions.value) == sum(map(len, games))
    assert positions.policy.float().sum(1) == pytest.approx(1.0, abs=2e-3)
    for game in games:
        boards = positions.planes[game, :2].float().numpy().reshape(len(game), 2, 9)
        for before, after in pairwise(boards):
            # Who was to move is then the other one, and has put down a stone.
            assert (after[0] == before[1]).all()
            assert (after[1] - before[0]).sum() == 1
        values = positions.value[game].numpy()
        assert (values[1:] == 1.0 - values[:-1]).all()
        illegal = boards.sum(axis=1) > 0
        assert (positions.policy[game].float().numpy()[illegal] == 0).all()
        # Who moves last wins, or nobody does; nobody had won before that.
        assert values[-1] in (0.5, 1.0)
        assert not any(board[1][list(line)].all() for board in boards for line in LINES)


def test_go_is_counted_as_owners_and_komi_say() -> None:
    settings = TrainingSettings(games=4, simulations=1, considered=2, seed=5)
    selfplay = start_selfplay(in_python(go_game(3)), settings, "cpu")
    assert selfplay.has_ownership
    positions, progress = selfplay.play(undecided, 0.0)
    while progress.games == 0:
        positions, progress = selfplay.play(undecided, 0.0)

    owned = positions.ownership.float().sum(1).numpy()
    komi = np.abs(owned - positions.score.numpy())
    assert set(komi.round(3).tolist()) <= set(KOMIS)
    # Komi is shown from the side of the player to move, in tens of points.
    shown = positions.planes[:, 14, 0, 0].float().numpy() * 10
    assert np.abs(shown).round(1).tolist() == pytest.approx(komi.tolist(), abs=0.02)
    assert positions.score.numpy() == pytest.approx(owned + shown, abs=0.02)


def test_a_seed_brings_the_same_games_and_a_restored_state_others() -> None:
    game = in_python(make_game("tic-tac-toe"))
    play = SelfPlaySettings(games=4, simulations=4, considered=4, seed=9, random_moves=3)

    def first_moves() -> list[float]:
        selfplay = SelfPlay(game, play)
        found: list[float] = []
        while len(found) < 40:
            positions, _ = selfplay.play(undecided, 0.0)
            found += positions.planes[:, 0].float().sum((1, 2)).tolist()
        return found[:40]

    assert first_moves() == first_moves()


def test_what_several_tables_kept_goes_on_at_one() -> None:
    game = in_python(make_game("tic-tac-toe"))
    one, other = (
        SelfPlay(game, SelfPlaySettings(games=2, simulations=2, seed=seed)) for seed in (3, 4)
    )

    other.restore({"tables": [one.state(), other.state()]})

    assert torch.equal(other.state()["generator"], one.state()["generator"])


def test_cheap_and_random_moves_teach_no_policy() -> None:
    play = SelfPlaySettings(
        games=8, simulations=4, considered=4, cheap_share=1.0, cheap_simulations=2, seed=1
    )
    positions, _ = SelfPlay(in_python(make_game("tic-tac-toe")), play).play(undecided, 0.5)
    assert len(positions.weight)
    assert not positions.weight.any()


def favourites(planes: Any) -> tuple[Any, Any]:
    """Judge moves by their numbers, and positions not at all."""
    return torch.arange(9.0).repeat(len(planes), 1) / 4.0, torch.full((len(planes),), 0.5)


@pytest.mark.parametrize("late_noise", [0.0, 1.0])
def test_noise_falls_and_the_best_moves_are_left(late_noise: float) -> None:
    play = SelfPlaySettings(
        games=32, simulations=8, considered=4, late_noise=late_noise, noise_moves=0.05, seed=4
    )
    positions, _ = SelfPlay(in_python(make_game("tic-tac-toe")), play).play(favourites, 0.3)

    best: list[bool] = []
    first = set()
    for game in games_of(positions):
        moves = [
            int((after[1] - before[0]).argmax())
            for before, after in pairwise(positions.planes[game, :2].flatten(2).float())
        ]
        first.add(moves[0])
        likeliest = positions.policy[game].float().argmax(1).tolist()
        best += [move == best for move, best in zip(moves[1:], likeliest[1:], strict=False)]
    assert len(first) > 3
    # A move that was not tried may have the greatest chance, but is never made.
    share = sum(best) / len(best)
    assert share > 0.95 if late_noise == 0.0 else share < 0.8


def test_moves_are_searched_with_what_was_said_last_and_no_more_than_there_is_room_for() -> None:
    table = SelfPlay(
        in_python(make_game("tic-tac-toe")), SelfPlaySettings(games=2, simulations=4, seed=1)
    )

    def evaluations_of_a_move() -> int:
        return table.play(undecided, 0.0)[1].evaluations // 2

    assert evaluations_of_a_move() == 5  # The root, too.
    table.search_with(2)
    assert evaluations_of_a_move() == 3
    table.search_with(9)
    assert evaluations_of_a_move() == 5


def test_a_game_without_features_is_refused() -> None:
    with pytest.raises(MctsError, match="does not say what a network is shown"):
        SelfPlay(replace(make_game("tic-tac-toe"), features=None), SelfPlaySettings(games=1))


def test_what_tables_played_adds_up() -> None:
    one = PlayProgress(
        games=3,
        positions=30,
        evaluations=100,
        seconds=2.0,
        length=10.0,
        first_wins=1.0,
        entropy=1.0,
    )
    other = PlayProgress(
        games=1, positions=20, evaluations=50, seconds=2.5, length=20.0, first_wins=0.0, entropy=2.0
    )

    both = together([one, other])

    assert (both.games, both.positions, both.evaluations, both.seconds) == (4, 50, 150, 2.5)
    assert (both.length, both.first_wins, both.entropy) == (12.5, 0.75, 1.5)


@pytest.mark.gpu
def test_tables_on_a_gpu_play_whole_games_and_go_on() -> None:
    if not torch.cuda.is_available():
        pytest.skip("PyTorch finds no GPU")
    settings = TrainingSettings(games=512, simulations=8, considered=4)
    tables = start_selfplay(make_game("tic-tac-toe"), settings, "gpu")

    positions, progress = tables.play(undecided_anywhere, 1.0)
    tables.restore(tables.state())
    more, _ = tables.play(undecided_anywhere, 0.5)

    for found in (positions, more):
        assert found.policy.float().sum(1).cpu().numpy() == pytest.approx(1.0, abs=2e-3)
        stones = found.planes[:, :2].float().sum((1, 2, 3)).cpu()
        assert stones[0] == 0
        assert set(stones.diff().tolist()) <= {1.0, *(-float(n) for n in range(4, 9))}
    assert progress.games > 512


def undecided_anywhere(planes: Any) -> tuple[Any, Any]:
    return planes.new_zeros(len(planes), 9), planes.new_full((len(planes),), 0.5)


def exact(planes: Any, *, is_flat: bool) -> tuple[Any, Any]:
    """Judge by sums of whole numbers, which come out the same on every machine."""
    shown = (planes != 0).double().flatten(1)
    numbers = torch.arange(shown.shape[1], device=planes.device, dtype=torch.float64)
    sums = ((numbers * 7919.0) % 1009.0 * shown).sum(1)
    values = (sums % 97.0) / 128.0 + 0.125
    outputs = 82
    which = torch.arange(outputs, device=planes.device, dtype=torch.float64)
    scores = ((sums[:, None] + 31.0 * which) % 64.0) / 16.0
    return (scores * (not is_flat)).float(), values.float()


def visits_on(device: str, selection: str, *, is_flat: bool) -> tuple[Any, Any]:
    """Moves and visits of all trees after a search from the empty board."""
    given = go_game(9)
    plain = replace(given, priors=no_priors, experience=no_experience, hash=no_hash)
    play = SelfPlaySettings(games=GAMES, simulations=64, considered=16, selection=selection, seed=6)
    selfplay = SelfPlay(plain, play, device=device)
    for _ in range(MOVES):
        for _ in selfplay._move(lambda planes: exact(planes, is_flat=is_flat), records=False):
            pass
    tree = selfplay._tree
    read = (tree.move.read(), tree.visits.read()) if device == "gpu" else ()
    return read or (tree.move.array.copy(), tree.visits.array.copy())


GAMES, MOVES = 256, 12


@pytest.mark.gpu
@pytest.mark.parametrize(("selection", "is_flat"), [("puct", True), ("gumbel", False)])
def test_trees_on_a_gpu_are_those_of_the_cpu(
    selection: str, is_flat: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    on_cpu = visits_on("cpu", selection, is_flat=is_flat)
    on_gpu = visits_on("gpu", selection, is_flat=is_flat)

    same = [(one == other).all(1) for one, other in zip(on_cpu, on_gpu, strict=True)]
    share = 1.0 - float(np.logical_and(*same).mean())
    with capsys.disabled():
        print(f"\n{selection}: {share:.2%} of {GAMES} trees differ at move {MOVES}")  # noqa: T201
    # Logarithms and powers may differ in the last bit, and Gumbel's way has both.
    assert share == 0.0 if selection == "puct" else share < 0.5
