/** The moves that lost the most, found by searching every move of the line that is shown. */
import "./panels.css";
import "./study.css";
import { colorName } from "../boards/colors";
import type { GameKind } from "../messages";
import { connected, game, view } from "../state";
import { lineMistakes, lineReview, showMistake, startReview, stopReview } from "./review";
import { MistakeSteps } from "./MistakeSteps";
import type { PlayedMistake } from "./reviewSteps";
import { moveText, shortLoss } from "./wording";
import { t } from "../languages/language";

export function ReviewPanel() {
  const current = game.value;
  if (!current) return null;
  const found = lineReview.value;
  const mistakes = lineMistakes.value;
  return (
    <section class="review sides" data-kind={current.kind} aria-label={t("Review")}>
      <div class="review__head">
        {found?.running ? (
          <ReviewProgress part={found.part} />
        ) : (
          <>
            <p class="small quiet">{introduction(found?.part ?? null, mistakes.length)}</p>
            <button
              type="button"
              class="button"
              disabled={!connected.value || current.tree.length < 2}
              onClick={startReview}
            >
              {found === null || found.part < 1 ? t("Review the game") : t("Review again")}
            </button>
          </>
        )}
      </div>
      {mistakes.length > 0 && (
        <>
          <MistakeSteps />
          <ol class="mistakes numbers">
            {mistakes.map((one) => (
              <li key={one.node.id}>
                <MistakeRow kind={current.kind} one={one} isShown={one.before === view.value} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

export function ReviewProgress({ part }: { part: number }) {
  return (
    <>
      <progress
        class="review__progress"
        max={1}
        value={part}
        aria-label={t("Progress of the review")}
      />
      <span class="small numbers">{Math.round(100 * part)}%</span>
      <button type="button" class="button" onClick={stopReview}>
        {t("Stop")}
      </button>
    </>
  );
}

function introduction(part: number | null, mistakes: number): string {
  if (part === null) return t("Montego searches every move and lists those that lost the most.");
  if (mistakes === 0) return part < 1 ? t("Not all moves are judged yet.") : t("No move lost much.");
  return part < 1 ? t("Found so far:") : t("These moves lost the most:");
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
        <span class={`blot blot--${mistake.bad ? "bad" : "slight"}`} aria-hidden="true" />
      </span>
      <span class="mistake__loss">−{shortLoss(mistake.loss, mistake.points)}</span>
      <span class="mistake__better quiet">{better && t("better {move}", { move: better })}</span>
    </button>
  );
}
