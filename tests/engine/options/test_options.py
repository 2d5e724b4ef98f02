"""The options of the player: every one can be set, is checked, and reaches what it is about."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.engine.knowledge.tuning import DEFAULT_SECONDS, PriorWeights, tuned_size
from montego.engine.options.options import (
    ENOUGH_FOR_A_TREE,
    OPTIONS,
    SECTIONS,
    InvalidOption,
    Options,
    find_option,
    read_options,
)
from montego.go.kernels.layout import state_length
from montego.go.playout.rates import Rates
from montego.go.vocabulary.errors import GoError
from montego.mcts.config import Config
from montego.mcts.kernels.tree import least_memory
from places import ROOT
from write_options import DOCUMENTED, reference

if TYPE_CHECKING:
    from pathlib import Path

    from montego.engine.options.options import Option
    from write_options import Parameter

NAMES = [option.name for option in OPTIONS]

DATA = [
    str(files("montego.go") / "data" / name)
    for name in ("patterns.txt", "prediction_9.npz", "local_shape_9.npz", "balance_9.npz")
]
TEXTS = ("2", "3", "1.5", "0.25", "100", "true", "false", "aga", "capture-any", *DATA)
"""Among these every option that is no choice finds a value other than its default."""


def another_text(option: Option) -> str:
    """Return a value that is not the default."""
    for text in option.choices or TEXTS:
        try:
            if Options().set(option.name, text).value(option.name) != Options().value(option.name):
                return text
        except InvalidOption:
            continue
    raise AssertionError(option.name)


# The table.


def test_every_setting_of_the_search_the_playouts_and_the_priors_is_an_option() -> None:
    expected = len(fields(Config)) + len(fields(Rates)) + len(fields(PriorWeights))
    own = {field.name for field in fields(Options)} - {"search", "rates", "weights", "filled_in"}
    budget = {"simulations", "seconds", "threads", "memory", "seed"}
    assert budget <= own
    assert len(OPTIONS) == expected - len(budget) + len(own)


def test_names_are_unique_and_every_option_is_explained() -> None:
    assert len(set(NAMES)) == len(NAMES)
    for option in OPTIONS:
        assert option.section in SECTIONS
        assert option.help.endswith("."), option.name
        assert option.name == option.name.lower().replace("_", "-")


def test_defaults_are_what_is_used_without_options() -> None:
    for option in OPTIONS:
        # Those of the search are the defaults without a network.
        options = Options() if option.name == "network" else Options(network=None)
        assert options.value(option.name) == option.default, option.name


@pytest.mark.parametrize("name", NAMES)
def test_every_option_can_be_set_by_text_and_taken_back(name: str) -> None:
    option = find_option(name)
    text = another_text(option)

    changed = Options().set(name, text)

    assert changed != Options()
    assert changed.value(name) == option.parse(text) != Options().value(name)
    assert Options().set(name, changed.text(name)) == changed
    assert set(changed.changes()) == {option.key}
    # Of the book it is the word for the user's own, of the network for the one that comes along.
    back = {"book": "off", "network": "auto"}.get(name, "default")
    assert changed.set(name, back) == Options()


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_survives_being_written(option: Option) -> None:
    assert option.parse(option.format(option.default)) == option.default


@given(st.sampled_from([option for option in OPTIONS if option.kind == "float"]), st.floats())
def test_numbers_are_refused_or_survive_being_written(option: Option, number: float) -> None:
    try:
        value = option.check(number)
    except InvalidOption:
        assert math.isnan(number) or option.least is not None
        return
    assert option.parse(option.format(value)) == value


@given(st.sampled_from(NAMES), st.text(max_size=20))
def test_no_text_does_worse_than_being_refused(name: str, text: str) -> None:
    message = ""
    try:
        changed = Options().set(name, text)
    except InvalidOption as error:
        message = str(error)
    if message:
        assert "\n" not in message
        return
    assert Options().set(name, changed.text(name)) == changed


# Values.


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("threads", "0", "invalid threads '0': say a whole number from 1 to 1024, or auto"),
        ("threads", "two", "invalid threads 'two': say a whole number"),
        ("simulations", "1.5", "invalid simulations '1.5': say a whole number from 1, or none"),
        ("simulations", "9" * 5000, "invalid simulations"),
        ("simulations", "1_0", "invalid simulations '1_0': say a whole number from 1, or none"),
        ("simulations", "\N{ARABIC-INDIC DIGIT SEVEN}", "invalid simulations"),
        ("seconds", "1_0", "invalid seconds '1_0': say a number"),
        ("seconds", "nan", "invalid seconds 'nan': say a number"),
        ("seconds", "1e7", "say a number from 0.001, or none; 1e+06 is the most"),
        ("resign", "1.5", "invalid resign '1.5': say a number from 0 to 1, or off"),
        ("ponder", "perhaps", "invalid ponder 'perhaps': say true or false"),
        ("mode", "rude", "invalid mode 'rude': say one of friendly, strict, kgs"),
        ("rules", "chess", "unknown rules 'chess': say one of chinese"),
        ("komi", "5000", "invalid komi '5000': say a number from -1000 to 1000, or auto"),
        ("level", "9p", "invalid level '9p': say one of 30k"),
        ("name", "", "invalid name '': say a text"),
        ("name", "a\nb", "invalid name"),
        ("rave-bias", "-1", "invalid rave-bias '-1': say a number from 0"),
        ("widening", "0.5", "widening 0.5: say 0, or a number above 1"),
        ("expand-after", "-1", "invalid expand-after '-1': say a whole number from 0"),
        ("playout-atari", "1.1", "invalid playout-atari '1.1': say a number from 0 to 1"),
        ("prior-capture", "-1", "invalid prior-capture '-1': say a number from 0"),
        ("prior-even", "inf", "invalid prior-even 'inf'"),
        ("selection", "luck", "invalid selection 'luck': say one of ucb1"),
        ("patterns", "no/such/file", "invalid patterns 'no/such/file': there is no such file"),
        ("patterns", "x" * 5000, "there is no such file"),
        ("rave-bais", "1", "'rave-bais': do you mean rave-bias or rave-bias-learned?"),
        ("rave", "1", "do you mean rave-bias or rave-equivalence"),
        ("zzzzz", "1", "unknown option 'zzzzz': there are simulations, seconds, threads, "),
    ],
)
def test_what_is_impossible_is_refused_by_name(name: str, text: str, message: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        Options().set(name, text)

    assert message in str(refused.value)
    assert len(str(refused.value)) < (2000 if "there are" in message else 400)


def test_an_invalid_option_is_an_error_of_go_that_the_command_line_reports() -> None:
    assert issubclass(InvalidOption, GoError)


@pytest.mark.parametrize(
    "changes", [{"threads": True}, {"ponder": 1}, {"komi": "7.5"}, {"memory": None}, {"size": 9.0}]
)
def test_values_of_the_wrong_type_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidOption, match=next(iter(changes))):
        Options(**changes)  # type: ignore[arg-type]


def test_two_options_that_do_not_go_together_are_refused() -> None:
    votes = Options().set("votes", "5")
    assert votes.search_config(9).votes == 5  # There is always a limit to divide.


def test_names_may_be_written_with_underscores_and_capitals() -> None:
    assert Options().set("Rave_Bias", "0.5") == Options().set("rave-bias", "0.5")
    assert find_option(" RESIGN ").name == "resign"


def test_words_for_no_value() -> None:
    options = Options(threads=3, resign=0.2, komi=6.5, seed=1)
    for name, word in {
        "threads": "auto",
        "resign": "off",
        "komi": "auto",
        "seed": "random",
    }.items():
        assert options.set(name, word).value(name) is None
        assert options.set(name, "none").value(name) is None


def test_options_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        Options().komi = 0.5  # type: ignore[misc]
    assert hash(Options().set("rave-bias", "0.5")) == hash(Options().replace(rave_bias=0.5))


def test_changes_are_enough_to_make_the_options_again() -> None:
    options = Options(simulations=9, resign=None).replace(prior_capture=3, votes=2, playout_ko=0.1)

    assert Options().replace(**options.changes()) == options
    assert options.changes() == {
        "simulations": 9,
        "resign": None,
        "votes": 2,
        "playout_ko": 0.1,
        "prior_capture": 3.0,
    }


def test_replace_with_none_takes_back_what_is_tuned() -> None:
    assert Options().replace(rave_bias=0.5).replace(rave_bias=None) == Options()


# What becomes of them.


def test_the_search_gets_what_is_set() -> None:
    config = (
        Options(simulations=123, threads=2, memory=64, seed=5)
        .replace(selection="rave-hand", rave_equivalence=77, votes=3)
        .search_config(9)
    )

    assert (config.simulations, config.seconds) == (123, None)
    assert (config.threads, config.memory, config.seed) == (2, 64.0, 5)
    assert (config.selection, config.rave_equivalence, config.votes) == ("rave-hand", 77.0, 3)


def test_without_any_limit_there_are_a_few_seconds_on_all_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("montego.engine.options.options.usable_cores", lambda: 6)
    config = Options().search_config(9)

    assert (config.simulations, config.seconds, config.threads) == (None, DEFAULT_SECONDS, 6)
    assert Options(seconds=1).search_config(9).threads == 1
    assert Options(simulations=1).search_config(9).seconds is None
    assert Options(threads=3).search_config(9).threads == 3


def test_a_random_seed_stays_the_same_while_the_program_runs() -> None:
    assert Options().search_config(9).seed == Options().search_config(19).seed
    assert Options(seed=4).search_config(9).seed == 4


def test_a_board_that_wants_more_memory_is_refused() -> None:
    for size in range(3, 26):
        with pytest.raises(InvalidOption, match=f"invalid memory 1000: Go {size}x{size} wants"):
            Options(memory=1000).replace(threads=1024, parallel="root").check_board(size)
        Options(memory=ENOUGH_FOR_A_TREE).check_board(size)
        assert least_memory(state_length(size)) < ENOUGH_FOR_A_TREE
    Options(memory=1).check_board(2)
    with pytest.raises(InvalidOption, match=r"invalid memory 1: Go 5x5 wants at least 1\.51 MB"):
        Options(memory=1).check_board(5)


def test_without_rave_the_search_explores() -> None:
    assert Options(network=None).search_config(9).exploration == 0.0
    plain = Options().set("selection", "ucb1")
    assert plain.search_config(9).exploration == plain.value("exploration") == 0.7
    assert plain.set("exploration", "0.1").search_config(9).exploration == 0.1
    # A network's chances leave less to explore.
    assert Options(network="default").search_config(9).exploration == 0.45
    assert Options(network="default", simulations=9).search_config(9).exploration == 0.45
    with_ucb1 = Options(network="default").set("selection", "ucb1")
    assert with_ucb1.search_config(9).exploration == 0.7


@pytest.mark.parametrize(
    "setting",
    [
        "playout=uniform", "playout-ko=0.5", "prior-capture=3", "rave-bias=0.1", "selection=ucb1",
        "with=gnugo --mode gtp", "reward=score", "level=10k", "preset=v-run", "network=none",
    ],
)  # fmt: skip
def test_who_sets_what_is_for_playouts_gets_no_network(setting: str) -> None:
    name, text = setting.split("=")
    options = Options().set(name, text).on_board(9)

    assert options.network_path(9) is None
    if options.network is not None:
        assert options.set("network", "default").network_path(9) is not None


@pytest.mark.parametrize("setting", ["selection=puct", "exploration=1.0", "simulations=9"])
def test_other_options_leave_the_network_that_comes_along(setting: str) -> None:
    options = Options().set(*setting.split("="))

    assert options.network_path(9) is not None
    assert options.search_config(9).evaluation == 1.0
    assert options.network_path(5) is None
    assert options.search_config(5).selection == ("rave-mse" if "sel" not in setting else "puct")


def test_what_is_tuned_for_a_board_gives_way_to_what_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "montego.engine.knowledge.tuning.TUNED_BY_SIZE",
        {9: {"rates": {"ko": 0.0}}, 13: {}, 19: {"search": {"votes": 4}}},
    )

    assert Options().search_config(19).votes == Options().value("votes", 19) == 4
    assert Options().search_config(9).votes == Options().value("votes", 9) == 1
    assert Options().replace(votes=2).search_config(19).votes == 2
    assert Options().playout_rates(9).ko == 0.0
    assert Options().playout_rates(13).ko == Rates.ko
    assert Options().replace(playout_ko=1).playout_rates(9).ko == 1.0


def test_every_board_is_tuned_as_one_of_three() -> None:
    assert [tuned_size(size) for size in (2, 7, 9, 11, 12, 13, 16, 17, 19, 25)] == [
        9, 9, 9, 9, 13, 13, 13, 19, 19, 19
    ]  # fmt: skip


def test_rates_and_priors_get_what_is_set() -> None:
    options = Options().replace(playout_atari=0.25, prior_capture=33)

    assert options.playout_rates(9).atari == 0.25
    assert options.prior_weights(19).capture == 33.0


def test_the_game_gets_rules_komi_and_the_length_of_playouts() -> None:
    game = Options(komi=3.5, game_length=2, playout="uniform").game_definition(5)

    assert game.name == "Go 5x5"
    assert game.knowledge[0] == 3.5
    assert game.longest_game == 50
    assert Options(rules="japanese", playout="uniform").game_definition(5).knowledge[0] == 6.5
    assert Options(playout="uniform").game_definition(5, "aga", -7).knowledge[0] == -7.0


def test_the_level_fills_in_what_is_not_set() -> None:
    weak = Options(level="20k")

    assert weak.search_config(9).simulations == weak.on_board(9).simulations
    assert weak.on_board(9).level is None
    assert weak.replace(simulations=7).search_config(9).simulations == 7
    assert weak.on_board(9).playout_rates(9) == weak.playout_rates(9)
    assert Options().on_board(9) == Options()


# Files.


def read(tmp_path: Path, text: str) -> Options:
    path = tmp_path / "player.toml"
    path.write_text(text, encoding="utf-8")
    return Options().replace(**read_options(path))


def test_a_file_sets_options_in_tables_or_without(tmp_path: Path) -> None:
    options = read(
        tmp_path,
        """
        simulations = 100
        resign = "off"
        prior_capture = 7

        [search]
        rave-bias = 1
        reward = "score"

        [game]
        komi = 0.5
        """,
    )

    assert options == Options(simulations=100, resign=None, komi=0.5).replace(
        prior_capture=7, rave_bias=1, reward="score"
    )


def test_everything_can_be_in_a_file(tmp_path: Path) -> None:
    # A preset cannot be combined with a level.
    told = [option for option in OPTIONS if option.name != "preset"]
    lines = [f'{option.name} = "{another_text(option)}"' for option in told]
    alone = [line for line in lines if line.startswith("reward-points")]  # Not with the solver.
    options = read(tmp_path, "\n".join(line for line in lines if line not in alone))

    assert set(options.changes()) == {option.key for option in told} - {"reward_points"}
    assert set(read(tmp_path, "\n".join(alone)).changes()) == {"reward_points"}


def test_a_tilde_is_the_users_own_folder_by_every_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    home.mkdir()
    (home / "mine.txt").touch()
    book, patterns = str(home / "a.sqlite"), str(home / "mine.txt")

    assert Options(book="~/a.sqlite").book == book
    assert Options().set("patterns", "~/mine.txt").patterns == patterns
    options = read(tmp_path, 'book = "~/a.sqlite"\npatterns = "~/mine.txt"')
    assert (options.book, options.patterns) == (book, patterns)
    assert Options(book="default").book == "default"
    assert Options(name="~").name == "~"


def test_names_of_files_are_relative_to_the_file_they_stand_in(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    options = read(tmp_path, 'patterns = "mine.txt"\nlog = "a.log"')

    assert (options.patterns, options.log) == (str(tmp_path / "mine.txt"), str(tmp_path / "a.log"))
    assert read(tmp_path, 'patterns = "none"\nlog = "default"') == Options()
    # A word for what comes with the program is no file.
    assert read(tmp_path, 'patterns = "mogo"').patterns == "mogo"


def test_a_file_of_no_use_is_refused_when_it_is_set(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("root:x:0")
    message = r"cannot read patterns from .*bad\.txt: line 1: expected 'pattern NAME"

    with pytest.raises(InvalidOption, match=message):
        Options().set("patterns", str(tmp_path / "bad.txt"))
    with pytest.raises(InvalidOption, match=message):
        read(tmp_path, 'patterns = "bad.txt"')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rave-bais = 1", "'rave-bais': do you mean rave-bias or rave-bias-learned?"),
        ("threads = 1.5", "invalid threads '1.5'"),
        ("threads = [1]", "invalid threads '[1]'"),
        ("ponder = 1", "invalid ponder '1': say true or false"),
        ("[serach]\nvotes = 2", "unknown table [serach]"),
        ("votes = 2\n[search]\nvotes = 3", "votes is set twice"),
        ("votes = ", "Invalid value"),
    ],
)
def test_a_bad_file_is_refused_with_its_name(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        read(tmp_path, text)

    assert message in str(refused.value)
    assert "player.toml" in str(refused.value)


def test_a_file_that_cannot_be_read_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="No such file"):
        read_options(tmp_path / "missing.toml")
    with pytest.raises(InvalidOption, match="cannot read"):
        read_options(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InvalidOption, match="no text file"):
        read_options(tmp_path / "bytes")


# The page, and the documents' parameters.


def test_the_committed_page_is_the_generated_one() -> None:
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")

    assert page == reference(), "run: python docs/write_options.py"


def test_the_page_names_every_option_and_the_boards_where_a_default_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "montego.engine.knowledge.tuning.TUNED_BY_SIZE",
        {9: {}, 13: {"search": {"votes": 4}}, 19: {}},
    )
    page = reference()

    assert all(f"| `{name}` |" in page for name in NAMES)
    assert "| `votes` | `1`, `4` on 13x13 |" in page


@pytest.mark.parametrize("parameter", DOCUMENTED, ids=lambda parameter: parameter.name)
def test_every_parameter_of_the_documents_can_be_set(parameter: Parameter) -> None:
    stands_for = {"N": "2", "X": "1.5", "K": "300", "FILE": DATA[0]}
    options = Options().replace(playout="naive")  # So that uniform is a change.
    for name, value in parameter.settings:
        text = stands_for.get(value, value)
        if name == "resign":
            text = "0.2"
        changed = options.set(name, text)
        assert changed != options, name
        assert changed.value(name) == find_option(name).parse(text)


def test_the_documents_parameters_reach_the_search() -> None:
    options = Options(simulations=600, threads=3, game_length=1.5).replace(
        selection="rave-child", rave_equivalence=2500, exploration=0.1, expand_after=4,
        parallel="root", votes=5, votes_threshold=10, reward="score", reward_scale=50, widening=1.5,
    )  # fmt: skip
    config = options.search_config(13)

    assert (config.simulations, config.threads, config.parallel) == (600, 3, "root")
    assert (config.selection, config.rave_equivalence) == ("rave-child", 2500.0)
    assert (config.exploration, config.expand_after, config.widening) == (0.1, 4, 1.5)
    assert (config.votes, config.votes_threshold) == (5, 10.0)
    assert (config.reward, config.reward_scale) == ("score", 50.0)


# Cheap to load.


def test_options_load_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from montego import Options; Options().search_config(9); "
        "sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
