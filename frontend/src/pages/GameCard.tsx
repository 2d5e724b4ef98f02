/** A kept game in the list: its picture, what it is, and how it stands. */

import { KINDS } from "./NewGameDialog";
import { ask } from "../dialogs";
import { deleteGame } from "../connection";
import { Icon } from "../icons";
import type { GameSummary } from "../messages";
import { formatRoute } from "../routes";
import { boardShape, Thumbnail } from "./Thumbnail";
import { timeAgo } from "./timeAgo";
import { count, phrase, t, told } from "../languages/language";

interface GameCardProps {
  summary: GameSummary;
  /** Whether it is chosen; null while games are opened, not chosen. */
  chosen: boolean | null;
  onChoose: () => void;
}

export function GameCard({ summary, chosen, onChoose }: GameCardProps) {
  const [columns, rows] = boardShape(summary.kind, summary.size);
  const kind = t(KINDS.find(([value]) => value === summary.kind)?.[1] ?? phrase("Your own game"));
  const name = told(summary.name);
  const remove = async () => {
    const yes = await ask({
      title: t("Delete this game?"),
      text: t("“{game}” ({moves}) will be gone for good.", { game: name, moves: countMoves(summary.moves) }),
      action: t("Delete"),
      danger: true,
    });
    if (yes) deleteGame(summary.id);
  };
  return (
    <li class={`game-card${chosen === true ? " game-card--chosen" : ""}`}>
      <a
        class="game-card__link"
        href={formatRoute({ page: "game", game: summary.id })}
        onClick={(event) => {
          if (chosen === null) return;
          event.preventDefault();
          onChoose();
        }}
      >
        <Thumbnail kind={summary.kind} size={summary.size} cells={summary.cells} />
        <span class="game-card__text">
          <strong class="game-card__name">{name}</strong>
          <span class="quiet small">
            {kind}
            {summary.kind === "own" ? "" : ` ${columns}×${rows}`} · {countMoves(summary.moves)}
          </span>
          <span class="game-card__state small">{stateOf(summary)}</span>
          <time class="quiet small" dateTime={new Date(summary.changed * 1000).toISOString()}>
            {timeAgo(summary.changed, Date.now() / 1000)}
          </time>
        </span>
      </a>
      {chosen !== null ? (
        <input
          type="checkbox"
          class="game-card__choice"
          checked={chosen}
          aria-label={t("Select {game}", { game: name })}
          onChange={onChoose}
        />
      ) : (
        <button
          type="button"
          class="button button--quiet button--icon game-card__delete"
          aria-label={t("Delete {game}", { game: name })}
          onClick={() => void remove()}
        >
          <Icon name="remove" />
        </button>
      )}
    </li>
  );
}

function countMoves(moves: number): string {
  return count("{n} move|{n} moves", moves);
}

function stateOf({ phase, result }: GameSummary): string {
  if (phase === "over") return told(result ?? "") || t("Finished");
  return phase === "counting" ? t("Being counted") : t("In progress");
}
