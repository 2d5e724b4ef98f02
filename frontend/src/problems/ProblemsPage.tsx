/** Problems of life and death: one to try, how one fares, and where problems come from. */

import "./problems.css";
import { useEffect, useState } from "preact/hooks";

import { GoBoard } from "../game/GoBoard";
import { Icon } from "../icons";
import { playStone, positionOf, type LessonBoard } from "../learn/rules";
import type { ProblemReply, ProblemResult } from "../messages";
import type { BoardOverlay, MarkShape } from "../overlay";
import { confirmTaps, coordinates } from "../preferences";
import { SettingsMenu } from "../SettingsMenu";
import { connected } from "../state";
import { count, t } from "../languages/language";
import { nextProblem, tryMove } from "./requests";
import { Sets } from "./Sets";
import { StandingPanel } from "./StandingPanel";
import { problem, result, standing, waiting } from "./store";
import { lineOverlay, taskText } from "./wording";

export function ProblemsPage() {
  const [set, setSet] = useState("montego");
  const [grade, setGrade] = useState(0);
  const isThere = connected.value;
  useEffect(() => {
    if (isThere) nextProblem(set, grade);
  }, [set, grade, isThere]);
  const shown = problem.value;
  return (
    <main class="problems-page">
      <header class="learn-page__header">
        <a class="button button--quiet button--icon" href="#/" aria-label={t("All games")}>
          <Icon name="back" />
        </a>
        <h1>{t("Problems")}</h1>
        <SettingsMenu />
      </header>
      {shown !== null && shown.problem !== "" ? (
        <Trial key={`${shown.problem} ${shown.request}`} shown={shown} onNext={() => nextProblem(set, grade)} />
      ) : (
        shown !== null && <p class="quiet">{t("There is no problem in this set yet.")}</p>
      )}
      {standing.value !== null && (
        <div class="problems-page__panels">
          <StandingPanel standing={standing.value} />
          <Sets standing={standing.value} set={set} grade={grade} onSet={setSet} onGrade={setGrade} />
        </div>
      )}
    </main>
  );
}

interface TrialProps {
  shown: ProblemReply;
  onNext: () => void;
}

function Trial({ shown, onNext }: TrialProps) {
  const [hints, setHints] = useState(0);
  const [explains, setExplains] = useState(false);
  const came = result.value;
  const board: LessonBoard = {
    size: shown.size,
    cells: shown.cells,
    to_play: shown.to_move,
    last: null,
    ko: null,
    captures: [0, 0],
  };
  const position = positionOf(board);
  const legal = position.moves.filter((move) => typeof playStone(board, move) !== "string");
  const isOver = came !== null && (came.right || came.move === "");
  const click = (vertex: string) => {
    if (isOver || !legal.includes(vertex)) return;
    setExplains(false);
    tryMove(vertex, hints);
  };
  return (
    <div class="lesson">
      <div class="lesson__board">
        <GoBoard
          position={position}
          overlay={overlayOf(shown, came, hints, explains || isOver)}
          playable={new Set(isOver || waiting.value > 0 ? [] : legal)}
          color={shown.to_move}
          pending={null}
          coordinates={coordinates.value}
          confirmTaps={confirmTaps.value}
          onPoint={click}
        />
      </div>
      <section class="lesson__text" aria-label={t("Problem")}>
        <h2>{taskText(shown)}</h2>
        <p class="quiet small">
          {t("Problem {name}, grade {grade}, rating {rating}", {
            name: shown.name,
            grade: shown.grade,
            rating: shown.rating,
          })}
          {shown.seen > 0 && `, ${count("tried {n} time before|tried {n} times before", shown.seen)}`}
        </p>
        <p class={`lesson__told${isOver ? " lesson__told--done" : ""}`} role="status">
          {waiting.value > 0 && came === null ? t("Montego looks at it…") : resultText(came)}
        </p>
        <div class="lesson__actions">
          {!isOver && (
            <button
              type="button"
              class="button"
              disabled={hints >= shown.hints.length}
              onClick={() => setHints(hints + 1)}
            >
              <Icon name="hint" />
              {t("Hint")}
            </button>
          )}
          {came !== null && !came.right && came.line.length > 1 && (
            <button
              type="button"
              class="button"
              aria-pressed={explains}
              onClick={() => setExplains(!explains)}
            >
              {t("Show why not")}
            </button>
          )}
          {!isOver && (
            <button type="button" class="button" disabled={waiting.value > 0} onClick={() => tryMove("", hints)}>
              {t("Show the answer")}
            </button>
          )}
          <button type="button" class={`button${isOver ? " button--primary" : " button--quiet"}`} onClick={onNext}>
            {isOver ? t("Next") : t("Skip")}
          </button>
        </div>
      </section>
    </div>
  );
}

/** What came of a try, in words. */
function resultText(came: ProblemResult | null): string {
  if (came === null) return "";
  if (came.move === "") return t("This is the answer: {moves}.", { moves: came.correct.join(", ") });
  if (!came.right) return t("{move} does not do it. Try again.", { move: came.move });
  return came.proven ? t("Right: {move}. It is proven.", { move: came.move }) : t("Right: {move}.", { move: came.move });
}

function overlayOf(
  shown: ProblemReply,
  came: ProblemResult | null,
  hints: number,
  showsLine: boolean,
): BoardOverlay {
  if (came !== null && showsLine && came.line.length > 0) return lineOverlay(came.line, shown.to_move);
  const marks = new Map<string, MarkShape>(shown.target.map((stone) => [stone, "circle"]));
  for (const vertex of shown.hints[hints - 1] ?? []) marks.set(vertex, "square");
  if (came !== null && !came.right && came.move !== "") marks.set(came.move, "cross");
  return { marks };
}
