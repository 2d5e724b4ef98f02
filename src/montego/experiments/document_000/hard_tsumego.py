"""The hard problem that shows the flaw, why it fails, and what cures it: 7.4."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, interval_plot
from montego.experiments.document_000.problems import HARD, ask, count_of, position
from montego.experiments.document_000.tree_picture import draw_tree
from montego.experiments.experiment import Experiment, Plot, Summary, Trial, by_cell, interleaved
from montego.experiments.figures import Row, share_row
from montego.experiments.games import contestant
from montego.experiments.verdict import above, below, difference, more
from montego.mcts.picture import to_json
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale

ITERATIONS = {"1,000": 1000, "10,000": 10000}
FEW = "1,000"
PLAIN = "plain"
CURES: dict[str, dict[str, JSON]] = {
    PLAIN: {},
    "one child at a time": {"expansion": "one"},
    "first-play urgency": {"first_play_urgency": 1.0},
    "RAVE": {"selection": "rave-mse", "exploration": 0.0},
    "priors": {"priors": {}},
    "widening by priors": {"priors": {}, "widening": 1.5},
    "solver": {"solver": True},
    "guided playouts": {"playout": "sequence"},
    "RAVE, priors, playouts": {
        "selection": "rave-mse",
        "exploration": 0.0,
        "priors": {},
        "playout": "sequence",
    },
}
"""Changes to the search: the document's own guesses, and those of the others."""
ANSWER = "White's answer"
TREE = "tree"
HARDLY = 0.15
"""Right moves that are still hardly any. The problem is composed: the document's own shares are of
another position, and only what they say of it is checked."""
FIGURES = {"right": 0.07, "greedy": 0.87, "answer": 0.8}
BATCH = {"full": 10, "quick": 5}
BATCHES = {"full": 20, "quick": 3}


def cell_of(cure: str, iterations: str) -> str:
    """Return the name of a cell: what was changed, and the iterations."""
    return f"{cure}, {iterations} iterations"


def trials(scale: Scale) -> list[Trial]:
    """Return searches with each change, White's answer to the greedy move, and one tree."""
    cells: dict[str, dict[str, JSON]] = {}
    for label, count in ITERATIONS.items():
        for cure, search in CURES.items():
            if scale == "full" or label == FEW:
                cells[cell_of(cure, label)] = HARD.trial_settings(count, BATCH[scale], **search)
    cells[ANSWER] = HARD.trial_settings(1000, BATCH[scale], moves=(HARD.greedy,))
    tree = Trial(TREE, 0, HARD.trial_settings(ITERATIONS[FEW], 1))
    return [tree, *interleaved(cells, BATCHES[scale])]


def run(trial: Trial) -> JSON:
    """Return the chosen moves; or of one search the two upper levels of its tree."""
    if trial.cell != TREE:
        return ask(trial)
    player = contestant(trial.settings["player"])
    state = position(trial.settings["diagram"], trial.settings["moves"])
    config = replace(player.config, seed=trial.seed, early_stop=False)
    search = Search(player.game, config, state=state)
    search.run()
    return _pruned(json.loads(to_json(search, depth=2)))


def _pruned(node: JSON) -> JSON:
    """Keep of a tree what the picture shows of each node: moves, visits, values."""
    return {
        "visits": node["visits"],
        "moves": [
            {
                "text": move["text"],
                "visits": move["visits"],
                "value": round(move["value"], 4),
                "child": None if move["child"] is None else _pruned(move["child"]),
            }
            for move in node["moves"]
        ],
    }


def summarize(results: Sequence[Result]) -> Summary:
    """Ask whether the flaw is there, whether White sees it, and which changes cure it."""
    values = by_cell(results)
    rows: dict[str, Row] = {}
    plain = values.get(cell_of(PLAIN, FEW), [])
    greedy = share_row(
        f"greedy move, {cell_of(PLAIN, FEW)}", *count_of(plain, HARD.greedy), FIGURES["greedy"]
    )
    answer = share_row(ANSWER, *count_of(values.get(ANSWER, []), HARD.correct), FIGURES["answer"])
    for label in ITERATIONS:
        for cure in CURES:
            cell = cell_of(cure, label)
            if cell in values:
                figure = FIGURES["right"] if (cure, label) == (PLAIN, FEW) else None
                rows[cell] = share_row(cell, *count_of(values[cell], HARD.correct), figure)
    checks = [
        below(rows.get(cell_of(PLAIN, FEW)), HARDLY, "the right move"),
        above(greedy, 0.5),
        above(answer, FIGURES["answer"]),
        more(rows.get(cell_of("widening by priors", FEW)), rows.get(cell_of(PLAIN, FEW))),
    ]
    shown = [row for row in (greedy, answer, *rows.values()) if row.count]
    return Summary.of(shown, checks, plots=_plots(values, rows), notes=_notes(rows))


def _plots(values: dict[str, list[JSON]], rows: dict[str, Row]) -> list[Plot]:
    plots = []
    if values.get(TREE):
        picture = draw_tree(values[TREE][0], right=HARD.correct, greedy=HARD.greedy)
        plots.append(Plot("tree", picture, _tree_caption(values[TREE][0])))
    bars = [Bar(row.cell, 100 * row.ours, 100 * row.low, 100 * row.high) for row in rows.values()]
    if bars:
        caption = "Right moves in the hard problem by what was changed, 95 %."
        plots.append(Plot("cures", interval_plot(bars, "right moves, per cent"), caption))
    return plots


def _tree_caption(tree: JSON) -> str:
    """Say what the tree shows: how much went to the greedy move, how little to its refutation."""
    words = [f"Two levels of the tree of one search, {tree['visits']:,} iterations."]
    for move in tree["moves"]:
        if move["text"] in (HARD.correct, HARD.greedy):
            words.append(f"Black's {move['text']}: {move['visits']} visits, {move['value']:.0%}.")
        for reply in (move["child"] or {"moves": []})["moves"]:
            if (move["text"], reply["text"]) == (HARD.greedy, HARD.correct):
                share = reply["visits"] / max(move["visits"], 1)
                words.append(
                    f"White's only answer to it, {reply['text']} (diamond), got "
                    f"{reply['visits']} of them, {share:.0%}."
                )
    return " ".join(words)


def _notes(rows: dict[str, Row]) -> list[str]:
    """Say which changes cure the flaw, help, or have no effect that is sure."""
    notes = []
    for label in ITERATIONS:
        base = rows.get(cell_of(PLAIN, label))
        if base is None:
            continue
        words: dict[str, list[str]] = {"cured": [], "helped": [], "not surely helped": []}
        for cure in CURES:
            row = rows.get(cell_of(cure, label))
            if row is None or cure == PLAIN:
                continue
            helped = difference(row, base)[1] > 0
            effect = "helped" if helped else "not surely helped"
            words["cured" if helped and row.ours > 0.9 else effect].append(
                f"{cure} ({row.ours:.0%})"
            )
        told = "; ".join(
            f"{state} by {', '.join(found)}" for state, found in words.items() if found
        )
        notes.append(f"With {label} iterations the flaw is {told}.")
    return notes


HARD_TSUMEGO = Experiment(
    name="hard-tsumego",
    document="000",
    section="7.4, figures 7.5 and 7.6",
    question="Why does the search fail at the hard problem, and what cures it?",
    claim="It chooses the greedy move most of the time (87 %) and the right one hardly ever (7 %), "
    "though White, asked directly, finds the refutation in more than 80 %; fewer moves a node "
    "should help.",
    figures={
        cell_of(PLAIN, FEW): FIGURES["right"],
        f"greedy move, {cell_of(PLAIN, FEW)}": FIGURES["greedy"],
        ANSWER: FIGURES["answer"],
    },
    trials=trials,
    run=run,
    summarize=summarize,
    cost={"quick": 0.15, "full": 12},
)
