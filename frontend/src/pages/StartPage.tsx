/** The way in: begin a game with one click, or go on with one that was kept. */

import { useState } from "preact/hooks";

import { ask, newGameOpen } from "../dialogs";
import { deleteGame, startGame } from "../connection";
import { Icon } from "../icons";
import type { IconName } from "../icons";
import type { GameKind, GameSummary } from "../messages";
import { ProgressLine } from "../ProgressLine";
import { formatRoute } from "../routes";
import { games, welcome } from "../state";
import { SettingsMenu } from "../SettingsMenu";
import { FileButton } from "../upload/FileButton";
import { GameCard } from "./GameCard";
import { filterGames, type GameStates } from "./gameFilter";
import { lastChoices, requestOf, type Choices } from "./newGame";
import { Thumbnail } from "./Thumbnail";
import { count, phrase, t, told } from "../languages/language";

export function StartPage() {
  return (
    <main class="start-page">
      <header class="start-page__header">
        <div>
          <h1 class="wordmark">Montego</h1>
          <p class="quiet">{t("Play Go, and see how the computer thinks.")}</p>
          <ProgressLine />
        </div>
        <SettingsMenu />
      </header>
      {welcome.value !== null && welcome.value.notice !== "" && (
        <p class="game-notice" role="status">
          {told(welcome.value.notice)}
        </p>
      )}
      <Beginnings />
      <KeptGames />
      <footer class="start-page__footer quiet small">
        {welcome.value !== null && <>Montego {welcome.value.version}. </>}
        {t("Everything stays on this computer.")}
      </footer>
    </main>
  );
}

function Beginnings() {
  const choices = lastChoices.value;
  const own = welcome.value?.own ?? null;
  const level = welcome.value?.levels.find(({ value }) => value === choices.level)?.label;
  const quick: Choices = {
    ...choices,
    kind: "go",
    size: "9",
    opponent: "montego",
    handicap: "0",
    komi: "",
    strength: "level",
    clock: "none",
  };
  return (
    <section aria-label={t("New game")} class="beginnings">
      <button
        type="button"
        class="beginning beginning--main"
        onClick={() => startGame(requestOf(quick, Math.random()))}
      >
        <Thumbnail kind="go" size={9} cells={SAMPLE} />
        <span>
          <strong>{t("Play 9×9 against Montego")}</strong>
          <span class="beginning__detail">
            {t(YOU_PLAY[choices.color], { level: told(level ?? choices.level) })}
          </span>
        </span>
      </button>
      <Beginning
        icon="plus"
        title={t("New game")}
        detail={t("Size, level, color, handicap, clock")}
        onClick={() => (newGameOpen.value = lastChoices.value.kind)}
      />
      <a class="beginning" href="#/learn">
        <span class="beginning__icon">
          <Icon name="help" />
        </span>
        <span>
          <strong>{t("Learn the rules")}</strong>
          <span class="beginning__detail">{t("Go in five interactive minutes")}</span>
        </span>
      </a>
      <Beginning
        icon="study"
        title={t("Analysis board")}
        detail={t("Play both colors and explore")}
        onClick={() =>
          startGame({
            type: "new_game",
            kind: "go",
            size: choices.kind === "go" ? Number(choices.size) || 19 : 19,
            black: "human",
            white: "human",
            mode: "analysis",
          })
        }
      />
      <a class="beginning" href="#/problems">
        <span class="beginning__icon">
          <Icon name="hint" />
        </span>
        <span>
          <strong>{t("Problems")}</strong>
          <span class="beginning__detail">{t("Life and death, proven")}</span>
        </span>
      </a>
      <a class="beginning" href={formatRoute({ page: "book", settings: "", moves: [] })}>
        <span class="beginning__icon">
          <Icon name="book" />
        </span>
        <span>
          <strong>{t("Opening book")}</strong>
          <span class="beginning__detail">{t("What Montego has learned so far")}</span>
        </span>
      </a>
      <div class="other-games" role="group" aria-label={t("Other games")}>
        {OTHER_GAMES.map(({ kind, title, size, cells }) => (
          <button
            key={kind}
            type="button"
            class="other-game"
            onClick={() => (newGameOpen.value = kind)}
          >
            <Thumbnail kind={kind} size={size} cells={cells} />
            {t(title)}
          </button>
        ))}
        {own !== null && (
          <button type="button" class="other-game" onClick={() => (newGameOpen.value = "own")}>
            <Thumbnail kind="own" size={1} cells="" />
            {own}
          </button>
        )}
      </div>
    </section>
  );
}

interface BeginningProps {
  icon: IconName;
  title: string;
  detail: string;
  onClick: () => void;
}

function Beginning({ icon, title, detail, onClick }: BeginningProps) {
  return (
    <button type="button" class="beginning" onClick={onClick}>
      <span class="beginning__icon">
        <Icon name={icon} />
      </span>
      <span>
        <strong>{title}</strong>
        <span class="beginning__detail">{detail}</span>
      </span>
    </button>
  );
}

/** More games than this, and they can be searched. */
const MANY_GAMES = 5;

function KeptGames() {
  const [words, setWords] = useState("");
  const [states, setStates] = useState<GameStates>("all");
  const kept = games.value;
  const shown = filterGames(kept, words, states);
  return (
    <section class="kept" aria-labelledby="kept-title">
      <div class="kept__header">
        <h2 id="kept-title">{t("Your games")}</h2>
        <span class="kept__ways">
          {kept.length > 0 && (
            <a class="button" href="#/profile">
              <Icon name="study" />
              {t("In numbers")}
            </a>
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
          {kept.length > MANY_GAMES && (
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
              </select>
              {words !== "" && shown.length > 0 && (
                <button type="button" class="button button--danger" onClick={() => void removeAll(shown)}>
                  {count("Delete this game|Delete these {n} games", shown.length)}
                </button>
              )}
            </div>
          )}
          {shown.length === 0 && <p class="quiet">{t("No game has these words.")}</p>}
          <ul class="kept__list">
            {shown.map((summary) => (
              <GameCard key={summary.id} summary={summary} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Forget games, after a question; not more at once than the server takes. */
async function removeAll(chosen: readonly GameSummary[]): Promise<void> {
  const gone = chosen.slice(0, MOST_AT_ONCE);
  const yes = await ask({
    title: count("Delete this game?|Delete {n} games?", gone.length),
    text: t("They will be gone for good."),
    action: t("Delete"),
    danger: true,
  });
  if (yes) gone.forEach(({ id }) => deleteGame(id));
}

const MOST_AT_ONCE = 100;

const YOU_PLAY: Record<Choices["color"], string> = {
  black: phrase("{level}, you play black"),
  white: phrase("{level}, you play white"),
  random: phrase("{level}, you play either color"),
};

const SAMPLE =
  "........." + "..XO....." + "..XO..O.." + "....X...." + "..X.XO..." + "...XO...." + "..O.O.X.." + "........." + ".........";

const OTHER_GAMES: readonly { kind: GameKind; title: string; size: number; cells: string }[] = [
  { kind: "hex", title: phrase("Hex"), size: 5, cells: "....." + "..X.." + ".OX.." + ".XO.." + "....." },
  {
    kind: "connect-four",
    title: phrase("Connect 4"),
    size: 7,
    cells: "......." + "......." + "......." + "...X..." + "..OXO.." + ".XOOX..",
  },
  { kind: "tic-tac-toe", title: phrase("Tic-tac-toe"), size: 3, cells: "X.O" + ".X." + "O.." },
];
