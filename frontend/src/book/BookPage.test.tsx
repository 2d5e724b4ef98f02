import { cleanup, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it } from "vitest";

import { navigate, route } from "../routes";
import { sampleBook, samplePosition } from "../samples";
import { book } from "../state";
import { BookPage } from "./BookPage";

const SETTINGS = "3-chinese-7.5";

beforeEach(() => {
  navigate({ page: "book", settings: "", moves: [] });
  book.value = sampleBook();
});

afterEach(cleanup);

function moves(): readonly string[] {
  return route.value.page === "book" ? route.value.moves : [];
}

function press(key: string): void {
  fireEvent.keyDown(document.body, { key });
}

it("lists the known moves, the most visited first, with counts and values", () => {
  render(<BookPage />);
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.querySelector("a")?.textContent)).toEqual(["B2", "C3", "pass"]);
  expect(rows[0]?.textContent).toContain("1200");
  expect(rows[0]?.textContent).toContain("61.0");
  expect(rows[1]?.textContent).toContain("+3 alike");
  expect(rows[2]?.textContent).toContain("end");
});

it("goes deeper by a link or a row of the list", () => {
  render(<BookPage />);
  expect(screen.getByRole("link", { name: "C3" }).getAttribute("href")).toBe(`#/book/${SETTINGS}/C3`);
  fireEvent.click(screen.getByText("40.0"));
  expect(moves()).toEqual(["C3"]);
});

it("walks by keys", () => {
  const { rerender } = render(<BookPage />);
  press("ArrowDown");
  press("ArrowDown");
  expect(screen.getByRole("link", { name: "C3" }).closest("tr")?.getAttribute("aria-current")).toBe("true");
  press("ArrowRight");
  expect(moves()).toEqual(["C3"]);
  book.value = sampleBook({ moves: ["C3"], position: samplePosition({ to_play: "white" }) });
  rerender(<BookPage />);
  press("Enter");
  expect(moves()).toEqual(["C3", "B2"]);
  press("ArrowLeft");
  expect(moves()).toEqual([]);
});

it("leaves keys to fields", () => {
  render(<BookPage />);
  fireEvent.keyDown(screen.getByRole("combobox"), { key: "ArrowRight" });
  expect(moves()).toEqual([]);
});

it("shows the way back to every position on the way", () => {
  book.value = sampleBook({ moves: ["B2", "A1", "pass"] });
  render(<BookPage />);
  const trail = within(screen.getByRole("navigation", { name: "Moves so far" }));
  expect(trail.getByText("pass").getAttribute("aria-current")).toBe("step");
  expect(trail.getByRole("link", { name: "A1" }).getAttribute("href")).toBe(`#/book/${SETTINGS}/B2,A1`);
  expect(trail.getByRole("link", { name: "Empty board" }).getAttribute("href")).toBe(`#/book/${SETTINGS}`);
  expect(trail.getByRole("link", { name: "One move back" }).getAttribute("href")).toBe(
    `#/book/${SETTINGS}/B2,A1`,
  );
});

it("offers what the book has games of", () => {
  render(<BookPage />);
  fireEvent.change(screen.getByLabelText("Board, rules and komi"), {
    target: { value: "5-chinese-0.5" },
  });
  expect(route.value).toEqual({ page: "book", settings: "5-chinese-0.5", moves: [] });
});

it("says in a sentence why there is nothing to see", () => {
  book.value = sampleBook({ position: null, trouble: "The book is damaged.", known: [] });
  render(<BookPage />);
  expect(screen.getByText("The book is damaged.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "To your games" }).getAttribute("href")).toBe("#/");
});

it("says so where the book ends", () => {
  book.value = sampleBook({ visits: 0, known: [], moves: ["pass"] });
  render(<BookPage />);
  expect(screen.getByText(/^The book ends here/)).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});
