/** From a position and its overlay to the maps that Shudan draws: rows of points, top left first. */

import type { GhostStone, HeatVertex, Marker, Vertex } from "@sabaki/shudan";

import type { Color, Position } from "../messages";
import type { BoardOverlay } from "../overlay";
import { parseVertex } from "./coordinates";

export type Sign = 0 | 1 | -1;

/** What Shudan is told, and the points that are dimmed. */
export interface GobanMaps {
  signMap: Sign[][];
  markerMap: (Marker | null)[][];
  ghostStoneMap: (GhostStone | null)[][];
  heatMap: (HeatVertex | null)[][];
  paintMap: number[][];
  dimmedVertices: Vertex[];
}

/** What is on the board besides what the position and the overlay say. */
export interface Extras {
  /** A stone that was sent and is not yet confirmed. */
  pending: string | null;
  /** Where a stone would go. */
  preview: string | null;
  color: Color;
}

export function signOf(color: Color): Sign {
  return color === "black" ? 1 : -1;
}

export function gobanMaps(position: Position, overlay: BoardOverlay, extras: Extras): GobanMaps {
  const { width, height } = position;
  const rows = <T>(fill: T): T[][] =>
    Array.from({ length: height }, () => Array.from({ length: width }, () => fill));
  const maps: GobanMaps = {
    signMap: signsOf(position),
    markerMap: rows<Marker | null>(null),
    ghostStoneMap: rows<GhostStone | null>(null),
    heatMap: rows<HeatVertex | null>(null),
    paintMap: paintOf(position, overlay) ?? rows(0),
    dimmedVertices: [],
  };

  const put = <T>(map: T[][], vertex: string | null, value: T) => {
    const place = vertex === null ? null : parseVertex(vertex, width, height);
    const row = place && map[place.y];
    if (row) row[place.x] = value;
  };

  put(maps.markerMap, position.ko, { type: "square" });
  put(maps.markerMap, position.last, { type: "circle" });
  for (const [vertex, type] of overlay.marks ?? []) put(maps.markerMap, vertex, { type });
  for (const [vertex, label] of overlay.texts ?? []) put(maps.markerMap, vertex, { type: "label", label });
  for (const [vertex, color] of overlay.ghosts ?? []) {
    put(maps.ghostStoneMap, vertex, { sign: signOf(color) });
  }
  for (const vertex of new Set([...(overlay.heat?.keys() ?? []), ...(overlay.labels?.keys() ?? [])])) {
    const strength = Math.ceil((overlay.heat?.get(vertex) ?? 0) * 9);
    put(maps.heatMap, vertex, { strength, text: overlay.labels?.get(vertex) ?? null });
  }
  for (const { vertex, color, number } of overlay.variation ?? []) {
    put(maps.ghostStoneMap, vertex, { sign: signOf(color), type: "good" });
    put(maps.markerMap, vertex, { type: "label", label: String(number) });
    put(maps.heatMap, vertex, null);
  }
  put(maps.ghostStoneMap, extras.preview, { sign: signOf(extras.color) });
  put(maps.signMap, extras.pending, signOf(extras.color));
  put(maps.ghostStoneMap, extras.pending, null);
  put(maps.heatMap, extras.pending, null);
  if (extras.pending !== null) {
    put(maps.markerMap, position.last, null);
    put(maps.markerMap, extras.pending, { type: "circle" });
  }
  for (const vertex of overlay.dead ?? []) {
    const place = parseVertex(vertex, width, height);
    if (place) maps.dimmedVertices.push([place.x, place.y]);
  }
  return maps;
}

function signsOf({ cells, width, height }: Position): Sign[][] {
  const signs: Record<string, Sign> = { X: 1, O: -1 };
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => signs[cells.charAt(y * width + x)] ?? 0),
  );
}

/** Territory is painted whole, ownership as far as it is settled; null if there is neither. */
function paintOf({ width, height }: Position, overlay: BoardOverlay): number[][] | null {
  const { territory, ownership } = overlay;
  if (territory === undefined && ownership === undefined) return null;
  const paint = (index: number): number => {
    if (territory === undefined) return shade(ownership?.[index] ?? 0);
    const owner = territory.charAt(index);
    return owner === "X" ? 1 : owner === "O" ? -1 : 0;
  };
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => paint(y * width + x)),
  );
}

/** Points that are as good as open stay unpainted, so that the board is calm. */
function shade(ownership: number): number {
  return Math.abs(ownership) < 0.15 ? 0 : ownership;
}
