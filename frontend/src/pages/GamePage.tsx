/** A game: the board, the players, what can be done, and what Montego thinks about it. */

import { useEffect } from "preact/hooks";

import { BoardArea } from "../game/BoardArea";
import { Controls } from "../game/Controls";
import { EventLine } from "../game/EventLine";
import { CountPanel } from "../game/CountPanel";
import { GameHeader } from "../game/GameHeader";
import { Navigation } from "../game/Navigation";
import { Players } from "../game/Players";
import { ResultBanner } from "../game/ResultBanner";
import { ReviewBar } from "../game/ReviewBar";
import { shownPanel, SidePanels } from "../game/SidePanels";
import { WarningPanel } from "../game/WarningPanel";
import { markTool } from "../markup/markup";
import { followView } from "../panels/follow";
import { followJudging, startReview } from "../panels/review";
import { toggleZen } from "../game/commands";
import { Icon } from "../icons";
import { zen } from "../preferences";
import { game, missing } from "../state";
import { t, told } from "../languages/language";

export function GamePage() {
  useEffect(() => followView(), []);
  useEffect(() => followJudging(), []);
  // Who comes back to a game, or opens another, means to play.
  useEffect(() => () => void (markTool.value = null), []);
  const state = game.value;
  if (missing.value !== "") return <Missing reason={missing.value} />;
  if (state === null) return <main class="game-page" aria-busy="true" />;
  return (
    <main class={`game-page${zen.value ? " game-page--zen" : ""}`}>
      {zen.value ? (
        <>
          <h1 class="visually-hidden">{told(state.name)}</h1>
          <button
            type="button"
            class="button button--quiet button--icon zen-exit"
            aria-label={t("Show everything")}
            title={t("Show everything (z)")}
            onClick={toggleZen.run}
          >
            <Icon name="zen" />
          </button>
        </>
      ) : (
        <GameHeader state={state} />
      )}
      <section class="game-page__board" aria-label={t("Board")}>
        <EventLine />
        <BoardArea />
        <Navigation />
      </section>
      <div class="game-page__side">
        <Players />
        <section class="game-page__actions" aria-label={t("Play")}>
          {state.notice !== "" && (
            <p class="game-notice" role="status">
              {told(state.notice)}
            </p>
          )}
          <WarningPanel />
          <CountPanel />
          {/* Next to the board, which it is about. */}
          <ReviewBar />
          <ResultBanner onReview={reviewGame} />
          {state.phase !== "counting" && <Controls />}
        </section>
        <SidePanels />
      </div>
    </main>
  );
}

function reviewGame(): void {
  shownPanel.value = "review";
  startReview();
}

function Missing({ reason }: { reason: string }) {
  return (
    <main class="missing">
      <h1>{t("This game is not here")}</h1>
      <p class="quiet">{told(reason)}</p>
      <a class="button button--primary" href="#/">
        {t("To your games")}
      </a>
    </main>
  );
}
