import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import * as connection from "../connection";
import { newGameOpen } from "../dialogs";
import { sampleWelcome } from "../samples";
import { welcome } from "../state";
import { DEFAULT_CHOICES, lastChoices } from "./newGame";
import { NewGameDialog } from "./NewGameDialog";

beforeEach(() => {
  welcome.value = sampleWelcome();
  lastChoices.value = DEFAULT_CHOICES;
  newGameOpen.value = "go";
});

afterEach(cleanup);

function startButton() {
  return screen.getByRole<HTMLButtonElement>("button", { name: "Start game", hidden: true });
}

it("begins the game that was chosen and remembers it", () => {
  const start = vi.spyOn(connection, "startGame").mockReturnValue();
  render(<NewGameDialog />);
  fireEvent.click(screen.getByLabelText("13×13"));
  fireEvent.click(screen.getByLabelText("White"));
  fireEvent.input(screen.getByRole("slider", { hidden: true }), { target: { value: "2" } });
  fireEvent.submit(startButton().form!);
  expect(start.mock.calls[0]?.[0]).toMatchObject({
    size: 13,
    black: "montego",
    white: "human",
    strength: { level: "1k" },
  });
  expect(newGameOpen.value).toBeNull();
  expect(lastChoices.value.size).toBe("13");
});

it("explains what is wrong, and does not begin", () => {
  const start = vi.spyOn(connection, "startGame").mockReturnValue();
  render(<NewGameDialog />);
  fireEvent.click(screen.getByLabelText("Other"));
  const field = screen.getByLabelText("Size, 2 to 25");
  fireEvent.input(field, { target: { value: "99" } });
  expect(screen.getByText("The size must be from 2 to 25.").id).toBe(
    field.getAttribute("aria-describedby"),
  );
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(startButton().disabled).toBe(true);
  fireEvent.submit(startButton().form!);
  expect(start).not.toHaveBeenCalled();
});

it("offers the engine only if there is one", () => {
  const { unmount } = render(<NewGameDialog />);
  expect(screen.queryByText("You against GNU Go")).toBeNull();
  unmount();
  welcome.value = sampleWelcome({ engine: "GNU Go" });
  render(<NewGameDialog />);
  expect(screen.getByText("You against GNU Go")).toBeTruthy();
});

it("shows no rules for a game that has none", () => {
  render(<NewGameDialog />);
  expect(screen.getByText("Komi")).toBeTruthy();
  fireEvent.click(screen.getByLabelText("Tic-tac-toe"));
  expect(screen.queryByText("Komi")).toBeNull();
  expect(screen.queryByText("Board")).toBeNull();
});

it("lets Montego play as a program of the documents, in Go alone", () => {
  const start = vi.spyOn(connection, "startGame").mockReturnValue();
  render(<NewGameDialog />);
  fireEvent.click(screen.getByLabelText("Program"));
  expect(screen.getByText("Document 000: plain UCT")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Plays as"), { target: { value: "mogo" } });
  fireEvent.submit(startButton().form!);
  expect(start.mock.calls.at(-1)?.[0]).toMatchObject({ strength: { preset: "mogo" } });
  cleanup();
  newGameOpen.value = "hex";
  render(<NewGameDialog />);
  expect(screen.queryByLabelText("Program")).toBeNull();
  expect(screen.getByLabelText("Time for a move")).toBeTruthy();
});

it("offers the hybrid only if there is an adviser, and then no levels", () => {
  const { unmount } = render(<NewGameDialog />);
  expect(screen.queryByText(/Montego with/)).toBeNull();
  unmount();
  welcome.value = sampleWelcome({ adviser: "GNU Go" });
  render(<NewGameDialog />);
  expect(screen.getByLabelText("Level", { selector: "[name=strength]" })).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Players"), { target: { value: "hybrid" } });
  expect(screen.getByText(/GNU Go says what it would play/)).toBeTruthy();
  expect(screen.queryByLabelText("Level", { selector: "[name=strength]" })).toBeNull();
  expect(screen.getByLabelText("Time for a move")).toBeTruthy();
});
