"""``docs/gtp.md`` says what the registry says."""

from __future__ import annotations

import sys

from montego.gtp.registry import MODULES, load_commands
from places import DOCS

sys.path.insert(0, str(DOCS))

from write_gtp import HEADINGS, MARK, PAGE, with_reference

GTP_VERSION_2 = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi
    fixed_handicap place_free_handicap set_free_handicap play genmove undo time_settings time_left
    final_score final_status_list loadsgf reg_genmove showboard
"""
OF_CLIENTS = """
    is_legal all_legal color captures gg-undo set_position printsgf cputime help explain
    rectangular_boardsize get_komi kgs-rules kgs-time_settings kgs-genmove_cleanup kgs-game_over
    kgs-chat cgos-opponent_name cgos-opponent_rating cgos-gameover kata-set-rules kata-get-rules
    kata-set-rule kata-get-param kata-set-param kata-list-params kata-list_time_settings
    kata-time_settings stop clear_cache gomill-explain_last_move gomill-describe_engine
    gomill-cpu_time estimate_score gogui-analyze_commands gogui-play_sequence gogui-setup
    gogui-setup_player gogui-interrupt gogui-sigint gogui-title gogui-version montego-param
    match_patterns debug lz-analyze kata-analyze lz-genmove_analyze kata-genmove_analyze
    cgos-genmove_analyze
"""


def test_the_page_is_as_the_registry_has_it() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert MARK in page
    assert with_reference(page) == page


def test_every_command_of_the_standard_and_of_the_clients_is_there() -> None:
    commands = load_commands()

    assert not set(GTP_VERSION_2.split()) - set(commands)
    assert not set(OF_CLIENTS.split()) - set(commands)


def test_every_command_has_a_help_of_whole_sentences() -> None:
    for entry in load_commands().values():
        assert entry.help.endswith("."), entry.name
        assert "\n" not in entry.help, entry.name
        assert entry.section in MODULES
        assert HEADINGS[entry.section]
