/** Moves as a search sees them, one row each; a row shows its variation on the board. */
import "./analysis.css";
import { useRef } from "preact/hooks";
import { colorName } from "../boards/colors";
import type { Color, GameKind, MoveReport } from "../messages";
import { chanceOf, wholeVariation } from "../overlays";
import { pin, pinned, pointed, showNoLine, type ShownLine } from "./boardView";
import { keepOrder } from "./rowOrder";
import { bandPercent, errorOf, longCount, moveName, moveText, scoreText, shortCount, wholePercent } from "./wording";
import { phrase, t } from "../languages/language";

/** Visits below which a chance is not told. */
const FEW_VISITS = 20;

export interface CandidateTableProps {
  /** What the table is, for screen readers. */
  caption: string;
  kind: GameKind;
  /** The node that the moves follow, and who plays them. */
  node: number;
  color: Color;
  /** Best first. */
  moves: readonly MoveReport[];
  /** Whether the moves go on changing. */
  live?: boolean;
  /** The move that was played; it is marked. */
  played?: string | null;
}

export function CandidateTable(props: CandidateTableProps) {
  const { caption, kind, node, color, moves, live = false, played = null } = props;
  const order = useRef<string[]>([]);
  const isHeld = pointed.value?.node === node;
  // Rows that changed places would slip away from under the mouse.
  const rows = isHeld ? keepOrder(moves, order.current) : moves;
  order.current = rows.map(({ move }) => move);
  const most = Math.max(...moves.map(({ visits }) => visits), 1);
  const hasScore = moves.some(({ score }) => score !== null);
  const lineOf = (candidate: MoveReport): ShownLine => {
    return { node, color, moves: wholeVariation(candidate), live };
  };
  const leave = () => (pointed.value = null);
  return (
    <div class="candidates" onPointerLeave={leave}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <colgroup>
          <col class="candidates__move" />
          <col class="candidates__visits" />
          <col />
          {hasScore && <col class="candidates__score" />}
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t("Move")}</th>
            <th scope="col">{t("Visits")}</th>
            <th scope="col" title={t("Chance of {name} to win, in percent", { name: colorName(kind, color) })}>
              {t("Win %")}
            </th>
            {hasScore && <th scope="col">{t("Score")}</th>}
            <th scope="col" title={t("Belief before any simulation, in percent")}>
              {t("Prior")}
            </th>
            <th scope="col" title={t("Chance to win if the move is played at any time, in percent")}>
              {t("RAVE")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((candidate) => (
            <Row
              key={candidate.move}
              candidate={candidate}
              name={moveText(kind, candidate.move)}
              share={candidate.visits / most}
              color={color}
              hasScore={hasScore}
              isPlayed={candidate.move === played}
              isPinned={isShown(pinned.value, node, candidate.move)}
              isPointed={isShown(pointed.value, node, candidate.move)}
              point={() => (pointed.value = lineOf(candidate))}
              leave={leave}
              pin={() => {
                if (isShown(pinned.value, node, candidate.move)) showNoLine();
                else pin(lineOf(candidate));
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isShown(line: ShownLine | null, node: number, move: string): boolean {
  return line?.node === node && line.moves[0] === move;
}

interface RowProps {
  candidate: MoveReport;
  name: string;
  /** Of the visits of the best move. */
  share: number;
  color: Color;
  hasScore: boolean;
  isPlayed: boolean;
  isPinned: boolean;
  isPointed: boolean;
  point: () => void;
  leave: () => void;
  pin: () => void;
}

function Row(props: RowProps) {
  const { candidate, name, share, color, hasScore, isPlayed, isPinned, isPointed } = props;
  const { visits, value, score, prior, rave, rave_visits: raveVisits } = candidate;
  const classes = ["candidate"];
  if (isPinned) classes.push("candidate--pinned");
  if (isPointed) classes.push("candidate--pointed");
  return (
    <tr
      class={classes.join(" ")}
      // A finger that taps does not stay: it pins, and that is all.
      onPointerEnter={(event) => event.pointerType === "mouse" && props.point()}
      onClick={props.pin}
    >
      <th scope="row">
        <button
          type="button"
          class="candidate__move"
          aria-pressed={isPinned}
          aria-label={t(isPlayed ? phrase("{move}, played: show its variation on the board") : phrase("{move}: show its variation on the board"), {
            move: name,
          })}
          onFocus={props.point}
          onBlur={props.leave}
        >
          {moveName(candidate.move)}
          {isPlayed && <span class="candidate__played" aria-hidden="true" />}
        </button>
      </th>
      <td class="candidate__visits" title={longCount(visits)}>
        <span class="candidate__bar" style={{ width: `${100 * share}%` }} aria-hidden="true" />
        <span>{shortCount(visits)}</span>
      </td>
      <td class="candidate__value">
        {visits >= FEW_VISITS ? (
          <>
            {wholePercent(chanceOf(value, color))}
            <span class="candidate__error">±{bandPercent(errorOf(value, visits))}</span>
          </>
        ) : (
          "–"
        )}
      </td>
      {hasScore && <td>{score === null || visits < FEW_VISITS ? "–" : scoreText(score)}</td>}
      <td>{wholePercent(prior)}</td>
      <td>{raveVisits >= FEW_VISITS ? wholePercent(chanceOf(rave, color)) : "–"}</td>
    </tr>
  );
}
