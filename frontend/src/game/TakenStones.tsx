/** Stones that were just captured, which fade away; not for those who want less motion. */

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Color, Position } from "../messages";

/** How long they take to fade, in milliseconds. */
const FADING = 450;

interface TakenStonesProps {
  position: Position;
  vertexSize: number;
  frame: RefObject<HTMLElement>;
}

export function TakenStones({ position, vertexSize, frame }: TakenStonesProps) {
  const before = useRef(position);
  const [taken, setTaken] = useState<readonly Taken[]>([]);
  useEffect(() => {
    const found = takenBetween(before.current, position);
    before.current = position;
    if (found.length === 0) return undefined;
    setTaken(found);
    const timer = setTimeout(() => setTaken([]), FADING);
    return () => clearTimeout(timer);
  }, [position]);
  if (taken.length === 0) return null;
  const grid = frame.current?.querySelector<HTMLElement>(".shudan-vertices, .shudan-content");
  const outer = frame.current?.getBoundingClientRect();
  const inner = grid?.getBoundingClientRect();
  if (!outer || !inner) return null;
  return (
    <div class="taken" aria-hidden="true">
      {taken.map(({ x, y, color }) => (
        <span
          key={`${x} ${y}`}
          class={`taken__stone taken__stone--${color}`}
          style={{
            left: `${inner.left - outer.left + x * vertexSize}px`,
            top: `${inner.top - outer.top + y * vertexSize}px`,
            width: `${vertexSize}px`,
            height: `${vertexSize}px`,
          }}
        />
      ))}
    </div>
  );
}

export interface Taken {
  x: number;
  y: number;
  color: Color;
}

/** The stones that a move took off the board; none if more than one move lies between. */
export function takenBetween(before: Position, after: Position): Taken[] {
  const isNext = before.game === after.game && before.to_play !== after.to_play;
  if (!isNext || after.last === null || before.cells.length !== after.cells.length) return [];
  const mark = before.to_play === "black" ? "O" : "X";
  const found: Taken[] = [];
  let placed = 0;
  for (let index = 0; index < after.cells.length; index++) {
    const [was, is] = [before.cells.charAt(index), after.cells.charAt(index)];
    if (was === is) continue;
    if (was === "." && is !== mark) placed += 1;
    else if (was === mark && is === ".") {
      const color = mark === "O" ? "white" : "black";
      found.push({ x: index % after.width, y: Math.floor(index / after.width), color });
    } else return [];
  }
  return placed === 1 ? found : [];
}
