/** Parts of forms: a row of choices, a number with its complaint. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface SegmentsProps<T extends string> {
  legend: string;
  name: string;
  value: T;
  options: readonly (readonly [value: T, label: ComponentChildren])[];
  onChange: (value: T) => void;
}

/** Radio buttons that look like one switch. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  return (
    <fieldset class="field fieldset">
      <legend>{props.legend}</legend>
      <div class="segments segments--wide">
        {props.options.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  value: string;
  problem: string | undefined;
  onInput: (value: string) => void;
  placeholder?: string;
  /** What follows the number: `"seconds"`. */
  unit?: string;
}

/** A text field for a number; what is wrong with it stands below, and is read out with it. */
export function NumberField(props: NumberFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="field__row">
        <input
          id={id}
          class="input numbers"
          inputMode="decimal"
          autocomplete="off"
          value={props.value}
          placeholder={props.placeholder ?? ""}
          aria-invalid={props.problem !== undefined}
          aria-describedby={`${id}-problem`}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
        {props.unit !== undefined && <span class="quiet small">{props.unit}</span>}
      </div>
      <p id={`${id}-problem`} class="field__problem">
        {props.problem}
      </p>
    </div>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  help?: string | undefined;
  problem?: string | undefined;
}

export function SelectField(props: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        class="input"
        value={props.value}
        aria-describedby={`${id}-help`}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
      <p id={`${id}-help`} class={props.problem === undefined ? "field__help" : "field__problem"}>
        {props.problem ?? props.help}
      </p>
    </div>
  );
}
