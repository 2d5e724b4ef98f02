/** The top of the game page: what game this is, its mode, and what is rarely needed. */

import { helpOpen, opponentOpen, shareOpen } from "../dialogs";
import { Icon } from "../icons";
import type { GameState } from "../messages";
import { ProgressLine } from "../ProgressLine";
import { SettingsMenu } from "../SettingsMenu";
import { progress, welcome } from "../state";
import { setMode, toggleZen } from "./commands";
import { count, number, t, told } from "../languages/language";

export function GameHeader({ state }: { state: GameState }) {
  return (
    <header class="game-header">
      <a class="button button--quiet button--icon" href="#/" aria-label={t("All games")}>
        <Icon name="back" />
      </a>
      <div class="game-header__title">
        <h1>{told(state.name)}</h1>
        {progress.value === null ? (
          <p class="game-header__settings quiet small">{describeSettings(state)}</p>
        ) : (
          <ProgressLine />
        )}
      </div>
      <div class="segments" role="group" aria-label={t("Mode")}>
        {(["game", "analysis"] as const).map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={state.mode === mode}
            onClick={() => setMode(mode)}
          >
            {mode === "game" ? t("Game") : t("Analysis")}
          </button>
        ))}
      </div>
      <div class="game-header__tools">
        <button
          type="button"
          class="button button--quiet button--icon"
          aria-label={t("Players and strength")}
          title={t("Players and strength")}
          onClick={() => (opponentOpen.value = true)}
        >
          <Icon name="people" />
        </button>
        <button
          type="button"
          class="button button--quiet button--icon game-header__zen"
          aria-label={t("Board alone")}
          title={t("Board alone (z)")}
          onClick={toggleZen.run}
        >
          <Icon name="zen" />
        </button>
        <button
          type="button"
          class="button button--quiet button--icon"
          aria-label={t("Share")}
          title={t("Share: picture, GIF, SGF, link")}
          onClick={() => (shareOpen.value = true)}
        >
          <Icon name="share" />
        </button>
        <button
          type="button"
          class="button button--quiet button--icon"
          aria-label={t("Help")}
          title={t("Help")}
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
  const parts = [`${state.size}×${state.size}`, t("{rules} rules", { rules: told(rules) }), t("komi {komi}", { komi: number(state.komi) })];
  if (state.handicap > 1) parts.push(count("{n} handicap stone|{n} handicap stones", state.handicap));
  return parts.join(" · ");
}
