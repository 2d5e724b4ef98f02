/**
 * A Go board of any size, drawn by Shudan; it fills the width it is given.
 *
 * With the focus on it, arrow keys move a cursor, Enter and Space play, Escape leaves. A click does not
 * give it the focus, so that after a move by mouse the arrow keys still step through the game.
 */

import { Goban } from "@sabaki/shudan";
import type { GobanProps, Vertex } from "@sabaki/shudan";
import { useMemo, useRef, useState } from "preact/hooks";

import { announce } from "../announcer";
import type { BoardProps } from "../boards/board";
import type { Position } from "../messages";
import { columnName, formatVertex, parseVertex } from "./coordinates";
import { gobanMaps } from "./goban";
import { useWidth } from "./size";
import { TakenStones } from "./TakenStones";
import { phrase, t } from "../languages/language";

/** Points narrower than this are hard to hit with a finger: there a tap is confirmed by another. */
const SMALL_POINT = 30;
/** The room around the grid, in points, on each side: with coordinates and without. */
const MARGIN = { coordinates: 0.6, plain: 0.25 };

export function GoBoard(props: BoardProps) {
  const { position, overlay, playable, color, pending, coordinates, confirmTaps, onPoint } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [preview, setPreview] = useState<string | null>(null);
  const touched = useRef(false);
  const [cursor, setCursor] = useState<string | null>(null);

  const { vertexSize, style } = measuresOf(position, width, coordinates);
  const shownPreview = preview !== null && playable.has(preview) && pending === null ? preview : null;
  const maps = useMemo(
    () => gobanMaps(position, overlay, { pending, preview: shownPreview, color }),
    [position, overlay, pending, shownPreview, color],
  );
  const label = useMemo(() => describePosition(position), [position]);

  const vertexAt = ([x, y]: Vertex) => formatVertex({ x, y }, position.height);
  const click = (_: MouseEvent, place: Vertex) => {
    const vertex = vertexAt(place);
    const confirm = touched.current && confirmTaps && vertexSize < SMALL_POINT;
    if (confirm && playable.has(vertex) && preview !== vertex) {
      setPreview(vertex);
      return;
    }
    setPreview(null);
    onPoint(vertex);
  };

  const moveCursor = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const from = (cursor === null ? null : parseVertex(cursor, position.width, position.height)) ?? {
        x: (position.width - 1) >> 1,
        y: (position.height - 1) >> 1,
      };
      const x = Math.min(Math.max(from.x + step[0], 0), position.width - 1);
      const y = Math.min(Math.max(from.y + step[1], 0), position.height - 1);
      const vertex = formatVertex({ x, y }, position.height);
      setCursor(vertex);
      setPreview(vertex);
      announce(`${vertex} ${t(STONES[position.cells.charAt(y * position.width + x)] ?? phrase("empty"))}`);
    } else if ((event.key === "Enter" || event.key === " ") && cursor !== null) {
      setPreview(null);
      onPoint(cursor);
    } else if (event.key === "Escape") {
      frame.current?.blur();
    } else {
      return;
    }
    // These keys mean something else to the page.
    event.preventDefault();
    event.stopPropagation();
  };
  const cursorPlace = cursor === null ? null : parseVertex(cursor, position.width, position.height);

  return (
    <div
      ref={frame}
      class={`go-board${overlay.territory === undefined ? "" : " go-board--territory"}${hasFewStars(position) ? " go-board--few-stars" : ""}`}
      role="application"
      aria-roledescription={t("Go board")}
      aria-label={label}
      tabIndex={0}
      onKeyDown={moveCursor}
      onMouseDown={(event) => event.preventDefault()}
      onBlur={() => {
        setCursor(null);
        setPreview(null);
      }}
      onPointerLeave={() => {
        if (!touched.current) setPreview(null);
      }}
    >
      {width > 0 && (
        <Goban
          {...maps}
          paintMap={maps.paintMap as NonNullable<GobanProps["paintMap"]>}
          selectedVertices={cursorPlace === null ? [] : [[cursorPlace.x, cursorPlace.y]]}
          vertexSize={vertexSize}
          showCoordinates={coordinates}
          coordX={columnName}
          style={style}
          onVertexPointerDown={(event: PointerEvent) => {
            touched.current = event.pointerType === "touch";
          }}
          onVertexPointerEnter={(event: PointerEvent, place: Vertex) => {
            if (event.pointerType !== "mouse") return;
            touched.current = false;
            setPreview(vertexAt(place));
          }}
          onVertexClick={click}
        />
      )}
      {width > 0 && <TakenStones position={position} vertexSize={vertexSize} frame={frame} />}
    </div>
  );
}

/** Whether the board has star points in the corners and the middle alone, as small real ones have. */
function hasFewStars({ width, height }: Position): boolean {
  return Math.min(width, height) < 15;
}

const STEPS: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const STONES: Partial<Record<string, string>> = { X: phrase("Black"), O: phrase("White") };

/**
 * How large a point is, and where the grid begins.
 *
 * Everything falls on whole pixels, and points on coarse screens are an even number of pixels wide, since
 * lines run through their middle.
 */
export function measuresOf(position: Position, width: number, coordinates: boolean) {
  const part = coordinates ? MARGIN.coordinates : MARGIN.plain;
  const points = Math.max(position.width, position.height) + 2 * part;
  const whole = devicePixelRatio > 1 ? 1 : 2;
  const vertexSize = Math.max(Math.floor(width / points / whole) * whole, 4);
  const margin = Math.floor(part * vertexSize);
  const tracks = `${margin}px 1fr ${margin}px`;
  const gap = (count: number) => Math.floor((width - count * vertexSize - 2 * margin) / 2);
  return {
    vertexSize,
    style: {
      ...(coordinates
        ? { gridTemplateRows: tracks, gridTemplateColumns: tracks }
        : { padding: `${margin}px` }),
      margin: `${gap(position.height)}px 0 0 ${gap(position.width)}px`,
    },
  };
}

/** The position in words, for those who hear it. */
export function describePosition({ width, height, cells, last }: Position): string {
  const stones: Record<"X" | "O", string[]> = { X: [], O: [] };
  Array.from(cells).forEach((cell, index) => {
    if (cell !== "X" && cell !== "O") return;
    stones[cell].push(formatVertex({ x: index % width, y: Math.floor(index / width) }, height));
  });
  const list = (found: string[]) => (found.length === 0 ? t("none") : found.join(", "));
  const sentences = [t("Board of {width} by {height}.", { width, height })];
  if (last !== null) sentences.push(t("Last move {move}.", { move: last }));
  sentences.push(t("Black: {stones}.", { stones: list(stones.X) }), t("White: {stones}.", { stones: list(stones.O) }));
  return sentences.join(" ");
}
