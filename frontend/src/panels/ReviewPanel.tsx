/** The moves that lost the most, found by searching every move of the main line. */
import "./panels.css";
import "./study.css";
import { signal, useSignalEffect } from "@preact/signals";
import { colorName } from "../boards/colors";
import { send } from "../connection";
import { Icon } from "../icons";
import type { GameKind } from "../messages";
import { connected, game, look, nodes, review, view } from "../state";
import { wholeVariation } from "../overlays";
import { pin } from "./boardView";
import { nextMistake, shownMistakes, type PlayedMistake } from "./reviewSteps";
import { moveText, percent } from "./wording";

/** How far the review was when it was stopped here, or null: the server sends no word about that. */
const stoppedAt = signal<number | null>(null);

/** Judge every move of the main line; what was judged before is not judged again. */
export function startReview(): void {
  stoppedAt.value = null;
  send({ type: "review", on: true });
}

export function ReviewPanel() {
  useSignalEffect(() => {
    // Replies under way when it was stopped say more, a review begun anew says less.
    const part = review.value?.part ?? 0;
    if (part < (stoppedAt.peek() ?? 0)) stoppedAt.value = null;
  });
  const current = game.value;
  if (!current) return null;
  const found = review.value;
  const isRunning = found !== null && found.part < 1 && stoppedAt.value === null;
  const mistakes = shownMistakes(found?.mistakes ?? [], nodes.value);
  const hasMoves = current.tree.length > 1;
  return (
    <section class="review sides" data-kind={current.kind} aria-label="Review">
      <div class="review__head">
        {isRunning ? (
          <>
            <progress
              class="review__progress"
              max={1}
              value={found.part}
              aria-label="Progress of the review"
            />
            <span class="small numbers">{Math.round(100 * found.part)}%</span>
            <button type="button" class="button" onClick={() => stop(found.part)}>
              Stop
            </button>
          </>
        ) : (
          <>
            <p class="small quiet">{introduction(found?.part ?? null, mistakes.length)}</p>
            <button
              type="button"
              class="button"
              disabled={!connected.value || !hasMoves}
              onClick={startReview}
            >
              {found ? "Review again" : "Review the game"}
            </button>
          </>
        )}
      </div>
      {mistakes.length > 0 && <Mistakes kind={current.kind} mistakes={mistakes} />}
    </section>
  );
}

function stop(part: number): void {
  stoppedAt.value = part;
  send({ type: "review", on: false });
}

function introduction(part: number | null, mistakes: number): string {
  if (part === null) return "Montego searches every move and lists those that lost the most.";
  if (mistakes === 0) return part < 1 ? "Stopped." : "No move lost much.";
  return part < 1 ? "Stopped; found so far:" : "These moves lost the most:";
}

function Mistakes({ kind, mistakes }: { kind: GameKind; mistakes: readonly PlayedMistake[] }) {
  const shown = nodes.value.get(view.value);
  const previous = nextMistake(mistakes, shown, -1);
  const next = nextMistake(mistakes, shown, 1);
  return (
    <>
      <div class="review__steps">
        <button
          type="button"
          class="button"
          disabled={!previous}
          onClick={() => previous && showMistake(previous)}
        >
          <Icon name="previous" />
          Previous mistake
        </button>
        <button
          type="button"
          class="button"
          disabled={!next}
          onClick={() => next && showMistake(next)}
        >
          Next mistake
          <Icon name="next" />
        </button>
      </div>
      <ol class="mistakes numbers">
        {mistakes.map((one) => (
          <li key={one.node.id}>
            <MistakeRow kind={kind} one={one} isShown={one.before === view.value} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface MistakeRowProps {
  kind: GameKind;
  one: PlayedMistake;
  isShown: boolean;
}

function MistakeRow({ kind, one, isShown }: MistakeRowProps) {
  const { node, mistake } = one;
  const color = node.color ?? "black";
  const better = mistake.better === null ? null : moveText(kind, mistake.better);
  return (
    <button
      type="button"
      class="mistake"
      aria-current={isShown ? "true" : undefined}
      onClick={() => showMistake(one)}
    >
      <span class="mistake__number quiet">{node.number}</span>
      <span class={`disc disc--${color}`} aria-hidden="true" />
      <span class="mistake__move">
        <span class="visually-hidden">{colorName(kind, color)} </span>
        {moveText(kind, node.move ?? "")}
      </span>
      <span class="mistake__loss">−{percent(mistake.loss)}%</span>
      <span class="mistake__better quiet">{better && `better ${better}`}</span>
    </button>
  );
}

/** Show the position before a mistake, with a cross on the move and the better line beside it. */
export function showMistake({ mistake, node, before }: PlayedMistake): void {
  look(before);
  const { better, variation } = mistake;
  if (better === null || node.color === null || node.move === null) return;
  pin({
    node: before,
    color: node.color,
    moves: wholeVariation({ move: better, variation }),
    played: node.move,
  });
}
