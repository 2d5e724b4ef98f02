/** Problems and answers of the solver in words. */

import { colorName } from "../boards/colors";
import type { Color, ProblemReply, SolutionReply } from "../messages";
import type { BoardOverlay, VariationMove } from "../overlay";
import { isOnBoard } from "../overlays";
import { count, phrase, t } from "../languages/language";

const TASKS: Readonly<Record<string, string>> = {
  lives: phrase("{color} to move and live"),
  seki: phrase("{color} to move and live in seki"),
  dies: phrase("{color} to move and kill"),
  ko: phrase("{color} to move and make a ko"),
};

/** What is to be done in a problem. */
export function taskText({ value, to_move }: Pick<ProblemReply, "value" | "to_move">): string {
  return t(TASKS[value] ?? phrase("{color} to move: find the best move"), {
    color: colorName("go", to_move),
  });
}

/** The name of a set of problems. */
export function setText(name: string): string {
  if (name === "montego") return t("Made and proven by Montego");
  return name === "games" ? t("From your own games") : name;
}

const VERDICTS: Readonly<Record<SolutionReply["value"], string>> = {
  lives: phrase("If {mover} moves first, they live."),
  dies: phrase("If {mover} moves first, they die."),
  seki: phrase("If {mover} moves first, they live in seki."),
  ko: phrase("If {mover} moves first, a ko decides."),
  unknown: phrase("It is not known what happens if {mover} moves first."),
};

function other(color: Color): Color {
  return color === "black" ? "white" : "black";
}

/** What the solver found, a sentence a line. */
export function solutionLines(reply: SolutionReply): string[] {
  const stones = count("{color}'s stone at {vertex}.|{color}'s {n} stones at {vertex}.", reply.target.length, {
    color: colorName("go", reply.defender),
    vertex: reply.target[0] ?? "",
  });
  const mover = colorName("go", reply.to_move);
  const lines = [stones, t(VERDICTS[reply.value], { mover })];
  if (reply.value === "ko" && reply.favors !== null) {
    const attacker = other(reply.defender);
    const winner = colorName("go", reply.favors === "defender" ? reply.defender : attacker);
    lines.push(t("Without threats {color} wins the ko.", { color: winner }));
  }
  if (reply.value !== "unknown") {
    lines.push(
      reply.proven
        ? t("This is proven.")
        : t("This is not proven: it holds if the outside is the attacker's."),
    );
  }
  if (reply.suggestion !== null) {
    lines.push(
      t("A search would play {move}, with a chance of {chance}%: no proof.", {
        move: reply.suggestion,
        chance: Math.round(100 * (reply.chance ?? 0)),
      }),
    );
  }
  if (reply.other !== "unknown") {
    lines.push(t(VERDICTS[reply.other], { mover: colorName("go", other(reply.to_move)) }));
  }
  return lines;
}

/** A line of play as numbered stones; a point that is played twice shows the first. */
export function lineOverlay(line: readonly string[], first: Color): BoardOverlay {
  const seen = new Set<string>();
  const variation: VariationMove[] = [];
  for (const [place, vertex] of line.entries()) {
    if (!isOnBoard(vertex) || seen.has(vertex)) continue;
    seen.add(vertex);
    variation.push({ vertex, color: place % 2 === 0 ? first : other(first), number: place + 1 });
  }
  return { variation };
}
