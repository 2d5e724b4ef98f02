import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
  delete document.documentElement.dataset.theme;
});

describe("preferences", () => {
  it("begin with defaults and are remembered", async () => {
    const before = await import("./preferences");
    expect(before.sounds.value).toBe(true);
    before.sounds.value = false;
    before.overlays.value = { ...before.overlays.value, heat: "rave" };
    vi.resetModules();
    const after = await import("./preferences");
    expect(after.sounds.value).toBe(false);
    expect(after.overlays.value).toEqual({ ...after.DEFAULT_OVERLAYS, heat: "rave" });
  });

  it("write nothing before something was chosen", async () => {
    await import("./preferences");
    expect(localStorage.length).toBe(0);
  });

  it.each(["{", '"yes"', "null", "[]"])("read %s as the default", async (text) => {
    localStorage.setItem("montego.sounds", text);
    localStorage.setItem("montego.theme", text);
    localStorage.setItem("montego.overlays", text);
    const { DEFAULT_OVERLAYS, overlays, sounds, theme } = await import("./preferences");
    expect(sounds.value).toBe(true);
    expect(theme.value).toBe("system");
    expect(overlays.value).toEqual(DEFAULT_OVERLAYS);
  });

  it("keep what makes sense of an older version's choices", async () => {
    localStorage.setItem("montego.overlays", '{"heat": "colorful", "variation": false}');
    const { DEFAULT_OVERLAYS, overlays } = await import("./preferences");
    expect(overlays.value).toEqual({ ...DEFAULT_OVERLAYS, variation: false });
  });

  it("last as long as the page where storage is blocked", async () => {
    const blocked = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: blocked, setItem: blocked });
    const { coordinates } = await import("./preferences");
    expect(coordinates.value).toBe(true);
    coordinates.value = false;
    expect(coordinates.value).toBe(false);
  });
});

describe("the theme", () => {
  it("is written on the document, unless the system decides", async () => {
    const { followTheme, theme } = await import("./preferences");
    const stop = followTheme();
    const { dataset } = document.documentElement;
    expect(dataset.theme).toBeUndefined();
    theme.value = "dark";
    expect(dataset.theme).toBe("dark");
    theme.value = "light";
    expect(dataset.theme).toBe("light");
    theme.value = "system";
    expect(dataset.theme).toBeUndefined();
    stop();
  });
});
