/**
 * Where a person aims on a board: with a mouse, a finger, or the keyboard.
 *
 * One cell of the board can be reached by Tab; the arrow keys go on from there, Enter and Space play,
 * Escape leaves the board. A click does not give the board the focus, so that after a move played by
 * mouse the arrow keys still step through the game.
 */
import { useRef, useState } from "preact/hooks";
import type {
  RefObject,
  TargetedKeyboardEvent,
  TargetedMouseEvent,
  TargetedPointerEvent,
} from "preact";

export interface AimOptions {
  columns: number;
  rows: number;
  /** What `onPoint` is called with for a place, counted from the top left. */
  vertexAt: (column: number, row: number) => string;
  confirmTaps: boolean;
  onPoint: (vertex: string) => void;
}

interface Handlers {
  onClick: () => void;
  onPointerEnter: (event: TargetedPointerEvent<SVGElement>) => void;
  onPointerLeave: () => void;
  onPointerDown: (event: TargetedPointerEvent<SVGElement>) => void;
  onFocus: () => void;
  /** In small letters: names of attributes of SVG are taken to the letter. */
  tabindex: number;
  "data-vertex": string;
}

export interface Aim {
  /** To be given to the element that holds all cells, with `onKeyDown` and `onMouseDown`. */
  ref: RefObject<SVGSVGElement>;
  onKeyDown: (event: TargetedKeyboardEvent<SVGElement>) => void;
  onMouseDown: (event: TargetedMouseEvent<SVGElement>) => void;
  onBlur: () => void;
  /** The vertex aimed at, where a preview belongs; null if there is none. */
  aimed: string | null;
  /** What a cell needs to be aimed at. */
  cell: (column: number, row: number) => Handlers;
}

type Place = readonly [column: number, row: number];

const STEPS: Record<string, Place> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function useAim(options: AimOptions): Aim {
  const { columns, rows, vertexAt, confirmTaps, onPoint } = options;
  const ref = useRef<SVGSVGElement>(null);
  const touched = useRef(false);
  const [aimed, setAimed] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Place>([(columns - 1) >> 1, (rows - 1) >> 1]);
  // The board may have become smaller.
  const cursor: Place = [Math.min(chosen[0], columns - 1), Math.min(chosen[1], rows - 1)];

  const point = (vertex: string) => {
    setAimed(null);
    onPoint(vertex);
  };

  const onKeyDown = (event: TargetedKeyboardEvent<SVGElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const column = Math.min(Math.max(cursor[0] + step[0], 0), columns - 1);
      const row = Math.min(Math.max(cursor[1] + step[1], 0), rows - 1);
      focusCell(ref.current, vertexAt(column, row));
    } else if (event.key === "Enter" || event.key === " ") {
      point(vertexAt(...cursor));
    } else if (event.key === "Escape") {
      (document.activeElement as SVGElement | null)?.blur();
    } else {
      return;
    }
    // These keys mean something else to the page.
    event.preventDefault();
    event.stopPropagation();
  };

  const cell = (column: number, row: number): Handlers => {
    const vertex = vertexAt(column, row);
    return {
      onClick: () => {
        if (confirmTaps && touched.current && aimed !== vertex) setAimed(vertex);
        else point(vertex);
      },
      onPointerEnter: (event) => {
        if (event.pointerType !== "touch") setAimed(vertex);
      },
      onPointerLeave: () => {
        // A finger that is lifted leaves, too; what it aimed at waits for the second tap.
        if (!touched.current) setAimed(null);
      },
      onPointerDown: (event) => {
        touched.current = event.pointerType === "touch";
      },
      onFocus: () => {
        setChosen([column, row]);
        setAimed(vertex);
      },
      tabindex: column === cursor[0] && row === cursor[1] ? 0 : -1,
      "data-vertex": vertex,
    };
  };

  return {
    ref,
    onKeyDown,
    onMouseDown: (event) => event.preventDefault(),
    onBlur: () => setAimed(null),
    aimed,
    cell,
  };
}

function focusCell(board: SVGSVGElement | null, vertex: string): void {
  board?.querySelector<SVGElement>(`[data-vertex="${vertex}"]`)?.focus();
}
