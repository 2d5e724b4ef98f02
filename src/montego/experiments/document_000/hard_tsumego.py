"""The hard problem that shows the flaw: why it fails, what cures it, where in the tree (7.4)."""

from __future__ import annotations

import json
import statistics
from html import escape
from typing import TYPE_CHECKING

from montego.arena.drawing import PALETTE, WIDTH, interval_plot, svg_text
from montego.experiments.document_000.problems import (
    AVERAGE,
    EASY,
    HARD,
    ask,
    count_of,
    position,
    right_rows,
)
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, cell_map, interleaved
from montego.experiments.figures import Row, share_row
from montego.experiments.games import new_search
from montego.experiments.verdict import above, below, difference, more
from montego.mcts.picture import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult


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
CURED = cell_map("{}, {} iterations", CURES, ITERATIONS)


def _iterations(scale: Scale) -> dict[str, int]:
    return ITERATIONS if scale == "full" else {FEW: ITERATIONS[FEW]}


ANSWER = "White's answer"
TREE = "tree"
PLAIN_FEW = CURED[PLAIN, FEW]
GREEDY = f"greedy move, {PLAIN_FEW}"
FIGURES = {PLAIN_FEW: 0.07, GREEDY: 0.87, ANSWER: 0.8}
HARDLY = 0.15
"""Right moves that are still hardly any. The problem is composed: the document's own shares are of
another position, and only what they say of it is checked."""
BATCH = {"full": 10, "quick": 5}
BATCHES = {"full": 20, "quick": 3}


def _cure_trials(scale: Scale) -> list[Trial]:
    cells = {
        CURED[cure, label]: HARD.trial_settings(count, BATCH[scale], **search)
        for label, count in _iterations(scale).items()
        for cure, search in CURES.items()
    }
    cells[ANSWER] = HARD.trial_settings(1000, BATCH[scale], moves=(HARD.greedy,))
    tree = interleaved({TREE: HARD.trial_settings(ITERATIONS[FEW], 1)}, 1)
    return [*tree, *interleaved(cells, BATCHES[scale])]


def ask_or_show(trial: Trial) -> JSON:
    """Return the chosen moves; or of one search the two upper levels of its tree."""
    if trial.cell != TREE:
        return ask(trial)
    state = position(trial.settings["diagram"], trial.settings["moves"])
    search = new_search(trial.settings["player"], trial.seed, state, early_stop=False)
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


def _summarize_cures(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows([each for each in results if each.trial.cell != TREE], FIGURES)
    values = by_cell(results)
    answer = rows.pop(ANSWER, share_row(ANSWER, 0, 0))
    greedy_moves = count_of(values.get(PLAIN_FEW, []), HARD.greedy)
    greedy = share_row(GREEDY, *greedy_moves, FIGURES[GREEDY])
    checks = [
        below(rows.get(PLAIN_FEW), HARDLY, "the right move"),
        above(greedy, 0.5),
        above(answer, FIGURES[ANSWER]),
        more(rows.get(CURED["widening by priors", FEW]), rows.get(PLAIN_FEW)),
    ]
    plots = [Plot("tree", draw_tree(tree), _tree_caption(tree)) for tree in values.get(TREE, [])]
    caption = "Right moves in the hard problem by what was changed, 95 %."
    chart = interval_plot([row.bar for row in rows.values()], "right moves, per cent")
    plots.append(Plot("cures", chart, caption))
    shown = [row for row in (greedy, answer, *rows.values()) if row.count]
    return Summary.of(shown, checks, plots=plots, notes=_effects(rows))


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


def _effects(rows: Mapping[str, Row]) -> list[str]:
    """Say which changes cure the flaw, help, or have no effect that is sure."""
    notes = []
    for label in ITERATIONS:
        found = {cure: row for cure in CURES if (row := rows.get(CURED[cure, label]))}
        base = found.pop(PLAIN, None)
        if base is None:
            continue
        words: dict[str, list[str]] = {"cured": [], "helped": [], "not surely helped": []}
        for cure, row in found.items():
            helped = "cured" if row.ours > 0.9 else "helped"
            effect = helped if difference(row, base)[1] > 0 else "not surely helped"
            words[effect].append(f"{cure} ({row.ours:.0%})")
        told = [f"{effect} by {', '.join(cures)}" for effect, cures in words.items() if cures]
        notes.append(f"With {label} iterations the flaw is {'; '.join(told)}.")
    return notes


HARD_TSUMEGO = Experiment(
    name="hard-tsumego",
    document="000",
    section="7.4, figures 7.5 and 7.6",
    question="Why does the search fail at the hard problem, and what cures it?",
    claim="It chooses the greedy move most of the time (87 %) and the right one hardly ever (7 %), "
    "though White, asked directly, finds the refutation in more than 80 %; fewer moves a node "
    "should help.",
    figures=FIGURES,
    trials=_cure_trials,
    run=ask_or_show,
    summarize=_summarize_cures,
    cost={"quick": 0.15, "full": 12},
)

# The picture of a tree, after figure 7.5.
CHILDREN = 3
"""Moves shown of a node; one that the text speaks of is shown in any case."""
BOX, TALL = 40, 36
HEIGHTS = (26, 120, 230)
THICKEST = 7.0


def draw_tree(tree: JSON) -> str:
    """Return the most visited moves of two levels; the right one is a diamond wherever it stands.

    Lines are the thicker the more visits went along them. A node says its move, the visits, and the
    value for whoever made the move.
    """
    firsts = _chosen(tree["moves"], (HARD.correct, HARD.greedy))
    replies = [
        _chosen(move["child"]["moves"] if move["child"] else [], (HARD.correct,)) for move in firsts
    ]
    leaves = sum(max(1, len(found)) for found in replies)
    step = (WIDTH - 20) / max(leaves, 1)
    visits = max(tree["visits"], 1)
    root = (WIDTH / 2, HEIGHTS[0])
    lines: list[str] = []
    nodes = [_node(root, ["Black to play", f"{tree['visits']:,}"], PALETTE[7])]
    left = 10.0
    for move, found in zip(firsts, replies, strict=True):
        width = step * max(1, len(found))
        place = (left + width / 2, HEIGHTS[1])
        lines.append(_line(root, place, move["visits"] / visits))
        nodes.append(_move(place, move, PALETTE[0]))
        for number, reply in enumerate(found):
            below_it = (left + step * (number + 0.5), HEIGHTS[2])
            lines.append(_line(place, below_it, reply["visits"] / visits))
            nodes.append(_move(below_it, reply, PALETTE[1]))
        left += width
    return svg_text(HEIGHTS[-1] + 40, [*lines, *nodes])


def _chosen(moves: Sequence[JSON], wanted: Sequence[str]) -> list[JSON]:
    """Return the most visited moves, and those that are wanted."""
    return [
        move for number, move in enumerate(moves) if number < CHILDREN or move["text"] in wanted
    ]


def _move(place: tuple[float, int], move: JSON, color: str) -> str:
    words = [move["text"], f"{move['visits']:,}", f"{100 * move['value']:.0f} %"]
    return _node(place, words, color, is_diamond=move["text"] == HARD.correct)


def _node(
    place: tuple[float, int], words: Sequence[str], color: str, *, is_diamond: bool = False
) -> str:
    x, y = place
    if is_diamond:
        half, tall = BOX * 0.8, TALL * 0.85
        points = f"{x - half:.1f},{y} {x:.1f},{y - tall} {x + half:.1f},{y} {x:.1f},{y + tall}"
        shape = f'<polygon points="{points}" fill="Canvas" stroke="{color}" stroke-width="2.5"/>'
    else:
        wide = BOX * (2.4 if len(words) == 2 else 1)
        shape = (
            f'<rect x="{x - wide / 2:.1f}" y="{y - TALL / 2}" width="{wide:.1f}" height="{TALL}" '
            f'rx="5" fill="Canvas" stroke="{color}"/>'
        )
    first = y + 4 - 5.5 * (len(words) - 1)
    texts = "".join(
        f'<text x="{x:.1f}" y="{first + 11 * number:.1f}" font-size="9.5" text-anchor="middle">'
        f"{escape(word)}</text>"
        for number, word in enumerate(words)
    )
    return f"<g>{shape}{texts}</g>"


def _line(begin: tuple[float, int], end: tuple[float, int], share: float) -> str:
    width = max(THICKEST * share**0.5, 0.6)
    return (
        f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="currentColor" stroke-opacity="0.45" stroke-width="{width:.1f}"/>'
    )


# The same answer at the first and at the second level of the tree, in three grades of problems.
WRONG = {EASY: "C9", AVERAGE: "A8", HARD: HARD.greedy}
"""A wrong move of Black's in each problem, which White refutes at the problem's key point alone."""
FIRST, SECOND = "level one", "level two"
LEVELS = cell_map(
    "{}, {}, {:,} iterations",
    [problem.name for problem in WRONG],
    (FIRST, SECOND),
    ITERATIONS.values(),
)
FOUND_CELL = LEVELS[HARD.name, FIRST, 1000]
FOUND = 0.8
"""The document's share of right answers in the hard problem, asked at level one."""
FULL = 0.95
"""Right answers at both levels from which on 200 searches could hardly tell them apart."""
LEVEL_TRIALS = {"quick": 2, "full": 20}


def _level_trials(scale: Scale) -> list[Trial]:
    cells = {}
    for iterations in _iterations(scale).values():
        for problem, wrong in WRONG.items():
            for level in (FIRST, SECOND):
                settings = problem.trial_settings(iterations, BATCH[scale], early_stop=False)
                settings |= {"level": level, "wrong": wrong, "answer": problem.correct}
                cells[LEVELS[problem.name, level, iterations]] = settings
    return interleaved(cells, LEVEL_TRIALS[scale])


def ask_at_level(trial: Trial) -> JSON:
    """Return for each search whether White's answer is right, and its visits to choose it by."""
    settings = trial.settings
    before = settings["moves"] + [settings["wrong"]] * (settings["level"] == FIRST)
    state = position(settings["diagram"], before)
    right, visits = [], []
    for number in range(settings["searches"]):
        search = new_search(settings["player"], trial.seed + number, state)
        search.run()
        node = json.loads(to_json(search, depth=2))
        if settings["level"] == SECOND:
            moves = (move for move in node["moves"] if move["text"] == settings["wrong"])
            node = next(moves)["child"]
        answers = [] if node is None else node["moves"]
        best = max(answers, key=lambda move: move["visits"], default=None)
        right.append(best is not None and best["text"] == settings["answer"])
        visits.append(sum(move["visits"] for move in answers))
    return {"right": right, "visits": visits}


def _summarize_levels(results: Sequence[TrialResult]) -> Summary:
    rows, visits = {}, {}
    for cell, values in by_cell(results).items():
        right = [answer for value in values for answer in value["right"]]
        rows[cell] = share_row(cell, sum(right), len(right), FOUND if cell == FOUND_CELL else None)
        visits[cell] = statistics.fmean(count for value in values for count in value["visits"])
    checks, notes = [], []
    for iterations in ITERATIONS.values():
        for problem in WRONG:
            first, second = (
                rows.get(LEVELS[problem.name, level, iterations]) for level in (FIRST, SECOND)
            )
            if first is None or second is None:
                continue
            # Where both nearly always find it there is nothing to see.
            if min(first.ours, second.ours) < FULL:
                checks.append(more(first, second))
            notes.append(
                f"{problem.name.capitalize()}, {iterations:,} iterations: White's answer was "
                f"chosen by {visits[first.cell]:,.0f} visits at level one and by "
                f"{visits[second.cell]:,.0f} at level two."
            )
    if FOUND_CELL in rows:
        checks.append(above(rows[FOUND_CELL], FOUND))
    chart = interval_plot([row.bar for row in rows.values()], "% right answers of White")
    plots = [Plot("answers", chart, "White's right answers, asked or foreseen.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=notes)


TREE_LEVELS = Experiment(
    name="tree-levels",
    document="000",
    section="7.4",
    question="Is an answer found at the second level of the tree that is found at the first?",
    claim="White's answer to the greedy move is found in more than 80 % of searches that begin "
    "after it, but not two levels deep, where nodes have far fewer visits.",
    figures={FOUND_CELL: FOUND},
    trials=_level_trials,
    run=ask_at_level,
    summarize=_summarize_levels,
    cost={"quick": 0.1, "full": 5.0},
)
