/** The review where the person looks, beside the board: its progress, lessons, mistake by mistake. */

import { colorName } from "../boards/colors";
import { MistakeSteps } from "../panels/MistakeSteps";
import { lineMistakes, lineReview, shownMistake } from "../panels/review";
import { ReviewProgress } from "../panels/ReviewPanel";
import { lossText, moveText } from "../panels/wording";
import { game, look, nodes } from "../state";
import { sideOf } from "./turn";
import { count as plural, gap, phrase, rich, t, told } from "../languages/language";

export function ReviewBar() {
  const state = game.value;
  const found = lineReview.value;
  if (state === null || found === null) return null;
  const mistakes = lineMistakes.value;
  if (!found.running && found.part < 1 && mistakes.length === 0) return null;
  return (
    <section class="panel review-bar" aria-label={t("Review of the game")}>
      {found.running && (
        <div class="review__head">
          <ReviewProgress part={found.part} />
        </div>
      )}
      {!found.running && mistakes.length === 0 && <p>{t("No move lost much.")}</p>}
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
          <h2 class="panel__title">{t("What to learn from this game")}</h2>
          <ol>
            {found.lessons.map(({ node, title, text }) => (
              <li key={node}>
                <button type="button" class="link" onClick={() => look(beforeOf(node))}>
                  {told(title)}
                </button>
                <span class="small">{told(text)}</span>
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
  if (shown === null) return <>{plural("One mistake was found.|{n} mistakes were found.", count)}</>;
  const { node, mistake } = shown;
  const color = node.color ?? "black";
  const isPersons = sideOf(state, color) === "human" && state.black !== state.white;
  const sentence = isPersons
    ? phrase("Move {number}: you played {move} and lost {loss}.")
    : phrase("Move {number}: {name} played {move} and lost {loss}.");
  const better = mistake.better === null ? null : moveText(state.kind, mistake.better);
  return (
    <>
      <span class={`blot blot--${mistake.bad ? "bad" : "slight"}`} aria-hidden="true" />
      {rich(sentence, {
        number: node.number,
        name: colorName(state.kind, color),
        move: <strong>{moveText(state.kind, node.move ?? "")}</strong>,
        loss: lossText(mistake.loss, mistake.points),
      })}
      {better !== null && `${gap()}${t("Better: {move}.", { move: better })}`}
    </>
  );
}

function beforeOf(node: number): number {
  return nodes.value.get(node)?.parent ?? node;
}
