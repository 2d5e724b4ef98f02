/** The way in: begin a game with one click, or go on with one that was kept. */

import { newGameOpen } from "../dialogs";
import { startGame } from "../connection";
import { Icon } from "../icons";
import type { IconName } from "../icons";
import type { GameKind } from "../messages";
import { ProgressLine } from "../ProgressLine";
import { formatRoute } from "../routes";
import { welcome } from "../state";
import { SettingsMenu } from "../SettingsMenu";
import { KeptGames } from "./KeptGames";
import { lastChoices, requestOf, type Choices } from "./newGame";
import { Thumbnail } from "./Thumbnail";
import { phrase, t, told } from "../languages/language";

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
