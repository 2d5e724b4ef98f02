/** An answer of Montego's that a person may put away. */
import "./panels.css";
import type { ComponentChildren } from "preact";
import { Icon } from "../icons";
import { t } from "../languages/language";

export interface AnswerProps {
  title: string;
  children: ComponentChildren;
  onDismiss: () => void;
}

export function Answer({ title, children, onDismiss }: AnswerProps) {
  return (
    <section class="panel answer" aria-label={title}>
      <div class="answer__text" role="status">
        <h2 class="panel__title">{title}</h2>
        {children}
      </div>
      <button
        type="button"
        class="button button--quiet button--icon"
        aria-label={t("Dismiss: {title}", { title })}
        onClick={onDismiss}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
