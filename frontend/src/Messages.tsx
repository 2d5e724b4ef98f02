/** What lies over every page: failures, and the loss of the connection. */

import { useEffect, useState } from "preact/hooks";

import { Icon } from "./icons";
import { connected, dismiss, failures, welcome } from "./state";

/** Nobody needs to read of a connection that is back before that many milliseconds. */
const PATIENCE = 600;

export function Messages() {
  return (
    <div class="messages">
      <ConnectionLine />
      <div class="toasts" role="alert">
        {failures.value.map(({ id, text }) => (
          <div key={id} class="toast">
            <p>{text}</p>
            <button
              type="button"
              class="button button--quiet button--icon"
              aria-label="Dismiss"
              onClick={() => dismiss(id)}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
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
          {welcome.value === null ? "Connecting to Montego…" : "Connection lost. Reconnecting…"}
        </p>
      )}
    </div>
  );
}
