/** The games that are kept: searched, chosen together, put away, exported, deleted. */

import { useState } from "preact/hooks";

import { archiveGame, deleteGame } from "../connection";
import { ask } from "../dialogs";
import { Icon } from "../icons";
import { count, t } from "../languages/language";
import type { GameSummary } from "../messages";
import { games } from "../state";
import { FileButton } from "../upload/FileButton";
import { GameCard } from "./GameCard";
import { filterGames, type GameStates } from "./gameFilter";

/** More games than this, and they can be searched. */
const MANY_GAMES = 5;
/** Not more at once than the server takes. */
const MOST_AT_ONCE = 100;

export function KeptGames() {
  const [words, setWords] = useState("");
  const [states, setStates] = useState<GameStates>("all");
  /** The games that are chosen, or null while none are to be. */
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const kept = games.value;
  const shown = filterGames(kept, words, states);
  const isSearched = kept.length > MANY_GAMES || kept.some(({ archived }) => archived);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <section class="kept" aria-labelledby="kept-title">
      <div class="kept__header">
        <h2 id="kept-title">{t("Your games")}</h2>
        <span class="kept__ways">
          {kept.length > 0 && (
            <>
              <a class="button" href="#/profile">
                <Icon name="study" />
                {t("In numbers")}
              </a>
              <a class="button" href="/games.zip" download>
                <Icon name="download" />
                {t("Export all")}
              </a>
              <button
                type="button"
                class="button"
                aria-pressed={chosen !== null}
                onClick={() => setChosen(chosen === null ? new Set() : null)}
              >
                {t("Select")}
              </button>
            </>
          )}
          <FileButton />
        </span>
      </div>
      {kept.length === 0 ? (
        <div class="kept__empty">
          <p>
            <strong>{t("No games yet.")}</strong>
          </p>
          <p class="quiet">
            {t("Games you begin are kept here, move by move. You can also drop an SGF file anywhere on this page.")}
          </p>
        </div>
      ) : (
        <>
          {isSearched && (
            <div class="kept__search">
              <input
                class="input"
                type="search"
                placeholder={t("Search your games")}
                aria-label={t("Search your games")}
                value={words}
                onInput={(event) => setWords(event.currentTarget.value)}
              />
              <select
                class="input"
                aria-label={t("Which games")}
                value={states}
                onChange={(event) => setStates(event.currentTarget.value as GameStates)}
              >
                <option value="all">{t("All games")}</option>
                <option value="going">{t("In progress")}</option>
                <option value="over">{t("Finished")}</option>
                <option value="archived">{t("Archived")}</option>
              </select>
              {chosen === null && words !== "" && shown.length > 0 && (
                <button type="button" class="button button--danger" onClick={() => void removeAll(shown)}>
                  {count("Delete this game|Delete these {n} games", shown.length)}
                </button>
              )}
            </div>
          )}
          {chosen !== null && (
            <Selection
              shown={shown}
              chosen={shown.filter(({ id }) => chosen.has(id))}
              onChoose={(ids) => setChosen(new Set(ids))}
              onDone={() => setChosen(null)}
            />
          )}
          {shown.length === 0 && <p class="quiet">{emptyText(words, states)}</p>}
          <ul class="kept__list">
            {shown.map((summary) => (
              <GameCard
                key={summary.id}
                summary={summary}
                chosen={chosen === null ? null : chosen.has(summary.id)}
                onChoose={() => toggle(summary.id)}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function emptyText(words: string, states: GameStates): string {
  if (words !== "") return t("No game has these words.");
  return states === "archived" ? t("No game is archived.") : t("No such games. The archive may have some.");
}

interface SelectionProps {
  shown: readonly GameSummary[];
  chosen: readonly GameSummary[];
  onChoose: (ids: readonly string[]) => void;
  onDone: () => void;
}

/** What can be done with all that are chosen. */
function Selection({ shown, chosen, onChoose, onDone }: SelectionProps) {
  const isArchive = chosen.length > 0 && chosen.every(({ archived }) => archived);
  const isNone = chosen.length === 0;
  return (
    <div class="kept__selection" role="toolbar" aria-label={t("Selected games")}>
      <span class="numbers" role="status">
        {count("{n} selected|{n} selected", chosen.length)}
      </span>
      <button type="button" class="button" onClick={() => onChoose(shown.map(({ id }) => id))}>
        {t("Select all")}
      </button>
      <button
        type="button"
        class="button"
        disabled={isNone}
        onClick={() => {
          chosen.slice(0, MOST_AT_ONCE).forEach(({ id }) => archiveGame(id, !isArchive));
          onDone();
        }}
      >
        <Icon name="archive" />
        {isArchive ? t("Take out of the archive") : t("Archive")}
      </button>
      <button
        type="button"
        class="button button--danger"
        disabled={isNone}
        onClick={() => void removeAll(chosen).then((gone) => gone && onDone())}
      >
        <Icon name="remove" />
        {t("Delete")}
      </button>
      <button type="button" class="button button--quiet" onClick={onDone}>
        {t("Done")}
      </button>
    </div>
  );
}

/** Forget games, after a question; returns whether they are gone. */
async function removeAll(chosen: readonly GameSummary[]): Promise<boolean> {
  const gone = chosen.slice(0, MOST_AT_ONCE);
  const yes = await ask({
    title: count("Delete this game?|Delete {n} games?", gone.length),
    text: t("They will be gone for good."),
    action: t("Delete"),
    danger: true,
  });
  if (yes) gone.forEach(({ id }) => deleteGame(id));
  return yes;
}
