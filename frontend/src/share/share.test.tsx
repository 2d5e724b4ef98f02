import { cleanup, render, screen } from "@testing-library/preact";
import { afterEach, expect, it, vi } from "vitest";

import { shareOpen } from "../dialogs";
import { coordinates } from "../preferences";
import { sampleGame } from "../samples";
import { forgetGame, game } from "../state";
import { ShareDialog } from "./ShareDialog";

afterEach(() => {
  cleanup();
  forgetGame();
  shareOpen.value = false;
  coordinates.value = true;
  vi.unstubAllGlobals();
});

function show(links: unknown): void {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ links }))));
  game.value = sampleGame();
  shareOpen.value = true;
  render(<ShareDialog />);
}

it("offers picture, moving picture and record", () => {
  show([]);
  const addresses = screen.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"));
  expect(addresses.map((address) => address?.split("?")[0]?.split(".").at(-1))).toEqual(["png", "gif", "sgf"]);
});

it("leaves coordinates out of pictures as off the board", () => {
  coordinates.value = false;
  show([]);
  const [still, moving] = screen.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"));
  expect(still).toMatch(/&coordinates=off$/);
  expect(moving).toMatch(/&coordinates=off$/);
});

it("says how to let a phone in", async () => {
  show([]);
  expect((await screen.findByText("montego play --host 0.0.0.0")).tagName).toBe("CODE");
});

it("draws the code of a link", async () => {
  show([{ address: "http://192.0.2.7:8087/", code: ["#.", ".#"] }]);
  const code = await screen.findByRole("img", { hidden: true, name: "QR code of the link" });
  expect(code.querySelector("path")?.getAttribute("d")).toBe("M4 4h1v1h-1zM5 5h1v1h-1z");
});
