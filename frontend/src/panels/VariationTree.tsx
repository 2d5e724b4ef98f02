/** The tree of variations: main line on top, variations below; only what is in sight is drawn. */
import "./panels.css";
import "./course.css";
import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { send } from "../connection";
import { Icon } from "../icons";
import { children, game, line, look, nodes, view } from "../state";
import { lineThrough } from "../variations";
import { MarkTools } from "../markup/MarkTools";
import { CommentBox } from "./CommentBox";
import { deleteVariation } from "./deletion";
import { mistakesByNode } from "./review";
import { CELL, TreeLine, TreeStone } from "./TreeStone";
import { layOutTree, neighborOf, visiblePlaces, type Direction } from "./treeLayout";
import { capitalized, nodeText } from "./wording";
import { t } from "../languages/language";

/** Cells drawn beyond the edges, so that scrolling finds them there. */
const MARGIN = 4;

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export function VariationTree() {
  const box = useRef<HTMLDivElement>(null);
  const layout = useComputed(() => layOutTree(game.value?.tree[0], children.value));
  // Until the box has been measured, a window that is surely large enough for the first picture.
  const seen = useSignal({ left: 0, top: 0, width: 640, height: 240 });

  const measure = () => {
    const element = box.current;
    if (!element || element.clientWidth === 0) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element;
    const last = seen.peek();
    const isSame =
      last.left === left && last.top === top && last.width === width && last.height === height;
    if (!isSame) seen.value = { left, top, width, height };
  };
  const here = layout.value.places.get(view.value);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !here) return;
    bringIntoView(element, here.column * CELL, here.row * CELL);
    measure();
  }, [here?.column, here?.row]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);

  const current = game.value;
  if (!current) return null;
  const node = nodes.value.get(view.value);
  const { left, top, width, height } = seen.value;
  const visible = visiblePlaces(layout.value, {
    left: Math.floor(left / CELL) - MARGIN,
    right: Math.ceil((left + width) / CELL) + MARGIN,
    top: Math.floor(top / CELL) - MARGIN,
    bottom: Math.ceil((top + height) / CELL) + MARGIN,
  });
  const shown = new Set(line.value.map((node) => node.id));

  const follow = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = DIRECTIONS[event.key];
    if (direction) {
      const next =
        direction === "right" ? nextOnLine() : neighborOf(layout.value, view.value, direction);
      if (next !== null) look(next);
    } else if (event.key === "Delete") {
      void deleteVariation(view.value);
    } else {
      return;
    }
    // The page's own keys would step a second time.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section class="tree sides" data-kind={current.kind} aria-label={t("Variations")}>
      <div
        ref={box}
        class="tree__box"
        role="tree"
        tabIndex={0}
        aria-label={t("Tree of variations")}
        aria-activedescendant={`tree-node-${view.value}`}
        onScroll={measure}
        onKeyDown={follow}
      >
        <svg
          width={layout.value.columns * CELL}
          height={layout.value.rows * CELL}
          role="presentation"
        >
          {/* Lines lie below stones. */}
          {visible.map((place) => (
            <TreeLine key={place.node.id} place={place} isOnLine={shown.has(place.node.id)} />
          ))}
          {visible.map((place) => (
            <TreeStone
              key={place.node.id}
              place={place}
              kind={current.kind}
              isShown={place.node.id === view.value}
              isHead={place.node.id === current.head}
              isOnLine={shown.has(place.node.id)}
              mistake={mistakesByNode.value.get(place.node.id)}
            />
          ))}
        </svg>
      </div>
      <div class="tree__tools">
        <span class="small quiet">{capitalized(node ? nodeText(current.kind, node) : "")}</span>
        {node && isAside(node.id) && (
          <button
            type="button"
            class="chip"
            onClick={() => send({ type: "promote_node", node: line.value.at(-1)?.id ?? node.id })}
          >
            {t("Make main line")}
          </button>
        )}
        <button
          type="button"
          class="chip"
          disabled={(node?.parent ?? null) === null}
          onClick={() => void deleteVariation(view.value)}
        >
          <Icon name="remove" />
          {t("Delete from here")}
        </button>
      </div>
      {current.kind === "go" && <MarkTools />}
      <CommentBox />
    </section>
  );
}

/** Whether a node lies on a variation beside the main line. */
function isAside(id: number): boolean {
  const root = game.value?.tree[0]?.id ?? 0;
  const main = lineThrough({ nodes: nodes.value, children: children.value }, root, []);
  return !main.some((node) => node.id === id);
}

/** The node after the one shown, on the line that is shown. */
function nextOnLine(): number | null {
  const place = line.value.findIndex((node) => node.id === view.value);
  return line.value[place + 1]?.id ?? null;
}

/** Scroll just as far as needed to have a cell in the box, with a cell's width around it. */
function bringIntoView(element: HTMLElement, left: number, top: number): void {
  element.scrollLeft = scrolled(element.scrollLeft, element.clientWidth, left);
  element.scrollTop = scrolled(element.scrollTop, element.clientHeight, top);
}

function scrolled(from: number, length: number, cell: number): number {
  if (cell - CELL < from) return Math.max(cell - CELL, 0);
  return Math.max(from, cell + 2 * CELL - length);
}
