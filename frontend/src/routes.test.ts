import { describe, expect, it } from "vitest";

import { followAddress, formatRoute, navigate, parseRoute, route } from "./routes";

describe("parseRoute", () => {
  it.each(["", "#", "#/", "#/game/", "#/game/UPPER123", "#/game/short", "#/elsewhere"])(
    "takes %s for the start page",
    (fragment) => {
      expect(parseRoute(fragment)).toEqual({ page: "start" });
    },
  );

  it("is undone by formatRoute", () => {
    const to = { page: "game", game: "0123456789abcdef" } as const;
    expect(parseRoute(formatRoute(to))).toEqual(to);
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
