/** What is drawn over the stones of a board: by panels computed, by boards shown. */

import type { Color } from "./messages";

export type MarkShape = "circle" | "cross" | "triangle" | "square" | "point";

/** A move of a variation, numbered from 1. */
export interface VariationMove {
  vertex: string;
  color: Color;
  number: number;
}

/** Everything is optional; what is absent is not drawn. Points are texts such as `"D4"`. */
export interface BoardOverlay {
  /** How much attention a point got, from 0 to 1. */
  heat?: ReadonlyMap<string, number>;
  /** A short text in small print on a point: a win rate, a letter. */
  labels?: ReadonlyMap<string, string>;
  /** Translucent stones. */
  ghosts?: ReadonlyMap<string, Color>;
  /** A line of play: stones with numbers on them. */
  variation?: readonly VariationMove[];
  /** Row by row from the top left; 1 is Black's, -1 White's, in between it is open. */
  ownership?: readonly number[];
  /** One character a point, as in `Count.territory`. */
  territory?: string;
  /** Stones taken for dead; they are dimmed. */
  dead?: ReadonlySet<string>;
  marks?: ReadonlyMap<string, MarkShape>;
  /** Letters and numbers that a person has written on points. */
  texts?: ReadonlyMap<string, string>;
}
