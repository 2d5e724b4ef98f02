import { describe, expect, it } from "vitest";

import { followAddress, formatRoute, navigate, parseRoute, route } from "./routes";
import type { Route } from "./routes";

describe("parseRoute", () => {
  it.each(["", "#", "#/", "#/game/", "#/game/UPPER123", "#/game/short", "#/elsewhere"])(
    "takes %s for the start page",
    (fragment) => {
      expect(parseRoute(fragment)).toEqual({ page: "start" });
    },
  );

  it.each<Route>([
    { page: "game", game: "0123456789abcdef" },
    { page: "book", settings: "", moves: [] },
    { page: "book", settings: "9-koSIMPLEscoreAREAtaxNONEsui0--7.5", moves: [] },
    { page: "book", settings: "9-koSIMPLEscoreAREAtaxNONEsui0-7.5", moves: ["E5", "pass", "G4"] },
  ])("is undone by formatRoute: %j", (to) => {
    expect(parseRoute(formatRoute(to))).toEqual(to);
  });

  it("has no moves without the board that they are for", () => {
    expect(formatRoute({ page: "book", settings: "", moves: ["E5"] })).toBe("#/book");
    expect(parseRoute("#/book//E5")).toEqual({ page: "start" });
  });
});

it("follows the browser's back button", () => {
  const stop = followAddress();
  navigate({ page: "game", game: "0123456789abcdef" });
  expect(location.hash).toBe("#/game/0123456789abcdef");
  location.hash = "#/";
  dispatchEvent(new Event("hashchange"));
  expect(route.value).toEqual({ page: "start" });
  stop();
});
