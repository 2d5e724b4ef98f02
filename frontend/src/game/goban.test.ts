import { describe, expect, it } from "vitest";

import { samplePosition } from "../samples";
import { gobanMaps } from "./goban";

const NONE = { pending: null, preview: null, color: "black" as const };

describe("gobanMaps", () => {
  it("places stones, the last move and the ko", () => {
    const position = samplePosition({ cells: "X...O....", last: "B2", ko: "C1" });
    const maps = gobanMaps(position, {}, NONE);
    expect(maps.signMap).toEqual([
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, 0],
    ]);
    expect(maps.markerMap[1]?.[1]).toEqual({ type: "circle" });
    expect(maps.markerMap[2]?.[2]).toEqual({ type: "square" });
  });

  it("shows the move that was sent as if it were played", () => {
    const position = samplePosition({ cells: "....O....", last: "B2" });
    const maps = gobanMaps(position, {}, { ...NONE, pending: "A1" });
    expect(maps.signMap[2]?.[0]).toBe(1);
    expect(maps.markerMap[2]?.[0]).toEqual({ type: "circle" });
    expect(maps.markerMap[1]?.[1]).toBeNull();
  });

  it("previews a stone", () => {
    const maps = gobanMaps(samplePosition(), {}, { ...NONE, preview: "C3", color: "white" });
    expect(maps.ghostStoneMap[0]?.[2]).toEqual({ sign: -1 });
  });

  it("numbers a variation, which hides the label below it", () => {
    const overlay = {
      labels: new Map([
        ["A1", "52"],
        ["B1", "48"],
      ]),
      heat: new Map([["A1", 1]]),
      variation: [{ vertex: "A1", color: "black" as const, number: 1 }],
    };
    const maps = gobanMaps(samplePosition(), overlay, NONE);
    expect(maps.markerMap[2]?.[0]).toEqual({ type: "label", label: "1" });
    expect(maps.heatMap[2]).toEqual([null, { strength: 0, text: "48" }, null]);
  });

  it("turns attention into nine steps", () => {
    const heat = new Map([
      ["A1", 1],
      ["B1", 0.01],
      ["C1", 0.5],
    ]);
    const maps = gobanMaps(samplePosition(), { heat }, NONE);
    expect(maps.heatMap[2]?.map((point) => point?.strength)).toEqual([9, 1, 5]);
  });

  it("paints territory rather than ownership, and dims the dead", () => {
    const overlay = {
      territory: "XX....OOO",
      ownership: [0, 0, 0, 0, 0, 0, 0, 0, 0],
      dead: new Set(["A3"]),
    };
    const maps = gobanMaps(samplePosition({ cells: "O........" }), overlay, NONE);
    expect(maps.paintMap).toEqual([
      [1, 1, 0],
      [0, 0, 0],
      [-1, -1, -1],
    ]);
    expect(maps.dimmedVertices).toEqual([[0, 0]]);
  });

  it("leaves open points unpainted", () => {
    const ownership = [0.9, 0.1, -0.5, 0, 0, 0, 0, 0, 0];
    const maps = gobanMaps(samplePosition(), { ownership }, NONE);
    expect(maps.paintMap[0]).toEqual([0.9, 0, -0.5]);
  });

  it("ignores points that are not on the board", () => {
    const maps = gobanMaps(samplePosition({ last: "T19" }), { dead: new Set(["pass"]) }, NONE);
    expect(maps.dimmedVertices).toEqual([]);
  });
});
