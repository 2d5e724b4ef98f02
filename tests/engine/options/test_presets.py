"""Presets as options: what they set, what goes on top, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.engine.options.options import InvalidOption, Options, find_option
from montego.engine.options.presets import PRESETS, preset_settings

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = list(PRESETS)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_exactly_its_settings(name: str) -> None:
    options = Options(preset=name)
    for setting, text in preset_settings(name).items():
        assert options.text(setting) == options.set(setting, text).text(setting), setting
    assert options.changes() == {"preset": name}
    for size in (5, 9, 19):
        options.search_config(size)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_down_of_a_preset_is_the_same_options_again(name: str) -> None:
    for options in (
        Options(preset=name),
        Options(preset=name, seconds=2.0, size=9),
        Options().set("preset", name).set("exploration", "0.3"),
        Options(preset=name).set("exploration", "default").set("simulations", "7"),
        Options(preset=name).replace(resign=0.1, mode="friendly", selection=None),
    ):
        assert Options().replace(**options.changes()) == options


def test_single_options_go_on_top_in_any_order() -> None:
    before = Options(simulations=50).set("rave-bias", "0.3").set("preset", "mogo")
    after = Options(preset="mogo").replace(simulations=50, rave_bias=0.3)
    assert before == after == Options(preset="mogo", simulations=50).set("rave-bias", "0.3")
    assert after.search_config(9).rave_bias == 0.3
    assert after.search_config(9).final_move == "combined"


def test_a_limit_in_seconds_takes_the_place_of_the_presets_simulations() -> None:
    assert Options(preset="mogo", seconds=1.5).simulations is None
    assert Options(preset="mogo").set("seconds", "1.5").simulations is None
    both = Options(preset="mogo").replace(seconds=1.5, simulations=10)
    assert (both.simulations, both.seconds) == (10, 1.5)
    assert Options(preset="mogo", simulations=10).set("seconds", "2").simulations == 10


def test_without_a_preset_again_only_what_was_set_by_hand_stays() -> None:
    options = Options(preset="go-player", size=9).set("exploration", "0.3").set("preset", "none")
    assert options == Options(size=9).set("exploration", "0.3")
    other = Options(preset="go-player", size=9).set("preset", "v-run")
    assert other == Options(preset="v-run", size=9)


def test_a_level_is_refused_with_a_line() -> None:
    ways: list[Callable[[], Options]] = [
        lambda: Options(preset="v-run", level="10k"),
        lambda: Options(level="10k").set("preset", "v-run"),
        lambda: Options(preset="v-run").set("level", "10k"),
    ]
    for make in ways:
        with pytest.raises(InvalidOption, match="the preset v-run plays as its document says"):
            make()
    with pytest.raises(InvalidOption, match="invalid preset 'fuego'"):
        Options().set("preset", "fuego")


def test_nothing_that_is_tuned_is_in_a_preset() -> None:
    config = Options(preset="v-run").search_config(9)
    assert (config.selection, config.expand_after, config.amaf_earliness) == ("ucb1", 1, False)
    assert config.exploration == pytest.approx(2**0.5)
    weights = Options(preset="mogo").prior_weights(9)
    assert weights.rules == 50
    assert weights.prediction == weights.even == 0


def test_every_option_of_a_preset_exists_and_none_is_set_twice() -> None:
    for preset in PRESETS.values():
        keys = [find_option(name).key for name in preset.settings]
        assert len(set(keys)) == len(keys)


def test_mcgnugo_asks_gnu_go_only_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for found, command in ((None, "off"), ("/opt/my games/gnugo", "'/opt/my games/gnugo' --mode")):
        monkeypatch.setattr("shutil.which", lambda *_a, found=found, **_k: found)
        preset_settings.cache_clear()
        assert preset_settings("mcgnugo")["with"].startswith(command)
    preset_settings.cache_clear()
