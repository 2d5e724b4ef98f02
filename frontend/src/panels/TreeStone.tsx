/** One move in the picture of the tree, and the line to the move before it. */
import type { GameKind, Mistake } from "../messages";
import { look } from "../state";
import type { PlacedNode } from "./treeLayout";
import { nodeText } from "./wording";
import { t } from "../languages/language";

/** Pixels from one move to the next. */
export const CELL = 30;
const RADIUS = 11;

export interface TreeStoneProps {
  place: PlacedNode;
  kind: GameKind;
  isShown: boolean;
  isHead: boolean;
  /** Whether it belongs to the line that goes through the node shown. */
  isOnLine: boolean;
  /** What a review found wrong with it. */
  mistake?: Mistake | undefined;
}

export function TreeStone(props: TreeStoneProps) {
  const { place, kind, isShown, isHead, isOnLine, mistake } = props;
  const { node } = place;
  const x = middle(place.column);
  const y = middle(place.row);
  const hasComment = Boolean(node.comment);
  const classes = ["tree__node"];
  if (isShown) classes.push("tree__node--shown");
  if (!isOnLine) classes.push("tree__node--aside");
  return (
    <g
      id={`tree-node-${node.id}`}
      class={classes.join(" ")}
      role="treeitem"
      aria-selected={isShown}
      aria-level={place.column + 1}
      aria-label={describe(kind, place, isHead, mistake)}
      onClick={() => look(node.id)}
    >
      {/* Larger than the stone, for fingers. */}
      <rect class="tree__target" x={x - CELL / 2} y={y - CELL / 2} width={CELL} height={CELL} />
      {isShown && <circle class="tree__ring" cx={x} cy={y} r={RADIUS + 2.5} />}
      {node.color ? (
        <>
          <circle class={`tree__stone tree__stone--${node.color}`} cx={x} cy={y} r={RADIUS} />
          <text class={`tree__number tree__number--${node.color}`} x={x} y={y} dy="0.36em">
            {node.number}
          </text>
        </>
      ) : (
        <rect class="tree__root" x={x - 7} y={y - 7} width={14} height={14} rx={3} />
      )}
      {isHead && <circle class="tree__head" cx={x} cy={y + RADIUS + 1} r={3} />}
      {mistake && (
        <circle class={`tree__blot tree__blot--${mistake.bad ? "bad" : "slight"}`} cx={x - 9} cy={y - 9} r={4.5} />
      )}
      {hasComment && <circle class="tree__comment" cx={x + 9} cy={y - 9} r={4} />}
    </g>
  );
}

/** From the parent down in its column, then across after a rounded corner. */
export function TreeLine({ place, isOnLine }: { place: PlacedNode; isOnLine: boolean }) {
  if (!place.parent) return null;
  const x = middle(place.column);
  const y = middle(place.row);
  const fromX = middle(place.parent.column);
  const fromY = middle(place.parent.row);
  const path =
    fromY === y ? `M${fromX} ${y}H${x}` : `M${fromX} ${fromY}V${y - 8}q0 8 8 8H${x}`;
  return <path class={isOnLine ? "tree__line" : "tree__line tree__line--aside"} d={path} />;
}

function middle(place: number): number {
  return (place + 0.5) * CELL;
}

function describe(
  kind: GameKind,
  { node }: PlacedNode,
  isHead: boolean,
  mistake: Mistake | undefined,
): string {
  const parts = [nodeText(kind, node)];
  if (mistake) parts.push(mistake.bad ? t("a bad mistake") : t("a mistake"));
  if (isHead) parts.push(t("where the game stands"));
  if (node.comment) parts.push(t("with a comment"));
  return parts.join(", ");
}
