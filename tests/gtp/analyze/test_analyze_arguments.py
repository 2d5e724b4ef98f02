"""The arguments of the analyze commands, in every form in which programs send them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.engine.searching.analysis import VertexLimit
from montego.go.vocabulary.errors import GoError
from montego.gtp.analyze.arguments import (
    DEFAULT_INTERVAL,
    LEAST_INTERVAL,
    AnalysisRequest,
    parse_analysis,
)


def limit(color: str, *vertices: str, only: bool = False, depth: int = 1) -> VertexLimit:
    return VertexLimit(color=color, vertices=frozenset(vertices), only=only, until_depth=depth)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", AnalysisRequest()),
        ("b", AnalysisRequest(color="black")),
        ("WHITE", AnalysisRequest(color="white")),
        ("100", AnalysisRequest(interval=1.0)),
        ("B 100", AnalysisRequest(color="black", interval=1.0)),
        ("W 12.5", AnalysisRequest(color="white", interval=0.125)),
        ("interval 50", AnalysisRequest(interval=0.5)),
        ("w interval 1", AnalysisRequest(color="white", interval=LEAST_INTERVAL)),
        ("interval 999999", AnalysisRequest(interval=9999.99)),
        ("0", AnalysisRequest(interval=LEAST_INTERVAL, stop=True)),
        ("interval 0", AnalysisRequest(interval=LEAST_INTERVAL)),
        ("1 minmoves 30", AnalysisRequest(interval=LEAST_INTERVAL, min_moves=30)),
        ("maxmoves 3 b", None),
        ("10 maxmoves 3", AnalysisRequest(interval=0.1, max_moves=3)),
        ("10 ownership true", AnalysisRequest(interval=0.1, ownership=True)),
        ("black ownership true", AnalysisRequest(color="black", ownership=True)),
        ("10 ownership false", AnalysisRequest(interval=0.1)),
        ("10 OwnershipStdev TRUE", AnalysisRequest(interval=0.1, ownership_deviation=True)),
        ("10 movesOwnership true", AnalysisRequest(interval=0.1, moves_ownership=True)),
        ("10 rootInfo true", AnalysisRequest(interval=0.1, root_info=True)),
        ("10 pvVisits true", AnalysisRequest(interval=0.1, pv_visits=True)),
        ("10 pvEdgeVisits true", AnalysisRequest(interval=0.1, pv_edge_visits=True)),
        ("10 noResultValue true", AnalysisRequest(interval=0.1, no_result_value=True)),
        (
            "10 avoid b d4,Q16 3 avoid W pass 1",
            AnalysisRequest(
                interval=0.1,
                limits=(limit("black", "D4", "Q16", depth=3), limit("white", "pass")),
            ),
        ),
        (
            "1 allow B D4 1",
            AnalysisRequest(interval=LEAST_INTERVAL, limits=(limit("black", "D4", only=True),)),
        ),
    ],
)
def test_arguments_mean_what_programs_mean_by_them(
    text: str, expected: AnalysisRequest | None
) -> None:
    if expected is None:
        with pytest.raises(GoError):
            parse_analysis(text.split(), 19)
    else:
        assert parse_analysis(text.split(), 19) == expected


@pytest.mark.parametrize(
    "text",
    [
        "-1",
        "nan",
        "inf",
        "1_0",
        "b w",
        "b 100 100",
        "interval",
        "interval soon",
        "interval -5",
        "minmoves -1",
        "minmoves 1.5",
        "minmoves 99999999999",
        "ownership",
        "ownership maybe",
        "depth 3",
        "avoid",
        "avoid b",
        "avoid b D4",
        "avoid b D4 0",
        "avoid b D4 x",
        "avoid x D4 1",
        "avoid b , 1",
        "allow b Z99 1",
        "allow b I5 1",
        "allow w C3 1 allow w D3 1",
        "allow w C3 1 avoid b D3 1 allow white C3 2",
    ],
)
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(GoError):
        parse_analysis(text.split(), 19)


def test_a_vertex_must_be_on_the_board_in_use() -> None:
    assert parse_analysis(["avoid", "b", "J9", "1"], 9).limits == (limit("black", "J9"),)
    with pytest.raises(GoError):
        parse_analysis(["avoid", "b", "J10", "1"], 9)


PAIRS = {
    "interval": "25",
    "minmoves": "2",
    "maxmoves": "7",
    "ownership": "true",
    "ownershipStdev": "true",
    "movesOwnership": "true",
    "rootInfo": "true",
    "pvVisits": "true",
    "pvEdgeVisits": "true",
    "noResultValue": "true",
    "avoid": "b D4,C3 2",
}


@given(st.permutations(sorted(PAIRS)), st.sampled_from(["", "b ", "White "]))
def test_keys_come_in_any_order(keys: list[str], color: str) -> None:
    text = color + " ".join(f"{key} {PAIRS[key]}" for key in keys)
    expected = AnalysisRequest(
        color={"": None, "b ": "black", "White ": "white"}[color],
        interval=0.25,
        min_moves=2,
        max_moves=7,
        ownership=True,
        ownership_deviation=True,
        moves_ownership=True,
        root_info=True,
        pv_visits=True,
        pv_edge_visits=True,
        no_result_value=True,
        limits=(limit("black", "D4", "C3", depth=2),),
    )

    assert parse_analysis(text.split(), 9) == expected


LIKELY = (
    "b w interval minmoves maxmoves avoid allow ownership true false D4 A1,B2 pass 1 0 50 1e300 "
    "-0 -1 nan 1e999 rootInfo"
)
WORDS = st.one_of(
    st.sampled_from(LIKELY.split(" ")),
    st.text(min_size=1, max_size=8),
)


@given(st.lists(WORDS, max_size=12), st.integers(2, 25))
def test_no_words_do_more_than_fail(words: list[str], size: int) -> None:
    try:
        request = parse_analysis(words, size)
    except GoError as error:
        told = str(error)
    else:
        told = "fine"
        assert LEAST_INTERVAL <= request.interval <= 1e6
        assert request.min_moves >= 0
    assert 0 < len(told) < 200


def test_without_an_interval_reports_come_twice_a_second() -> None:
    assert parse_analysis(["black"], 9).interval == DEFAULT_INTERVAL == 0.5
