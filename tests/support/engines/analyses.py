"""Analyses made by hand, for tests of what is done with them."""

from __future__ import annotations

from montego.engine.searching.analysis import Analysis, MoveInfo


def move_info(vertex: str, visits: int = 10, value: float = 0.5, **more: object) -> MoveInfo:
    order = more.pop("order", 0)
    return MoveInfo(
        vertex=vertex,
        visits=visits,
        value=value,
        prior=0.5,
        lower_bound=max(value - 0.1, 0.0),
        rave_value=0.4,
        rave_visits=20,
        variation=(vertex, "pass"),
        order=order,  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def analysis(*moves: MoveInfo, simulations: int = 100, value: float = 0.5) -> Analysis:
    return Analysis(
        to_play="black",
        simulations=simulations,
        visits=sum(move.visits for move in moves),
        value=value,
        mean_score=2.5,
        score_deviation=5.0,
        moves=moves,
        seconds=0.1,
        memory_share=0.0,
    )
