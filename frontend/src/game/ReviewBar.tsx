/** The review where the person looks, beside the board: its progress, lessons, mistake by mistake. */

import { MistakeSteps } from "../panels/MistakeSteps";
import { lineMistakes, lineReview, shownMistake } from "../panels/review";
import { ReviewProgress } from "../panels/ReviewPanel";
import { lossText, moveText } from "../panels/wording";
import { game, look, nodes } from "../state";
import { sideOf } from "./turn";

export function ReviewBar() {
  const state = game.value;
  const found = lineReview.value;
  if (state === null || found === null) return null;
  const mistakes = lineMistakes.value;
  if (!found.running && found.part < 1 && mistakes.length === 0) return null;
  return (
    <section class="panel review-bar" aria-label="Review of the game">
      {found.running && (
        <div class="review__head">
          <ReviewProgress part={found.part} />
        </div>
      )}
      {!found.running && mistakes.length === 0 && <p>No move lost much.</p>}
      {mistakes.length > 0 && (
        <>
          <p class="review-bar__text" role="status">
            <CurrentMistake />
          </p>
          <MistakeSteps />
        </>
      )}
      {found.lessons.length > 0 && (
        <div class="lessons">
          <h2 class="panel__title">What to learn from this game</h2>
          <ol>
            {found.lessons.map(({ node, title, text }) => (
              <li key={node}>
                <button type="button" class="link" onClick={() => look(beforeOf(node))}>
                  {title}
                </button>
                <span class="small">{text}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

function CurrentMistake() {
  const state = game.value;
  const shown = shownMistake.value;
  const count = lineMistakes.value.length;
  if (state === null) return null;
  if (shown === null) return <>{count === 1 ? "One mistake was found." : `${count} mistakes were found.`}</>;
  const { node, mistake } = shown;
  const color = node.color ?? "black";
  const who = sideOf(state, color) === "human" && state.black !== state.white ? "You" : null;
  const name = who ?? (color === "black" ? "Black" : "White");
  const better = mistake.better === null ? "" : ` Better: ${moveText(state.kind, mistake.better)}.`;
  return (
    <>
      <span class={`blot blot--${mistake.bad ? "bad" : "slight"}`} aria-hidden="true" />
      Move {node.number}: {name} played <strong>{moveText(state.kind, node.move ?? "")}</strong> and lost{" "}
      {lossText(mistake.loss, mistake.points)}.{better}
    </>
  );
}

function beforeOf(node: number): number {
  return nodes.value.get(node)?.parent ?? node;
}
