/**
 * The book as a tree that one walks through: the position reached, and the moves known there.
 *
 * Every position has an address, so that the browser's own buttons go back and on. Arrow keys walk,
 * too: up and down through the list, right into a move, left back.
 */
import "./book.css";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

import { announce } from "../announcer";
import { SelectField } from "../fields";
import { GoBoard } from "../game/GoBoard";
import { Icon } from "../icons";
import { isFree } from "../keyboard";
import type { BookReply, Position } from "../messages";
import { confirmTaps, coordinates } from "../preferences";
import { formatRoute, navigate } from "../routes";
import { SettingsMenu } from "../SettingsMenu";
import { book } from "../state";
import { BookMoves } from "./BookMoves";
import { Trail } from "./Trail";
import {
  bookOverlay,
  countsText,
  knownPoints,
  moveAt,
  movePointed,
  placeAfter,
  placeAt,
  turnText,
} from "./walk";
import { rich, t, told } from "../languages/language";

export function BookPage() {
  const reply = book.value;
  if (reply === null) return <main class="game-page" aria-busy="true" />;
  if (reply.position === null) return <NoBook reply={reply} />;
  return <Walk reply={reply} position={reply.position} />;
}

interface WalkProps {
  reply: BookReply;
  position: Position;
}

function Walk({ reply, position }: WalkProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  useEffect(() => announce(`${turnText(reply)}. ${countsText(reply)}`), [reply]);
  // Not after the next frame: whoever sees the position may press a key.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isFree(event)) return;
      const act = actionOf(event, reply, pointed, setPointed);
      if (act === null) return;
      // Arrow keys would scroll the page even when there is nowhere to go.
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [reply, pointed]);
  const follow = (vertex: string) => {
    if (moveAt(reply, vertex) === null) return;
    setPointed(null);
    navigate(placeAfter(reply, vertex));
  };
  return (
    <main class="game-page book-page">
      <header class="game-header">
        <a class="button button--quiet button--icon" href="#/" aria-label={t("All games")}>
          <Icon name="back" />
        </a>
        <div class="game-header__title">
          <h1>{t("Opening book")}</h1>
          <p class="game-header__settings quiet small">{reply.place}</p>
        </div>
        <div class="game-header__tools">
          <SettingsMenu />
        </div>
      </header>
      <section class="game-page__board" aria-label={t("Board")}>
        <div class="board-frame board-frame--go">
          <GoBoard
            key={reply.settings}
            position={position}
            overlay={bookOverlay(reply, pointed)}
            playable={knownPoints(reply)}
            color={position.to_play}
            pending={null}
            coordinates={coordinates.value}
            confirmTaps={confirmTaps.value}
            onPoint={follow}
          />
        </div>
        <Trail reply={reply} />
      </section>
      <div class="game-page__side">
        {reply.trouble !== "" && (
          <p class="game-notice" role="status">
            {told(reply.trouble)}
          </p>
        )}
        <SelectField
          label={t("Board, rules and komi")}
          value={reply.settings}
          options={reply.choices.map((choice) => ({ ...choice, label: told(choice.label) }))}
          onChange={(settings) => navigate({ page: "book", settings, moves: [] })}
        />
        <section class="panel book-panel" aria-label={t("Known moves")}>
          <h2 class="book-panel__title">
            <span class={`stone-dot stone-dot--go-${position.to_play}`} aria-hidden="true" />
            {turnText(reply)}
          </h2>
          <p class="book-panel__counts quiet small">{countsText(reply)}</p>
          {reply.known.length > 0 && (
            <BookMoves reply={reply} color={position.to_play} pointed={pointed} onPoint={setPointed} />
          )}
        </section>
        <p class="quiet small book-page__keys">
          {rich("{choose} choose a move, {right} follows it, {left} goes back, {home} begins again.", {
            choose: (
              <>
                <kbd>↑</kbd> <kbd>↓</kbd>
              </>
            ),
            right: <kbd>→</kbd>,
            left: <kbd>←</kbd>,
            home: <kbd>{t("Home")}</kbd>,
          })}
        </p>
      </div>
    </main>
  );
}

/** What a key does here, or null if it means nothing. */
export function actionOf(
  event: Pick<KeyboardEvent, "key" | "target">,
  reply: BookReply,
  pointed: string | null,
  point: (move: string | null) => void,
): (() => void) | null {
  const back = (count: number) => {
    if (reply.moves.length === 0) return;
    // Coming back, one sees where one was.
    point(reply.moves[count] ?? null);
    navigate(placeAt(reply, count));
  };
  switch (event.key) {
    case "ArrowDown":
      return () => point(movePointed(reply, pointed, 1));
    case "ArrowUp":
      return () => point(movePointed(reply, pointed, -1));
    case "Enter":
      // On a link or a button it has a meaning of its own.
      if (event.target instanceof Element && event.target.closest("a, button") !== null) return null;
      return () => into(reply, pointed, point);
    case "ArrowRight":
      return () => into(reply, pointed, point);
    case "ArrowLeft":
    case "Backspace":
      return () => back(reply.moves.length - 1);
    case "Home":
      return () => back(0);
    default:
      return null;
  }
}

/** Follow the move that is pointed at, or the most visited one. */
function into(reply: BookReply, pointed: string | null, point: (move: string | null) => void): void {
  const known = pointed === null ? null : moveAt(reply, pointed);
  // One that symmetry makes the same leads to the same position, turned: stay with what was shown.
  const move = known === null ? reply.known[0]?.move : pointed;
  if (move === undefined || move === null) return;
  point(null);
  navigate(placeAfter(reply, move));
}

function NoBook({ reply }: { reply: BookReply }) {
  return (
    <main class="missing">
      <h1>{t("There is no book to show")}</h1>
      <p class="quiet">{told(reply.trouble)}</p>
      {reply.place !== "" && <p class="quiet small book-page__place">{reply.place}</p>}
      <a class="button button--primary" href={formatRoute({ page: "start" })}>
        {t("To your games")}
      </a>
    </main>
  );
}
