"""Matches between networks in training, and the rating that comes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")

from montego.games import make_game  # noqa: E402
from montego.jit import interpreted  # noqa: E402
from montego.train.games import selfplay  # noqa: E402
from montego.train.games.rating import RatingMatches, elo_of  # noqa: E402
from montego.train.games.selfplay import SelfPlay, SelfPlaySettings  # noqa: E402
from montego.train.games.start import start_rating  # noqa: E402
from montego.train.learning.net import Net, NetShape  # noqa: E402
from montego.train.report import StretchTally, cells_of  # noqa: E402
from montego.train.settings import TrainingSettings  # noqa: E402

CENTER = 4


def table(games: int, simulations: int) -> SelfPlay:
    game = make_game("tic-tac-toe")
    legal_moves: Any = game.legal_moves
    plain = replace(game, legal_moves=interpreted(legal_moves))
    return SelfPlay(
        plain, SelfPlaySettings(games=games, simulations=simulations, considered=9, seed=4)
    )


def undecided(planes: Any) -> tuple[Any, Any]:
    return torch.zeros(len(planes), 9), torch.full((len(planes),), 0.5)


def who_wants(cell: int) -> Any:
    """A judge that puts all its hope into one cell."""

    def judge(planes: Any) -> tuple[Any, Any]:
        scores = torch.zeros(len(planes), 9)
        scores[:, cell] = 50.0
        return scores, torch.full((len(planes),), 0.5)

    return judge


def test_both_play_half_of_the_games_first_and_each_by_its_own_judge() -> None:
    playing = table(games=8, simulations=1)
    begun: list[list[float]] = []

    def watched(judge: Any) -> Any:
        def watching(planes: Any) -> tuple[Any, Any]:
            stones = planes[:, :2].sum((1, 2, 3))
            # In games with one stone the first player has moved: where to?
            if bool((stones == 1).all()):
                begun.append(planes[:, 1].reshape(8, 9).argmax(1).tolist())
            return judge(planes)  # type: ignore[no-any-return]

        return watching

    playing.match(watched(who_wants(CENTER)), watched(who_wants(8)))
    # What is shown is turned at random: a corner is any corner.
    assert begun[0][0::2] == [CENTER] * 4
    assert set(begun[0][1::2]) <= {0, 2, 6, 8}


def test_who_knows_the_center_beats_who_wants_an_edge() -> None:
    playing = table(games=32, simulations=4)
    share = playing.match(who_wants(CENTER), who_wants(1))
    assert share > 0.55
    assert playing.match(undecided, undecided) == pytest.approx(0.5, abs=0.3)


@pytest.mark.parametrize(("drawn", "alike"), [(0, True), (3, False)])
def test_only_the_first_moves_of_a_match_are_drawn(
    monkeypatch: pytest.MonkeyPatch, drawn: int, *, alike: bool
) -> None:
    monkeypatch.setattr(selfplay, "DRAWN", drawn)
    seen: list[bool] = []

    def watching(planes: Any) -> tuple[Any, Any]:
        seen.append(bool((planes == planes[0]).all()))
        scores = torch.arange(9.0).repeat(len(planes), 1)  # No two alike: no move is drawn by lot.
        return scores, torch.full((len(planes),), 0.5)

    table(games=8, simulations=2).match(watching, watching)
    assert all(seen) is alike


def test_a_rating_adds_up_what_matches_say_and_waits_its_time() -> None:
    class Table:
        """Whoever asks wins three of four games, and later three of five."""

        played, share = 0, 0.75

        def match(self, _one: Any, _other: Any) -> float:
            self.played += 1
            return self.share

    features = make_game("tic-tac-toe").features
    assert features is not None
    shape = NetShape.of(features, TrainingSettings(blocks=1, channels=4))
    net, games = Net(shape), 99
    playing: Any = Table()
    now = 0.0
    device = torch.device("cpu")
    rating = RatingMatches([playing], shape, device, games=games, every=2.0, clock=lambda: now)
    rating.begin_with(net, [])
    step = elo_of(0.75, games)

    assert step == pytest.approx(400 * 0.4746, rel=0.01)
    assert rating(net, 1.0, last=False) == {}
    assert rating(net, 2.0, last=False) == {"rating": pytest.approx(step)}
    assert rating(net, 3.0, last=False) == {}
    assert rating(net, 3.5, last=True) == {"rating": pytest.approx(2 * step)}
    assert rating(net, 3.5, last=True) == {}
    assert playing.played == 2
    # A rival that is not beaten clearly stays: what two matches say does not add up.
    playing.share = 0.6
    beyond = pytest.approx(2 * step + elo_of(0.6, games))
    assert rating(net, 5.5, last=False) == {"rating": beyond}
    assert rating(net, 7.5, last=False) == {"rating": beyond}

    row = StretchTally().row(
        ("policy", "value", "ownership", "score", "soft_policy", "entropy", "accuracy"),
        minutes=3.5,
        games=1,
        positions=1,
        steps=1,
        window=1,
        rate=0.1,
    )
    rated = replace(row, measured={"rating": 120.0})
    assert cells_of(row)[-1] == "-"
    assert cells_of(rated)[-1] == "+120"
    again = RatingMatches([playing], shape, device, games=games, every=2.0)
    again.begin_with(net, [rated, row])
    assert again(net, 6.0, last=False) == {"rating": pytest.approx(120.0 + elo_of(0.6, games))}


def test_the_table_of_a_run_asks_more_than_the_openings_that_it_knows() -> None:
    game = make_game("tic-tac-toe")
    legal_moves: Any = game.legal_moves
    longer = replace(game, legal_moves=interpreted(legal_moves), longest_game=61)
    settings = TrainingSettings(simulations=4, rating_games=6, random_moves=9, late_noise=0.5)
    assert longer.features is not None
    shape = NetShape.of(longer.features, settings)

    rating = start_rating([longer], settings, shape, "cpu")

    assert rating is not None
    play = rating._tables[0]._play
    assert (play.games, play.simulations, play.random_moves, play.late_noise) == (6, 4, 2, 1.0)
    assert start_rating([longer], replace(settings, rating=0.0), shape, "cpu") is None
