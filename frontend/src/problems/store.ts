/** What the page knows of problems, and of a position that is being solved. */

import { signal } from "@preact/signals";

import type { Position, ProblemReply, ProblemResult, ProblemsFound, SolutionReply, Standing } from "../messages";

export const problem = signal<ProblemReply | null>(null);
/** What came of the last try at it. */
export const result = signal<ProblemResult | null>(null);
export const standing = signal<Standing | null>(null);
/** What looking through the games found; null before, and while it goes on. */
export const found = signal<ProblemsFound | null>(null);
/** The request that the page waits for, or 0. */
export const waiting = signal(0);

/** What the solver said of a position of the game that is watched. */
export const solution = signal<SolutionReply | null>(null);
/** The stones that are to be solved: a click on the board picks others; null while none are picked. */
export const picked = signal<ReadonlySet<string> | null>(null);
/** The request to the solver that is under way, or 0. */
export const solving = signal(0);

/** Take in what the server says of problems. */
export function receiveProblem(reply: ProblemReply | ProblemResult | ProblemsFound | SolutionReply): void {
  switch (reply.type) {
    case "problem":
      problem.value = reply;
      result.value = null;
      waiting.value = 0;
      break;
    case "problem_result":
      if (reply.problem === problem.value?.problem) result.value = reply;
      waiting.value = 0;
      break;
    case "problems_found":
      found.value = reply;
      waiting.value = 0;
      break;
    case "solution":
      solution.value = reply;
      picked.value = null;
      solving.value = 0;
      return;
  }
  if (reply.standing !== null) standing.value = reply.standing;
}

/** A request failed: nothing is waited for any more. */
export function giveUp(request: number): void {
  if (waiting.value === request) waiting.value = 0;
  if (solving.value === request) solving.value = 0;
}

/** Forget what belongs to the game that was watched. */
export function forgetSolution(): void {
  solution.value = null;
  picked.value = null;
  solving.value = 0;
}

/** Pick the chain at a point for the solver, or put it back. */
export function pickChain(position: Position, vertex: string, chain: readonly string[]): void {
  const before = picked.value;
  if (before === null || chain.length === 0 || position.width === 0) return;
  const next = new Set(before);
  const isPicked = before.has(vertex);
  for (const stone of chain) {
    if (isPicked) next.delete(stone);
    else next.add(stone);
  }
  picked.value = next;
}
