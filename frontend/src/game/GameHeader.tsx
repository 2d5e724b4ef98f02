/** The top of the game page: what game this is, its mode, and what is rarely needed. */

import { helpOpen, opponentOpen } from "../dialogs";
import { Icon } from "../icons";
import type { GameState } from "../messages";
import { ProgressLine } from "../ProgressLine";
import { SettingsMenu } from "../SettingsMenu";
import { progress, welcome } from "../state";
import { recordAddress } from "../upload/record";
import { setMode, toggleZen } from "./commands";

export function GameHeader({ state }: { state: GameState }) {
  return (
    <header class="game-header">
      <a class="button button--quiet button--icon" href="#/" aria-label="All games">
        <Icon name="back" />
      </a>
      <div class="game-header__title">
        <h1>{state.name}</h1>
        {progress.value === null ? (
          <p class="game-header__settings quiet small">{describeSettings(state)}</p>
        ) : (
          <ProgressLine />
        )}
      </div>
      <div class="segments" role="group" aria-label="Mode">
        {(["game", "analysis"] as const).map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={state.mode === mode}
            onClick={() => setMode(mode)}
          >
            {mode === "game" ? "Game" : "Analysis"}
          </button>
        ))}
      </div>
      <div class="game-header__tools">
        <button
          type="button"
          class="button button--quiet button--icon"
          aria-label="Players and strength"
          title="Players and strength"
          onClick={() => (opponentOpen.value = true)}
        >
          <Icon name="people" />
        </button>
        <button
          type="button"
          class="button button--quiet button--icon game-header__zen"
          aria-label="Board alone"
          title="Board alone (z)"
          onClick={toggleZen.run}
        >
          <Icon name="zen" />
        </button>
        {state.kind === "go" && (
          <a
            class="button button--quiet button--icon"
            href={recordAddress(state.id)}
            download
            aria-label="Save as SGF"
            title="Save as SGF"
          >
            <Icon name="download" />
          </a>
        )}
        <button
          type="button"
          class="button button--quiet button--icon"
          aria-label="Help"
          title="Help"
          onClick={() => (helpOpen.value = true)}
        >
          <Icon name="help" />
        </button>
        <SettingsMenu />
      </div>
    </header>
  );
}

function describeSettings(state: GameState): string {
  if (state.kind !== "go") return "";
  const rules = welcome.value?.rules.find(({ value }) => value === state.rules)?.label ?? state.rules;
  const parts = [`${state.size}×${state.size}`, `${rules} rules`, `komi ${state.komi}`];
  if (state.handicap > 1) parts.push(`${state.handicap} handicap stones`);
  return parts.join(" · ");
}
