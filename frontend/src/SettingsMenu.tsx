/** What a person can set for this device: theme, coordinates, sounds, what lies over the board. */

import { useEffect, useRef, useState } from "preact/hooks";

import { Segments } from "./fields";
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

export function SettingsMenu() {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      const isOutside = event.type === "pointerdown" && !menu.current?.contains(event.target as Node);
      if (isEscape || isOutside) setOpen(false);
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
        aria-label="Settings"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="settings" />
      </button>
      {open && (
        <div class="menu__body" role="group" aria-label="Settings">
          <Segments<Theme>
            legend="Theme"
            name="theme"
            value={theme.value}
            options={[
              ["system", "System"],
              ["light", "Light"],
              ["dark", "Dark"],
            ]}
            onChange={(value) => (theme.value = value)}
          />
          <Segments<BoardTheme>
            legend="Board"
            name="board"
            value={boardTheme.value}
            options={[
              ["wood", "Wood"],
              ["slate", "Slate"],
              ["paper", "Paper"],
            ]}
            onChange={(value) => (boardTheme.value = value)}
          />
          <Segments<StoneTheme>
            legend="Stones"
            name="stones"
            value={stoneTheme.value}
            options={[
              ["shaded", "Shaded"],
              ["flat", "Flat"],
            ]}
            onChange={(value) => (stoneTheme.value = value)}
          />
          <Segments<Checks>
            legend="Warn me before I play"
            name="checks"
            value={checks.value}
            options={[
              ["off", "Nothing"],
              ["blunders", "Blunders"],
              ["mistakes", "Mistakes"],
            ]}
            onChange={(value) => (checks.value = value)}
          />
          <div>
            <Check label="Beginner’s view, without search numbers" value={beginner} />
            <Check label="Judge my games as they go" value={judging} />
            <Check label="Coordinates" value={coordinates} />
            <Check label="Sounds" value={sounds} />
            <Check label="Confirm taps on small boards" value={confirmTaps} />
          </div>
          <div class="field">
            <span>On the board while Montego searches</span>
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
