/** What lies over every page: failures, and the loss of the connection. */

import { useEffect, useState } from "preact/hooks";

import { Icon } from "./icons";
import { connected, dismiss, failures, welcome, type Toast } from "./state";
import { t, told } from "./languages/language";

/** Nobody needs to read of a connection that is back before that many milliseconds. */
const PATIENCE = 600;
/** How long a failure is shown, in milliseconds, and what each letter adds. */
const READING = 5000;
const READING_A_LETTER = 60;

export function Messages() {
  return (
    <div class="messages">
      <ConnectionLine />
      <div class="toasts" role="alert">
        {failures.value.map((toast) => (
          <ToastLine key={toast.id} {...toast} />
        ))}
      </div>
    </div>
  );
}

/** Goes away by itself when it has been read, unless somebody points at it. */
function ToastLine({ id, text }: Toast) {
  const [held, hold] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => dismiss(id), READING + READING_A_LETTER * text.length);
    return () => clearTimeout(timer);
  }, [id, text, held]);
  return (
    <div class="toast" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
      <p>{told(text)}</p>
      <button
        type="button"
        class="button button--quiet button--icon"
        aria-label={t("Dismiss")}
        onClick={() => dismiss(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

function ConnectionLine() {
  const [lost, setLost] = useState(false);
  const isConnected = connected.value;
  useEffect(() => {
    if (isConnected) {
      setLost(false);
      return undefined;
    }
    const timer = setTimeout(() => setLost(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return (
    <div role="status">
      {lost && (
        <p class="message-line">
          <span class="spinner" aria-hidden="true" />
          {welcome.value === null ? t("Connecting to Montego…") : t("Connection lost. Reconnecting…")}
        </p>
      )}
    </div>
  );
}
