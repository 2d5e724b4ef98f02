import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { connect, play, send, startGame } from "./connection";
import type { Reply, Request } from "./messages";
import { navigate } from "./routes";
import { GAME_ID, sampleBook, sampleGame, samplePosition, sampleTree } from "./samples";
import {
  book,
  bookRequest,
  connected,
  failures,
  forgetGame,
  game,
  look,
  pendingMove,
  positions,
} from "./state";

class FakeSocket {
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Request[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as Request);
  }

  close() {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.();
  }

  open() {
    this.readyState = 1;
    this.onopen?.();
  }

  tell(reply: Reply) {
    this.onmessage?.({ data: JSON.stringify(reply) });
  }

  get types() {
    return this.sent.map(({ type }) => type);
  }
}

let stop: () => void;

function latest(): FakeSocket {
  return FakeSocket.all.at(-1)!;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  forgetGame();
  failures.value = [];
  navigate({ page: "start" });
  stop = connect("ws://montego/ws");
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("connect", () => {
  it("opens the game of the address, and leaves it for the start page", () => {
    latest().open();
    expect(latest().sent).toEqual([]);
    navigate({ page: "game", game: GAME_ID });
    expect(latest().sent).toMatchObject([{ type: "open_game", game: GAME_ID }]);
    navigate({ page: "start" });
    expect(latest().types).toEqual(["open_game", "leave_game"]);
  });

  it("asks for the position of the book that the address names, and again after a break", () => {
    latest().open();
    navigate({ page: "book", settings: "9-x-7.5", moves: ["E5"] });
    expect(latest().sent).toMatchObject([
      { type: "show_book", settings: "9-x-7.5", moves: ["E5"] },
    ]);
    latest().tell(sampleBook({ request: bookRequest.value }));
    expect(book.value?.visits).toBe(1500);
    latest().tell(sampleBook({ request: bookRequest.value - 1, visits: 7 }));
    expect(book.value?.visits).toBe(1500);
    latest().close();
    vi.advanceTimersByTime(300);
    latest().open();
    expect(latest().types).toEqual(["show_book"]);
  });

  it("leaves a game for the book", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(sampleGame());
    navigate({ page: "book", settings: "", moves: [] });
    expect(game.value).toBeNull();
    expect(latest().types).toEqual(["open_game", "leave_game", "show_book"]);
  });

  it("comes back later and later, and opens the game again", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(sampleGame());
    latest().close();
    expect(connected.value).toBe(false);
    expect(game.value).not.toBeNull();
    vi.advanceTimersByTime(299);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
    latest().close();
    vi.advanceTimersByTime(599);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(3);
    latest().open();
    expect(latest().types).toEqual(["open_game"]);
    expect(connected.value).toBe(true);
  });

  it("never sends a move a second time", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(sampleGame());
    play(0, "B2");
    expect(pendingMove.value?.move).toBe("B2");
    latest().close();
    expect(pendingMove.value).toBeNull();
    vi.advanceTimersByTime(300);
    latest().open();
    latest().tell(sampleGame());
    expect(latest().types).toEqual(["open_game"]);
  });

  it("tells the server when nobody can see the page, so that nothing thinks for nobody", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(sampleGame());
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(latest().sent.at(-1)).toMatchObject({ type: "presence", visible: false });
    visibility.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(latest().sent.at(-1)).toMatchObject({ type: "presence", visible: true });
    visibility.mockReturnValue("hidden");
    latest().close();
    vi.advanceTimersByTime(10_000);
    latest().open();
    expect(latest().types).toEqual(["open_game", "presence"]);
  });

  it("asks for the position of a node that is shown and not known", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(
      sampleGame({ head: 2, tree: sampleTree(), position: samplePosition({ node: 2 }) }),
    );
    look(1);
    expect(latest().sent.at(-1)).toMatchObject({ type: "show", node: 1 });
    latest().tell(samplePosition({ node: 1 }));
    expect(positions.value.has(1)).toBe(true);
    const asked = latest().sent.length;
    look(2);
    look(1);
    expect(latest().sent).toHaveLength(asked);
  });
});

describe("send", () => {
  it("numbers requests", () => {
    latest().open();
    const first = send({ type: "undo" });
    const second = send({ type: "undo" });
    expect(second).toBe(first + 1);
    expect(latest().sent.at(-1)).toEqual({ type: "undo", request: second });
  });

  it("says so when there is no connection", () => {
    expect(send({ type: "undo" })).toBe(0);
    expect(failures.value).toHaveLength(1);
    expect(latest().sent).toEqual([]);
    latest().open();
    expect(failures.value).toEqual([]);
  });
});

describe("startGame", () => {
  it("waits for the connection and is sent once", () => {
    startGame({ type: "new_game", size: 9 });
    latest().open();
    expect(latest().types).toEqual(["new_game"]);
    latest().close();
    vi.advanceTimersByTime(300);
    latest().open();
    expect(latest().types).toEqual([]);
  });

  it("does not open once more the game that it began", () => {
    latest().open();
    startGame({ type: "new_game", size: 9 });
    latest().tell(sampleGame());
    expect(game.value?.id).toBe(GAME_ID);
    expect(latest().types).toEqual(["new_game"]);
  });
});

describe("play", () => {
  it("shows the stone at once and takes it back on failure", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(sampleGame());
    play(0, "B2");
    expect(pendingMove.value).toMatchObject({ node: 0, move: "B2", color: "black" });
    latest().tell({ type: "error", message: "no", request: pendingMove.value!.request });
    expect(pendingMove.value).toBeNull();
    expect(failures.value.map(({ text }) => text)).toEqual(["no"]);
  });

  it("sends one move at a time", () => {
    navigate({ page: "game", game: GAME_ID });
    latest().open();
    latest().tell(sampleGame());
    play(0, "B2");
    play(0, "A1");
    expect(latest().types).toEqual(["open_game", "play"]);
  });
});
