import { afterEach, describe, expect, it } from "vitest";

import type { ProblemResult, SolutionReply, Standing } from "../messages";
import { samplePosition } from "../samples";
import { chainAt, picking, withPicked } from "./picking";
import { forgetSolution, giveUp, picked, problem, receiveProblem, result, solution, solving, standing, waiting } from "./store";
import { lineOverlay, setText, solutionLines, taskText } from "./wording";

const STANDING: Standing = {
  rating: 1234,
  streak: 2,
  history: [1200, 1234],
  grades: [],
  sets: [{ name: "montego", total: 3, tried: 1, due: 0 }],
  trouble: "",
};

const RESULT: ProblemResult = {
  type: "problem_result",
  request: 2,
  problem: "montego/1-001",
  move: "A1",
  right: false,
  correct: ["B1"],
  line: ["A1", "B1"],
  proven: true,
  standing: STANDING,
};

const SOLUTION: SolutionReply = {
  type: "solution",
  game: "0123456789abcdef",
  node: 0,
  defender: "white",
  to_move: "black",
  target: ["A1", "A2"],
  value: "dies",
  proven: true,
  favors: null,
  threats: null,
  other: "lives",
  outside: "closed",
  moves: [],
  suggestion: null,
  line: [],
  chance: null,
  nodes: 12,
};

afterEach(() => {
  problem.value = null;
  result.value = null;
  standing.value = null;
  waiting.value = 0;
  forgetSolution();
});

describe("what the server says of problems", () => {
  it("is for the problem that is shown", () => {
    waiting.value = 2;
    receiveProblem(RESULT);
    expect(result.value).toBeNull();
    expect(standing.value?.rating).toBe(1234);
    expect(waiting.value).toBe(0);
  });

  it("ends the waiting when it is a refusal", () => {
    waiting.value = 5;
    solving.value = 6;
    giveUp(5);
    expect([waiting.value, solving.value]).toEqual([0, 6]);
    giveUp(6);
    expect(solving.value).toBe(0);
  });

  it("puts the picked stones away once they are solved", () => {
    picked.value = new Set(["A1"]);
    receiveProblem(SOLUTION);
    expect(picked.value).toBeNull();
    expect(solution.value).toBe(SOLUTION);
  });
});

describe("words", () => {
  it("say what is to be done", () => {
    expect(taskText({ value: "dies", to_move: "black" })).toBe("Black to move and kill");
    expect(taskText({ value: "", to_move: "white" })).toBe("White to move: find the best move");
    expect(setText("mine")).toBe("mine");
  });

  it("say what the solver found", () => {
    expect(solutionLines(SOLUTION)).toEqual([
      "White's 2 stones at A1.",
      "If Black moves first, they die.",
      "This is proven.",
      "If White moves first, they live.",
    ]);
    const unsure = { ...SOLUTION, value: "unknown", other: "unknown", suggestion: "B1", chance: 0.61 } as const;
    expect(solutionLines(unsure).at(-1)).toBe("A search would play B1, with a chance of 61%: no proof.");
    const ko = { ...SOLUTION, value: "ko", favors: "attacker", proven: false } as const;
    expect(solutionLines(ko)).toContain("Without threats Black wins the ko.");
  });
});

describe("on the board", () => {
  it("a line is numbered stones, without passes and what is played again", () => {
    const { variation } = lineOverlay(["A1", "pass", "B1", "A1"], "black");
    expect(variation).toEqual([
      { vertex: "A1", color: "black", number: 1 },
      { vertex: "B1", color: "black", number: 3 },
    ]);
  });

  it("a click picks a whole chain, and puts it back", () => {
    const position = samplePosition({ cells: "XX.O.X..." });
    expect(chainAt(position, "A3").sort()).toEqual(["A3", "B3"]);
    expect(chainAt(position, "C3")).toEqual([]);
    expect(picking(position)).toBeNull();
    picked.value = new Set();
    picking(position)?.("B3");
    picking(position)?.("C3");
    expect([...picked.peek() ?? []].sort()).toEqual(["A3", "B3"]);
    expect(withPicked({}).marks?.get("A3")).toBe("circle");
    picking(position)?.("A3");
    expect(picked.peek()?.size).toBe(0);
  });
});
