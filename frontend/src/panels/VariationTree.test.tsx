import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { send } from "../connection";
import { question } from "../dialogs";
import { connected, forgetGame, game, look, view } from "../state";
import { PAUSE } from "./CommentBox";
import { sampleGame, sampleTree } from "./samples";
import { VariationTree } from "./VariationTree";

vi.mock("../connection", () => ({ send: vi.fn(() => 1), play: vi.fn() }));

const tree = sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3", "4 1 G7", "5 4 C7");

beforeEach(() => {
  connected.value = true;
  game.value = sampleGame(tree, { head: 3 });
});
afterEach(() => {
  cleanup();
  forgetGame();
  question.value = null;
  vi.mocked(send).mockClear();
});

const item = (name: RegExp) => screen.getByRole("treeitem", { name });

describe("VariationTree", () => {
  it("marks the node shown and the head, and says which have comments", async () => {
    game.value = sampleGame(
      tree.map((node) => (node.id === 4 ? { ...node, comment: "Bold." } : node)),
      { head: 3 },
    );
    render(<VariationTree />);
    look(2);
    await waitFor(() => expect(item(/move 2, White E5/).getAttribute("aria-selected")).toBe("true"));
    expect(item(/where the game stands/).id).toBe("tree-node-3");
    expect(item(/with a comment/).id).toBe("tree-node-4");
  });

  it("goes to a node that is clicked", () => {
    render(<VariationTree />);
    fireEvent.click(item(/move 3, Black C7/));
    expect(view.value).toBe(5);
  });

  it("follows the arrow keys, and keeps them from the page", () => {
    render(<VariationTree />);
    const onPage = vi.fn();
    window.addEventListener("keydown", onPage);
    const press = (key: string) => fireEvent.keyDown(screen.getByRole("tree"), { key });
    press("ArrowDown");
    expect(view.value).toBe(5);
    press("ArrowLeft");
    expect(view.value).toBe(4);
    press("ArrowUp");
    expect(view.value).toBe(2);
    press("ArrowRight");
    expect(view.value).toBe(3);
    press("ArrowRight");
    expect(view.value).toBe(3);
    expect(onPage).not.toHaveBeenCalled();
    press("p");
    expect(onPage).toHaveBeenCalledOnce();
    window.removeEventListener("keydown", onPage);
  });

  it("deletes a variation after asking", async () => {
    render(<VariationTree />);
    look(4);
    const button = screen.getByRole("button", { name: "Delete from here" });
    fireEvent.click(button);
    expect(question.value?.text).toContain("move 2, White G7, and 1 move that follows");
    question.value?.answer(false);
    await Promise.resolve();
    expect(send).not.toHaveBeenCalled();
    fireEvent.click(button);
    question.value?.answer(true);
    await waitFor(() => expect(send).toHaveBeenCalledWith({ type: "delete_node", node: 4 }));
    expect(view.value).toBe(1);
  });

  it("does not delete the beginning", async () => {
    render(<VariationTree />);
    look(0);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Delete from here" })).toHaveProperty("disabled", true),
    );
    fireEvent.keyDown(screen.getByRole("tree"), { key: "Delete" });
    expect(question.value).toBeNull();
  });

  it("draws only what is in sight of a large tree", () => {
    const lines = ["0", ...Array.from({ length: 3000 }, (_, id) => `${id + 1} ${id} D4`)];
    game.value = sampleGame(sampleTree(...lines), { head: 0 });
    render(<VariationTree />);
    expect(screen.getAllByRole("treeitem").length).toBeLessThan(60);
  });
});

describe("comments", () => {
  const box = () => screen.getByRole("textbox");

  it("are kept when one stops typing", () => {
    vi.useFakeTimers();
    render(<VariationTree />);
    fireEvent.input(box(), { target: { value: "Good" } });
    fireEvent.input(box(), { target: { value: "Good shape" } });
    vi.advanceTimersByTime(PAUSE);
    expect(vi.mocked(send).mock.calls).toEqual([
      [{ type: "set_comment", node: 3, text: "Good shape" }],
    ]);
    vi.useRealTimers();
  });

  it("stay with their node while one writes, whatever is shown meanwhile", async () => {
    vi.useFakeTimers();
    render(<VariationTree />);
    fireEvent.focus(box());
    fireEvent.input(box(), { target: { value: "Good" } });
    look(1);
    vi.advanceTimersByTime(PAUSE / 2);
    fireEvent.input(box(), { target: { value: "Good shape" } });
    vi.advanceTimersByTime(PAUSE);
    expect(vi.mocked(send).mock.calls).toEqual([
      [{ type: "set_comment", node: 3, text: "Good shape" }],
    ]);
    fireEvent.blur(box());
    vi.useRealTimers();
    await waitFor(() => expect(box()).toHaveProperty("value", ""));
  });

  it("are kept for their node when another one is shown", async () => {
    render(<VariationTree />);
    fireEvent.input(box(), { target: { value: "Good shape" } });
    look(1);
    await waitFor(() =>
      expect(send).toHaveBeenCalledWith({ type: "set_comment", node: 3, text: "Good shape" }),
    );
    expect(box()).toHaveProperty("value", "");
  });

  it("are not sent when nothing changed", () => {
    render(<VariationTree />);
    fireEvent.blur(box());
    expect(send).not.toHaveBeenCalled();
  });
});
