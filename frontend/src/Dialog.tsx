/** A window over the page: a `dialog` element, so that focus stays inside and Escape closes it. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { Icon } from "./icons";
import { t } from "./languages/language";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Narrow, for a question. */
  small?: boolean;
}

/** Shown as long as it is rendered. */
export function Dialog({ title, onClose, children, small = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog${small ? " dialog--small" : ""}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The backdrop belongs to the dialog; what is inside has elements of its own.
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog__body">
        <header class="dialog__header">
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            class="button button--quiet button--icon"
            aria-label={t("Close")}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
