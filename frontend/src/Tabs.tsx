/** Panels of which one is shown; arrow keys go from tab to tab. */

import type { ComponentType } from "preact";
import { useId, useRef } from "preact/hooks";

import { isByKeyboard } from "./focus";
import { t } from "./languages/language";

export interface Tab<T extends string> {
  name: T;
  label: string;
  Content: ComponentType;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  selected: T;
  onSelect: (name: T) => void;
}

export function Tabs<T extends string>({ label, tabs, selected, onSelect }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const turn = (event: KeyboardEvent) => {
    // A tab that was clicked leaves the arrows to the board.
    if (!isByKeyboard()) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const here = tabs.findIndex(({ name }) => name === selected);
    const there = (here + step + tabs.length) % tabs.length;
    const next = tabs[there];
    if (step === 0 || next === undefined) return;
    onSelect(next.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[there]?.focus();
    event.preventDefault();
  };
  const shown = tabs.find(({ name }) => name === selected);
  return (
    <div class="panel tabs">
      <div
        ref={list}
        class="segments segments--wide"
        role="tablist"
        aria-label={label}
        onKeyDown={turn}
      >
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {t(text)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {shown && <shown.Content />}
      </div>
    </div>
  );
}
