/** What a person can set for this device: theme, coordinates, sounds, what lies over the board. */

import { useEffect, useRef, useState } from "preact/hooks";

import { Segments, SelectField } from "./fields";
import { Icon } from "./icons";
import { OverlayChoices } from "./panels/OverlayChoices";
import {
  beginner,
  boardTheme,
  checks,
  confirmTaps,
  coordinates,
  judging,
  sounds,
  stoneTheme,
  theme,
  type BoardTheme,
  type Checks,
  type StoneTheme,
  type Theme,
} from "./preferences";
import { game } from "./state";
import { LANGUAGES, languageChoice, t } from "./languages/language";

export function SettingsMenu() {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      const isOutside = event.type === "pointerdown" && !menu.current?.contains(event.target as Node);
      if (isEscape || isOutside) setOpen(false);
      if (isEscape) menu.current?.querySelector("button")?.focus();
    };
    addEventListener("keydown", leave);
    addEventListener("pointerdown", leave);
    return () => {
      removeEventListener("keydown", leave);
      removeEventListener("pointerdown", leave);
    };
  }, [open]);
  return (
    <div class="menu" ref={menu}>
      <button
        type="button"
        class="button button--quiet button--icon"
        aria-label={t("Settings")}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="settings" />
      </button>
      {open && (
        <div class="menu__body" role="group" aria-label={t("Settings")}>
          <SelectField
            label={t("Language")}
            value={languageChoice.value}
            options={[
              { value: "system", label: t("As the browser") },
              ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
            ]}
            onChange={(value) => (languageChoice.value = value as typeof languageChoice.value)}
          />
          <Segments<Theme>
            legend={t("Theme")}
            name="theme"
            value={theme.value}
            options={[
              ["system", t("System")],
              ["light", t("Light")],
              ["dark", t("Dark")],
            ]}
            onChange={(value) => (theme.value = value)}
          />
          <Segments<BoardTheme>
            legend={t("Board")}
            name="board"
            value={boardTheme.value}
            options={[
              ["wood", t("Wood")],
              ["slate", t("Slate")],
              ["paper", t("Paper")],
            ]}
            onChange={(value) => (boardTheme.value = value)}
          />
          <Segments<StoneTheme>
            legend={t("Stones")}
            name="stones"
            value={stoneTheme.value}
            options={[
              ["shaded", t("Shaded")],
              ["flat", t("Flat")],
            ]}
            onChange={(value) => (stoneTheme.value = value)}
          />
          <Segments<Checks>
            legend={t("Warn me before I play")}
            name="checks"
            value={checks.value}
            options={[
              ["off", t("Nothing")],
              ["blunders", t("Blunders")],
              ["mistakes", t("Mistakes")],
            ]}
            onChange={(value) => (checks.value = value)}
          />
          <div>
            <Check label={t("Beginner’s view, without search numbers")} value={beginner} />
            <Check label={t("Judge my games as they go")} value={judging} />
            <Check label={t("Coordinates")} value={coordinates} />
            <Check label={t("Sounds")} value={sounds} />
            <Check label={t("Confirm taps on small boards")} value={confirmTaps} />
          </div>
          <div class="field">
            <span>{t("On the board while Montego searches")}</span>
            <OverlayChoices kind={game.value?.kind ?? "go"} />
          </div>
        </div>
      )}
    </div>
  );
}

function Check({ label, value }: { label: string; value: { value: boolean } }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
