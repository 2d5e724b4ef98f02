/** The moves that the book knows in a position, one row each, the most visited first. */
import "../panels/analysis.css";

import { colorName } from "../boards/colors";
import type { BookMove, BookReply, Color } from "../messages";
import { chanceOf } from "../overlays";
import { longCount, percent, shortCount } from "../panels/wording";
import { formatRoute, navigate } from "../routes";
import { moveAt, placeAfter } from "./walk";
import { t } from "../languages/language";

interface BookMovesProps {
  reply: BookReply;
  /** Who is to play. */
  color: Color;
  pointed: string | null;
  onPoint: (move: string | null) => void;
}

export function BookMoves({ reply, color, pointed, onPoint }: BookMovesProps) {
  const most = Math.max(...reply.known.map(({ visits }) => visits), 1);
  const shown = pointed === null ? null : moveAt(reply, pointed);
  const name = colorName("go", color);
  return (
    <div class="candidates book-moves" onPointerLeave={() => onPoint(null)}>
      <table>
        <caption class="visually-hidden">{t("Moves that the book knows here, the most visited first")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("Move")}</th>
            <th scope="col">{t("Visits")}</th>
            <th scope="col" title={t("Chance of {name} to win, in percent", { name })}>
              {t("Win %")}
            </th>
            <th scope="col" title={t("Chance to win if the move is played at any time, in percent")}>
              {t("RAVE")}
            </th>
          </tr>
        </thead>
        <tbody>
          {reply.known.map((known) => (
            <Row
              key={known.move}
              known={known}
              address={placeAfter(reply, known.move)}
              share={known.visits / most}
              color={color}
              isPointed={known === shown}
              point={() => onPoint(known.move)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  known: BookMove;
  address: ReturnType<typeof placeAfter>;
  /** Of the visits of the most visited move. */
  share: number;
  color: Color;
  isPointed: boolean;
  point: () => void;
}

function Row({ known, address, share, color, isPointed, point }: RowProps) {
  const { move, alike, visits, value, rave, rave_visits: raveVisits, goes_on: goesOn } = known;
  return (
    <tr
      class={`candidate${isPointed ? " candidate--pointed" : ""}`}
      aria-current={isPointed ? "true" : undefined}
      onPointerEnter={(event) => event.pointerType === "mouse" && point()}
      onClick={() => navigate(address)}
    >
      <th scope="row">
        <a
          class="book-moves__move"
          href={formatRoute(address)}
          title={alike.length === 0 ? undefined : t("The same as {moves} by symmetry", { moves: alike.join(", ") })}
          onFocus={point}
          onClick={(event) => event.stopPropagation()}
        >
          {move}
        </a>
        {alike.length > 0 && (
          <span class="book-moves__note quiet">
            {" "}
            +{alike.length}
            <span class="visually-hidden"> {t("alike")}</span>
          </span>
        )}
        {!goesOn && (
          <span class="book-moves__note quiet" title={t("The book does not know the position after it")}>
            {" "}
            {t("end")}
          </span>
        )}
      </th>
      <td class="candidate__visits" title={longCount(visits)}>
        <span class="candidate__bar" style={{ width: `${100 * share}%` }} aria-hidden="true" />
        <span>{shortCount(visits)}</span>
      </td>
      <td class="candidate__value">{percent(chanceOf(value, color))}</td>
      <td>{raveVisits > 0 ? percent(chanceOf(rave, color)) : "–"}</td>
    </tr>
  );
}
