/**
 * Where the cells of a Hex board are drawn. The distance of neighbors is 1.
 *
 * A cell touches its neighbors in the row, those above and above to the right, below and below to the
 * left. Upright, the whole is turned by 60 degrees, so that a1 is at the top; hexagons look the same.
 */
import type { Color } from "../messages";

export type Point = readonly [x: number, y: number];
export type SideName = "top" | "bottom" | "left" | "right";

/** The colors of the sides, and on which side of the long diagonal each is. */
export const SIDES = [
  { name: "top", color: "black", half: "upper" },
  { name: "right", color: "white", half: "upper" },
  { name: "bottom", color: "black", half: "lower" },
  { name: "left", color: "white", half: "lower" },
] as const satisfies readonly { name: SideName; color: Color; half: "upper" | "lower" }[];

export interface HexLayout {
  size: number;
  /** Left, top, width and height of everything that is drawn. */
  box: readonly [number, number, number, number];
  /** Of a cell, around its center. */
  corners: readonly Point[];
  center: (column: number, row: number) => Point;
  /** The line along a side of the board, over the outer corners of its cells, and a bit further at
   * the sharp corners of the board. */
  edge: (side: SideName) => Point[];
  /** The half of the drawing on the side of the long diagonal where top and right are, or the other. */
  half: (which: "upper" | "lower") => Point[];
  /** Where a column's letter and a row's number stand. */
  coordinates: (place: number) => [letter: Point, number: Point];
}

const HALF_HEIGHT = Math.sqrt(3) / 2;
const RADIUS = 1 / Math.sqrt(3);
const EDGE_ROOM = 0.34;
const LABEL_DISTANCE = 1.08;

/** Corners of a hexagon with a tip at the top, clockwise from the upper right. */
const CORNERS: readonly Point[] = Array.from({ length: 6 }, (_, place) => {
  const angle = (Math.PI / 180) * (60 * place - 30);
  return [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)] as const;
});

/** The layout of a board of `size` by `size` cells, with room for coordinates if they are shown. */
export function layoutOf(size: number, upright: boolean, coordinates: boolean): HexLayout {
  // Steps to the next column and row. Turned by 60 degrees each becomes the next of the six.
  const across: Point = upright ? [0.5, HALF_HEIGHT] : [1, 0];
  const down: Point = upright ? [-0.5, HALF_HEIGHT] : [0.5, HALF_HEIGHT];
  const turn = upright ? 1 : 0;
  const center = (column: number, row: number): Point => [
    column * across[0] + row * down[0],
    column * across[1] + row * down[1],
  ];
  const corner = (column: number, row: number, which: number): Point => {
    const [x, y] = center(column, row);
    const [right, below] = CORNERS[(which + turn) % 6] ?? [0, 0];
    return [x + right, y + below];
  };
  const last = size - 1;
  const cells = Array.from({ length: size }, (_, place) => place);
  const backwards = [...cells].reverse();

  const edge = (side: SideName): Point[] => {
    // At two corners of the board one hexagon's side belongs to both edges: each gets half.
    const topRight = middle(corner(last, 0, 5), corner(last, 0, 0));
    const bottomLeft = middle(corner(0, last, 2), corner(0, last, 3));
    switch (side) {
      case "top":
        return [
          beyond(corner(0, 0, 5), corner(0, 0, 4)),
          ...cells.flatMap((at) => [corner(at, 0, 4), corner(at, 0, 5)]),
          topRight,
        ];
      case "right":
        return [
          topRight,
          ...cells.flatMap((at) => [corner(last, at, 0), corner(last, at, 1)]),
          beyond(corner(last, last, 0), corner(last, last, 1)),
        ];
      case "bottom":
        return [
          beyond(corner(last, last, 2), corner(last, last, 1)),
          ...backwards.flatMap((at) => [corner(at, last, 1), corner(at, last, 2)]),
          bottomLeft,
        ];
      case "left":
        return [
          bottomLeft,
          ...backwards.flatMap((at) => [corner(0, at, 3), corner(0, at, 4)]),
          beyond(corner(0, 0, 3), corner(0, 0, 4)),
        ];
    }
  };

  const half = (which: "upper" | "lower"): Point[] => {
    const far = which === "upper" ? size + 2 : -size - 2;
    const [first, end] = [center(-2, -2), center(last + 2, last + 2)];
    const length = Math.hypot(end[0] - first[0], end[1] - first[1]);
    const across: Point = [(end[1] - first[1]) / length, (first[0] - end[0]) / length];
    return [
      first,
      end,
      [end[0] + far * across[0], end[1] + far * across[1]],
      [first[0] + far * across[0], first[1] + far * across[1]],
    ];
  };

  const labels = (place: number): [Point, Point] => {
    const first = center(place, 0);
    const second = center(0, place);
    return [
      [first[0] - down[0] * LABEL_DISTANCE, first[1] - down[1] * LABEL_DISTANCE],
      [second[0] - across[0] * LABEL_DISTANCE, second[1] - across[1] * LABEL_DISTANCE],
    ];
  };

  const outline = cells.flatMap((at) =>
    CORNERS.flatMap((_, which) =>
      [corner(at, 0, which), corner(at, last, which), corner(0, at, which), corner(last, at, which)]),
  );
  const [left, top, right, bottom] = bounds(outline, EDGE_ROOM);
  const written = coordinates ? cells.flatMap(labels) : [];
  const wide = bounds(written, 0.4);
  const box = [
    Math.min(left, wide[0]),
    Math.min(top, wide[1]),
    Math.max(right, wide[2]),
    Math.max(bottom, wide[3]),
  ] as const;
  return {
    size,
    box: [box[0], box[1], box[2] - box[0], box[3] - box[1]],
    corners: CORNERS,
    center,
    edge,
    half,
    coordinates: labels,
  };
}

function middle(one: Point, other: Point): Point {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}

/** A point on the line from one through another, behind that. */
function beyond(one: Point, other: Point): Point {
  return [2 * other[0] - one[0], 2 * other[1] - one[1]];
}

/** Left, top, right and bottom of points with room around them; of none, an empty range. */
function bounds(points: readonly Point[], room: number): [number, number, number, number] {
  const across = points.map((point) => point[0]);
  const down = points.map((point) => point[1]);
  return [
    Math.min(...across) - room,
    Math.min(...down) - room,
    Math.max(...across) + room,
    Math.max(...down) + room,
  ];
}
