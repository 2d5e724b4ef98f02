/** The rules of Go in a few interactive steps, and the way to a first game. */

import "./learn.css";
import { useState } from "preact/hooks";

import { startGame } from "../connection";
import { GoBoard } from "../game/GoBoard";
import { Icon } from "../icons";
import { beginner, checks, coordinates } from "../preferences";
import { REFUSALS, STEPS, type Step } from "./lessons";
import { playStone, positionOf, type LessonBoard } from "./rules";
import { t } from "../languages/language";

export function LearnPage() {
  const [place, setPlace] = useState(0);
  const step = STEPS[place];
  return (
    <main class="learn-page">
      <header class="learn-page__header">
        <a class="button button--quiet button--icon" href="#/" aria-label={t("All games")}>
          <Icon name="back" />
        </a>
        <h1>{t("The rules of Go")}</h1>
        <span class="quiet small numbers">
          {t("{number} of {total}", { number: Math.min(place + 1, STEPS.length), total: STEPS.length })}
        </span>
      </header>
      <progress class="learn-page__progress" max={STEPS.length} value={place} aria-label={t("Progress")} />
      {step ? (
        <Lesson
          key={place}
          step={step}
          onBack={place > 0 ? () => setPlace(place - 1) : null}
          onNext={() => setPlace(place + 1)}
        />
      ) : (
        <FirstGame onAgain={() => setPlace(0)} />
      )}
    </main>
  );
}

interface LessonProps {
  step: Step;
  onBack: (() => void) | null;
  onNext: () => void;
}

function Lesson({ step, onBack, onNext }: LessonProps) {
  const [board, setBoard] = useState<LessonBoard>(step.board);
  const [isDone, setDone] = useState(false);
  const [told, setTold] = useState("");
  const finish = () => {
    setDone(true);
    setTold(t(step.done));
  };
  const click = (vertex: string) => {
    if (isDone || step.goal === "pass") return;
    const after = playStone(board, vertex);
    if (typeof after === "string") {
      const isGoal = step.goal === "refused" && after === "suicide";
      if (isGoal) finish();
      else setTold(t(REFUSALS[after]));
      return;
    }
    const isGoal = step.goal === "any" || (step.goal !== "refused" && step.goal.includes(vertex));
    if (!isGoal) {
      setTold(t("Not there: try again."));
      return;
    }
    setBoard(after);
    finish();
  };
  const position = positionOf(board);
  const marks = new Map(isDone ? [] : step.marks);
  const overlay = isDone && step.territory ? { territory: step.territory } : { marks };
  return (
    <div class="lesson">
      <div class="lesson__board">
        <GoBoard
          position={position}
          overlay={overlay}
          playable={new Set(isDone || step.goal === "pass" ? [] : position.moves)}
          color="black"
          pending={null}
          coordinates={coordinates.value}
          confirmTaps={false}
          onPoint={click}
        />
      </div>
      <section class="lesson__text" aria-label={t("Lesson")}>
        <h2>{t(step.title)}</h2>
        <p>{t(step.text)}</p>
        <p class="lesson__task">{t(step.task)}</p>
        <p class={`lesson__told${isDone ? " lesson__told--done" : ""}`} role="status">
          {told}
        </p>
        <div class="lesson__actions">
          {onBack && (
            <button type="button" class="button" onClick={onBack}>
              {t("Back")}
            </button>
          )}
          {step.goal === "pass" && !isDone && (
            <button type="button" class="button" onClick={finish}>
              {t("Pass")}
            </button>
          )}
          <button
            type="button"
            class={`button${isDone ? " button--primary" : " button--quiet"}`}
            onClick={onNext}
          >
            {isDone ? t("Next") : t("Skip")}
          </button>
        </div>
      </section>
    </div>
  );
}

function FirstGame({ onAgain }: { onAgain: () => void }) {
  const begin = () => {
    beginner.value = true;
    checks.value = "blunders";
    startGame({
      type: "new_game",
      kind: "go",
      size: 9,
      black: "human",
      white: "montego",
      strength: { level: "30k" },
    });
  };
  return (
    <section class="lesson__end" aria-label={t("A first game")}>
      <h2>{t("That was all")}</h2>
      <p>
        {t("Play a first game on the small board against the weakest Montego. It warns you before you make a blunder, and tells you afterwards what to learn. Both can be changed in the settings.")}
      </p>
      <div class="lesson__actions">
        <button type="button" class="button" onClick={onAgain}>
          {t("Again from the start")}
        </button>
        <button type="button" class="button button--primary" onClick={begin}>
          {t("Play a first game")}
        </button>
      </div>
    </section>
  );
}
