import { beforeEach, describe, expect, it } from "vitest";

import { navigate, route } from "./routes";
import { GAME_ID, sampleGame, samplePosition, sampleTree, sampleWelcome } from "./samples";
import {
  analysis,
  awaitedGame,
  dismiss,
  estimate,
  failures,
  forgetGame,
  game,
  games,
  line,
  look,
  lookAtHead,
  missing,
  openRequest,
  pendingMove,
  positions,
  progress,
  receive,
  shownPosition,
  step,
  view,
  welcome,
} from "./state";

const AFTER_TWO = { head: 2, tree: sampleTree(), position: samplePosition({ node: 2 }) };

beforeEach(() => {
  forgetGame();
  failures.value = [];
  awaitedGame.value = null;
  openRequest.value = 0;
  missing.value = "";
  navigate({ page: "game", game: GAME_ID });
});

describe("receive", () => {
  it("takes the welcome and its list of games", () => {
    const summary = {
      id: GAME_ID,
      name: "Go",
      kind: "go" as const,
      size: 3,
      black: "human" as const,
      white: "montego" as const,
      moves: 0,
      phase: "playing" as const,
      result: null,
      changed: 0,
      winner: null,
      level: null,
      opening: [],
      archived: false,
      cells: ".........",
    };
    receive(sampleWelcome({ games: [summary] }));
    expect(welcome.value?.version).toBe("1.0");
    expect(games.value).toEqual([summary]);
    receive({ type: "games", games: [] });
    expect(games.value).toEqual([]);
  });

  it("shows progress until its text is empty", () => {
    receive({ type: "progress", text: "Compiling", part: 0.5 });
    expect(progress.value?.text).toBe("Compiling");
    receive({ type: "progress", text: "", part: null });
    expect(progress.value).toBeNull();
  });

  it("knows the position at the head of a game", () => {
    receive(sampleGame(AFTER_TWO));
    expect(view.value).toBe(2);
    expect(shownPosition.value?.node).toBe(2);
  });

  it("drops what concerns another game", () => {
    receive(sampleGame({ id: "ffffffffffffffff" }));
    expect(game.value).toBeNull();
    receive(sampleGame());
    receive(samplePosition({ game: "ffffffffffffffff", node: 1 }));
    expect(positions.value.has(1)).toBe(false);
  });

  it("opens the new game that was asked for", () => {
    navigate({ page: "start" });
    awaitedGame.value = 7;
    receive(sampleGame({ id: "aaaaaaaaaaaaaaaa" }));
    expect(route.value).toEqual({ page: "game", game: "aaaaaaaaaaaaaaaa" });
    expect(game.value?.id).toBe("aaaaaaaaaaaaaaaa");
    expect(awaitedGame.value).toBeNull();
  });

  it("does not leave for a game that nobody asked for", () => {
    navigate({ page: "start" });
    receive(sampleGame());
    expect(route.value).toEqual({ page: "start" });
  });

  it("keeps the latest report of each node", () => {
    receive(sampleGame());
    const report = {
      type: "analysis" as const,
      game: GAME_ID,
      node: 0,
      to_play: "black" as const,
      purpose: "analysis" as const,
      apart: false,
      simulations: 10,
      visits: 0,
      seconds: 1,
      value: 0.5,
      score: null,
      moves: [],
      ownership: null,
      final: false,
    };
    receive(report);
    receive({ ...report, simulations: 20 });
    receive({ ...report, node: 1 });
    expect(analysis.value.get(0)?.simulations).toBe(20);
    expect(analysis.value.size).toBe(2);
  });

  it("forgets an estimate when the game goes on", () => {
    receive(sampleGame());
    receive({
      type: "estimate",
      game: GAME_ID,
      node: 0,
      score: 1,
      text: "Black is ahead",
      ownership: [],
      dead: [],
    });
    expect(estimate.value).not.toBeNull();
    receive(sampleGame(AFTER_TWO));
    expect(estimate.value).toBeNull();
  });
});

describe("failures", () => {
  it("are shown once and can be dismissed", () => {
    receive({ type: "error", message: "no such point", request: 3 });
    receive({ type: "error", message: "no such point", request: 4 });
    expect(failures.value.map(({ text }) => text)).toEqual(["no such point"]);
    dismiss(failures.value[0]!.id);
    expect(failures.value).toEqual([]);
  });

  it("take back the stone that was shown in advance", () => {
    receive(sampleGame());
    pendingMove.value = { request: 5, node: 0, move: "B2", color: "black" };
    receive({ type: "error", message: "another", request: 4 });
    expect(pendingMove.value).not.toBeNull();
    receive({ type: "error", message: "occupied", request: 5 });
    expect(pendingMove.value).toBeNull();
  });

  it("say why the game of the address is not there", () => {
    openRequest.value = 9;
    receive({ type: "error", message: "there is no such game", request: 9 });
    expect(missing.value).toBe("there is no such game");
    expect(failures.value).toEqual([]);
  });
});

describe("the view", () => {
  it("follows the head until somebody looks elsewhere", () => {
    receive(sampleGame(AFTER_TWO));
    look(1);
    expect(view.value).toBe(1);
    receive(sampleGame({ ...AFTER_TWO, head: 3, position: samplePosition({ node: 3 }) }));
    expect(view.value).toBe(1);
    lookAtHead();
    expect(view.value).toBe(3);
  });

  it("shows the last position known while another is on its way", () => {
    receive(sampleGame(AFTER_TWO));
    expect(shownPosition.value?.node).toBe(2);
    look(1);
    expect(shownPosition.value?.node).toBe(2);
    receive(samplePosition({ node: 1 }));
    expect(shownPosition.value?.node).toBe(1);
  });

  it("steps along the line that was looked at, not beyond its ends", () => {
    receive(sampleGame(AFTER_TWO));
    look(3);
    step(-Infinity);
    expect(view.value).toBe(0);
    step(-1);
    expect(view.value).toBe(0);
    expect(line.value.map(({ id }) => id)).toEqual([0, 1, 3]);
    step(Infinity);
    expect(view.value).toBe(3);
  });

  it("goes to the move that was played, also in a variation", () => {
    receive(sampleGame({ ...AFTER_TWO, mode: "analysis" }));
    look(1);
    pendingMove.value = { request: 1, node: 1, move: "C2", color: "white" };
    const played = { id: 4, parent: 1, move: "C2", color: "white" as const, number: 2 };
    receive(
      sampleGame({
        mode: "analysis",
        head: 4,
        tree: [...sampleTree(), played],
        position: samplePosition({ node: 4 }),
      }),
    );
    expect(pendingMove.value).toBeNull();
    expect(view.value).toBe(4);
  });

  it("returns to the head when its node was deleted", () => {
    receive(sampleGame(AFTER_TWO));
    look(3);
    receive(sampleGame({ ...AFTER_TWO, tree: sampleTree().slice(0, 3) }));
    expect(view.value).toBe(2);
  });
});

describe("positions", () => {
  it("are forgotten when the number of a node means another move", () => {
    receive(sampleGame(AFTER_TWO));
    receive(samplePosition({ node: 1 }));
    receive(samplePosition({ node: 3 }));
    const tree = sampleTree().map((node) => (node.id === 3 ? { ...node, move: "A3" } : node));
    receive(sampleGame({ ...AFTER_TWO, tree }));
    expect(positions.value.has(1)).toBe(true);
    expect(positions.value.has(3)).toBe(false);
  });

  it("are forgotten with the mode, which decides what may be played", () => {
    receive(sampleGame(AFTER_TWO));
    receive(samplePosition({ node: 1 }));
    receive(sampleGame({ ...AFTER_TWO, mode: "analysis" }));
    expect([...positions.value.keys()]).toEqual([2]);
  });
});
