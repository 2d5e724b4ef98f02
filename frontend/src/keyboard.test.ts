import { beforeEach, describe, expect, it } from "vitest";

import { newGameOpen, helpOpen } from "./dialogs";
import { goBack, goLast, pass, undo } from "./game/commands";
import { commandFor, followKeys } from "./keyboard";
import { navigate } from "./routes";
import { GAME_ID, sampleGame, samplePosition, sampleTree } from "./samples";
import { forgetGame, receive, view } from "./state";

beforeEach(() => {
  forgetGame();
  newGameOpen.value = null;
  helpOpen.value = false;
  navigate({ page: "game", game: GAME_ID });
});

function press(key: string, target: EventTarget = document.body, modifiers: KeyboardEventInit = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...modifiers });
  target.dispatchEvent(event);
  return event;
}

describe("commandFor", () => {
  it.each([
    ["ArrowLeft", goBack],
    ["End", goLast],
    ["p", pass],
    ["u", undo],
  ])("knows %s", (key, command) => {
    expect(commandFor(new KeyboardEvent("keydown", { key }))).toBe(command);
  });

  it("leaves the browser its own keys", () => {
    expect(commandFor(new KeyboardEvent("keydown", { key: "p", ctrlKey: true }))).toBeNull();
    expect(commandFor(new KeyboardEvent("keydown", { key: "x" }))).toBeNull();
  });

  it("means nothing on the start page or behind a dialog", () => {
    newGameOpen.value = "go";
    expect(commandFor(new KeyboardEvent("keydown", { key: "u" }))).toBeNull();
    newGameOpen.value = null;
    navigate({ page: "start" });
    expect(commandFor(new KeyboardEvent("keydown", { key: "u" }))).toBeNull();
  });
});

describe("followKeys", () => {
  it("steps through the game", () => {
    const stop = followKeys();
    receive(sampleGame({ head: 2, tree: sampleTree(), position: samplePosition({ node: 2 }) }));
    expect(press("ArrowLeft").defaultPrevented).toBe(true);
    expect(view.value).toBe(1);
    press("Home");
    expect(view.value).toBe(0);
    press("ArrowRight");
    expect(view.value).toBe(1);
    press("End");
    expect(view.value).toBe(2);
    stop();
    press("Home");
    expect(view.value).toBe(2);
  });

  it("does not take keys from a person who types", () => {
    const stop = followKeys();
    receive(sampleGame({ head: 2, tree: sampleTree(), position: samplePosition({ node: 2 }) }));
    const field = document.createElement("textarea");
    document.body.append(field);
    expect(press("Home", field).defaultPrevented).toBe(false);
    expect(view.value).toBe(2);
    field.remove();
    stop();
  });
});
