"""The lines of an analysis, read by the parsers of those who read them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_fake_player import made_up_analysis
from client_parsers import (
    cgos_report,
    cgos_suggestions,
    kata_section,
    lizgoban_suggestions,
    lizzie_suggestions,
    q5go_suggestions,
    sabaki_suggestions,
)
from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.go.game import Game
from montego.gtp.analyze.arguments import AnalysisRequest, parse_analysis
from montego.gtp.analyze.lines import (
    cgos_line,
    cgos_ownership,
    kata_line,
    lz_line,
    reported_moves,
    seen_ownership,
    variation_visits,
)


def info(vertex: str, visits: int, *variation: str, value: float = 0.4656) -> MoveInfo:
    return MoveInfo(
        vertex=vertex,
        visits=visits,
        value=value,
        prior=0.0839,
        lower_bound=0.464,
        rave_value=0.5,
        rave_visits=1.0,
        variation=(vertex, *variation),
        order=0,
        score=0.7,
        score_deviation=12.0,
    )


def analysis(*moves: MoveInfo, to_play: str = "black") -> Analysis:
    return Analysis(
        to_play=to_play,
        simulations=100,
        visits=sum(move.visits for move in moves),
        value=0.4656,
        mean_score=0.7,
        score_deviation=12.0,
        moves=moves,
        seconds=1.0,
        memory_share=0.1,
        ownership=(1.0, 0.0, -0.5, -1.0),
    )


def test_leela_zeros_line_is_the_one_programs_know() -> None:
    line = lz_line(analysis(info("D4", 836, "Q16"), info("Q16", 20)), AnalysisRequest())

    assert line == (
        "info move D4 visits 836 winrate 4656 prior 839 lcb 4640 order 0 pv D4 Q16 "
        "info move Q16 visits 20 winrate 4656 prior 839 lcb 4640 order 1 pv Q16"
    )


def test_katagos_line_is_the_one_programs_know() -> None:
    line = kata_line(analysis(info("D4", 73, "E7")), AnalysisRequest())

    assert line == (
        "info move D4 visits 73 edgeVisits 73 utility -0.068800 winrate 0.465600 "
        "scoreMean 0.700 scoreStdev 12.000 scoreLead 0.700 scoreSelfplay 0.700 prior 0.083900 "
        "lcb 0.464000 utilityLcb -0.072000 weight 73.0 order 0 pv D4 E7"
    )


def test_what_was_asked_for_comes_in_its_order_and_the_owners_last() -> None:
    keys = "rootInfo pvVisits pvEdgeVisits noResultValue ownership movesOwnership"
    request = parse_analysis([word for key in keys.split() for word in (key, "true")], 19)
    moves = info("D4", 73, "E7"), info("C3", 2)
    known = replace(moves[0], variation_visits=(73, 40), ownership=(1.0, 1.0, 0.0, 0.0))

    line = kata_line(analysis(known, moves[1]), request)

    assert line.endswith("ownership 1.000 0.000 -0.500 -1.000")
    first = lizgoban_suggestions(line)[0]
    assert first["pvVisits"] == [73.0, 40.0]
    assert first["movesOwnership"] == [1.0, 1.0, 0.0, 0.0]
    assert first["noResultValue"] == "0.000000"
    root = kata_section(line, "rootInfo")
    assert dict(zip(root[::2], root[1::2], strict=True))["visits"] == "75"


def test_variations_have_their_longest_length() -> None:
    known = analysis(info("A1", 9, "B1", "C1", "D1"))
    request = AnalysisRequest(variation_length=2, pv_visits=True)

    assert lz_line(known, request).endswith("pv A1 B1")
    assert kata_line(known, request).endswith("pv A1 B1 pvVisits 9 1")


def test_points_on_which_playouts_differ_have_a_deviation() -> None:
    line = kata_line(analysis(info("A1", 9)), AnalysisRequest(ownership_deviation=True))
    assert kata_section(line, "ownershipStdev") == ["0.000", "1.000", "0.866", "0.000"]


def test_values_are_those_of_whom_the_option_names() -> None:
    white = analysis(info("D4", 1), to_play="white")

    for perspective, winrate, score, owner in (
        ("side-to-move", 0.4656, -0.7, -1.0),
        ("white", 0.4656, -0.7, -1.0),
        ("black", 0.5344, 0.7, 1.0),
    ):
        request = AnalysisRequest(ownership=True, perspective=perspective)
        found, ownership = lizzie_suggestions(kata_line(white, request), kata=True)
        assert found[0].winrate == pytest.approx(winrate)
        assert found[0].score == pytest.approx(score)
        assert ownership[0] == owner
        whole = lizzie_suggestions(lz_line(white, request), kata=False)[0][0]
        assert whole.winrate == pytest.approx(winrate)


def test_moves_without_visits_are_told_only_on_request() -> None:
    known = analysis(info("A1", 5), info("B1", 0), info("C1", 2), info("D1", 0))

    assert [move.vertex for move in reported_moves(known)] == ["A1", "C1"]
    assert [move.vertex for move in reported_moves(known, 3)] == ["A1", "C1", "B1"]
    assert [move.vertex for move in reported_moves(known, 30)] == ["A1", "C1", "B1", "D1"]
    assert [move.vertex for move in reported_moves(known, 30, 1)] == ["A1"]
    assert [move.vertex for move in reported_moves(analysis(info("B1", 0)))] == ["B1"]


@pytest.mark.parametrize("request_text", ["", "maxmoves 0", "minmoves 5"])
def test_a_line_has_a_move_even_if_nothing_is_known(request_text: str) -> None:
    request = parse_analysis(request_text.split(), 9)

    for line in (lz_line(analysis(), request), kata_line(analysis(), request)):
        assert line.startswith("info move pass visits 0 ")
        assert line.endswith("order 0 pv pass")


def test_cgos_gets_its_line() -> None:
    report = cgos_report(cgos_line(analysis(info("D4", 73, "E7", "pass")), AnalysisRequest()), 4)

    assert report["moves"][0]["pv"] == "E7 pass"
    assert report["visits"] == 73
    assert report["ownership"] == pytest.approx([1.0, 0.0, -0.5, -1.0], abs=0.02)


def test_owners_for_cgos_are_the_letters_it_knows() -> None:
    assert cgos_ownership([-1.0, 0.0, 1.0]) == "Af+"


def test_owners_turn_with_the_viewer_and_keep_no_minus_before_zero() -> None:
    assert [str(value) for value in seen_ownership([0.0, 2.0], "white")] == ["0.0", "-1.0"]


def test_every_move_of_a_variation_has_visits() -> None:
    assert variation_visits(info("A1", 9, "B1", "C1")) == [9, 1, 1]
    assert variation_visits(replace(info("A1", 9), variation_visits=(9, 3))) == [9]


ODD = st.one_of(
    st.floats(), st.sampled_from([math.nan, -math.inf, math.inf, -0.0, 1.0, 0.0, 1.0000001])
)
VERTICES = st.sampled_from(["A1", "D4", "T19", "J9", "pass"])


@st.composite
def odd_analyses(draw: st.DrawFn) -> Analysis:
    """Analyses with every number that a bug or a bare tree might bring."""
    points = draw(st.sampled_from([4, 81]))
    moves = []
    for order in range(draw(st.integers(0, 4))):
        vertex = draw(VERTICES)
        moves.append(
            MoveInfo(
                vertex=vertex,
                visits=draw(st.integers(0, 10**9)),
                value=draw(ODD),
                prior=draw(ODD),
                lower_bound=draw(ODD),
                rave_value=draw(ODD),
                rave_visits=draw(ODD),
                variation=(vertex, *(v for v in draw(st.lists(VERTICES)) if v != vertex)),
                order=order,
                score=draw(st.none() | ODD),
                score_deviation=draw(st.none() | ODD),
            )
        )
    return Analysis(
        to_play=draw(st.sampled_from(["black", "white"])),
        simulations=3,
        visits=draw(st.integers(0, 10**9)),
        value=draw(ODD),
        mean_score=draw(ODD),
        score_deviation=draw(ODD),
        moves=tuple(moves),
        seconds=0.0,
        memory_share=0.0,
        ownership=tuple(draw(st.lists(st.floats(-1, 1), min_size=points, max_size=points))),
    )


@given(odd_analyses(), st.booleans(), st.sampled_from(["side-to-move", "black", "white"]))
def test_no_program_stumbles_over_any_line(
    known: Analysis, ownership: bool, perspective: str
) -> None:
    plain = AnalysisRequest(perspective=perspective)
    request = replace(plain, ownership=ownership)
    expected = [move.vertex for move in reported_moves(known)] or ["pass"]

    kata, lz = kata_line(known, request), lz_line(known, request)

    assert "nan" not in kata + lz
    assert "inf " not in (kata + lz).replace("info ", "")
    for line, name, is_kata in ((kata, "kata-analyze", True), (lz, "lz-analyze", False)):
        moves, owners = lizzie_suggestions(line, kata=is_kata)
        assert [move.move for move in moves] == expected
        assert all(0 <= move.winrate <= 1 for move in moves)
        assert len(owners) == (len(known.ownership or ()) if ownership and is_kata else 0)
        assert [move.move for move in cgos_suggestions(line)[0]] == expected
        bare = (kata_line if is_kata else lz_line)(known, plain)
        shown = sabaki_suggestions(bare, name)
        assert [move.move for move in shown] == [move for move in expected if move != "pass"]
    assert [move.move for move in q5go_suggestions(kata)] == expected
    cgos_report(cgos_line(known, AnalysisRequest()), len(known.ownership or ()))


def test_the_made_up_analysis_of_the_fake_player_reads_well() -> None:
    line = kata_line(made_up_analysis(Game(5), "black"), AnalysisRequest())

    assert sabaki_suggestions(line, "kata-analyze")[0].visits == 10
