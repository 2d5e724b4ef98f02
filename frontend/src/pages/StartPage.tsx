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

export function StartPage() {
  return (
    <main class="start-page">
      <header class="start-page__header">
        <div>
          <h1 class="wordmark">Montego</h1>
          <p class="quiet">Play Go, and see how the computer thinks.</p>
          <ProgressLine />
        </div>
        <SettingsMenu />
      </header>
      {welcome.value !== null && welcome.value.notice !== "" && (
        <p class="game-notice" role="status">
          {welcome.value.notice}
        </p>
      )}
      <Beginnings />
      <KeptGames />
      <footer class="start-page__footer quiet small">
        {welcome.value !== null && <>Montego {welcome.value.version}. </>}
        Everything stays on this computer.
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
    <section aria-label="New game" class="beginnings">
      <button
        type="button"
        class="beginning beginning--main"
        onClick={() => startGame(requestOf(quick, Math.random()))}
      >
        <Thumbnail kind="go" size={9} cells={SAMPLE} />
        <span>
          <strong>Play 9×9 against Montego</strong>
          <span class="beginning__detail">
            {level ?? choices.level}, you play {choices.color === "random" ? "either color" : choices.color}
          </span>
        </span>
      </button>
      <Beginning
        icon="plus"
        title="New game"
        detail="Size, level, color, handicap, clock"
        onClick={() => (newGameOpen.value = lastChoices.value.kind)}
      />
      <a class="beginning" href="#/learn">
        <span class="beginning__icon">
          <Icon name="help" />
        </span>
        <span>
          <strong>Learn the rules</strong>
          <span class="beginning__detail">Go in five interactive minutes</span>
        </span>
      </a>
      <Beginning
        icon="study"
        title="Analysis board"
        detail="Play both colors and explore"
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
      <a class="beginning" href={formatRoute({ page: "book", settings: "", moves: [] })}>
        <span class="beginning__icon">
          <Icon name="book" />
        </span>
        <span>
          <strong>Opening book</strong>
          <span class="beginning__detail">What Montego has learned so far</span>
        </span>
      </a>
      <div class="other-games" role="group" aria-label="Other games">
        {OTHER_GAMES.map(({ kind, title, size, cells }) => (
          <button
            key={kind}
            type="button"
            class="other-game"
            onClick={() => (newGameOpen.value = kind)}
          >
            <Thumbnail kind={kind} size={size} cells={cells} />
            {title}
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
        <h2 id="kept-title">Your games</h2>
        <span class="kept__ways">
          {kept.length > 0 && (
            <a class="button" href="#/profile">
              <Icon name="study" />
              In numbers
            </a>
          )}
          <FileButton />
        </span>
      </div>
      {kept.length === 0 ? (
        <div class="kept__empty">
          <p>
            <strong>No games yet.</strong>
          </p>
          <p class="quiet">
            Games you begin are kept here, move by move. You can also drop an SGF file anywhere on this
            page.
          </p>
        </div>
      ) : (
        <>
          {kept.length > MANY_GAMES && (
            <div class="kept__search">
              <input
                class="input"
                type="search"
                placeholder="Search your games"
                aria-label="Search your games"
                value={words}
                onInput={(event) => setWords(event.currentTarget.value)}
              />
              <select
                class="input"
                aria-label="Which games"
                value={states}
                onChange={(event) => setStates(event.currentTarget.value as GameStates)}
              >
                <option value="all">All games</option>
                <option value="going">In progress</option>
                <option value="over">Finished</option>
              </select>
              {words !== "" && shown.length > 0 && (
                <button type="button" class="button button--danger" onClick={() => void removeAll(shown)}>
                  Delete {shown.length === 1 ? "this game" : `these ${shown.length} games`}
                </button>
              )}
            </div>
          )}
          {shown.length === 0 && <p class="quiet">No game has these words.</p>}
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
    title: gone.length === 1 ? "Delete this game?" : `Delete ${gone.length} games?`,
    text: "They will be gone for good.",
    action: "Delete",
    danger: true,
  });
  if (yes) gone.forEach(({ id }) => deleteGame(id));
}

const MOST_AT_ONCE = 100;

const SAMPLE =
  "........." + "..XO....." + "..XO..O.." + "....X...." + "..X.XO..." + "...XO...." + "..O.O.X.." + "........." + ".........";

const OTHER_GAMES: readonly { kind: GameKind; title: string; size: number; cells: string }[] = [
  { kind: "hex", title: "Hex", size: 5, cells: "....." + "..X.." + ".OX.." + ".XO.." + "....." },
  {
    kind: "connect-four",
    title: "Connect 4",
    size: 7,
    cells: "......." + "......." + "......." + "...X..." + "..OXO.." + ".XOOX..",
  },
  { kind: "tic-tac-toe", title: "Tic-tac-toe", size: 3, cells: "X.O" + ".X." + "O.." },
];
