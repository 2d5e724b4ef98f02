/** A line over the board about what just happened. */

import { shownEvent } from "./events";

export function EventLine() {
  const event = shownEvent.value;
  if (event === null) return null;
  return (
    <p key={event.node} class="event" data-testid="event">
      {event.text}
    </p>
  );
}
