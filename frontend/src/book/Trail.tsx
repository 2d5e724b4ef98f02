/** The moves from the empty board to the position shown; each leads back to where it was played. */

import { useEffect, useRef } from "preact/hooks";

import { Icon } from "../icons";
import type { BookReply } from "../messages";
import { formatRoute } from "../routes";
import { placeAt } from "./walk";
import { t } from "../languages/language";

export function Trail({ reply }: { reply: BookReply }) {
  const list = useRef<HTMLOListElement>(null);
  const count = reply.moves.length;
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [count]);
  const addressAt = (moves: number) => formatRoute(placeAt(reply, moves));
  return (
    <nav class="trail" aria-label={t("Moves so far")}>
      {count > 0 ? (
        <a class="button button--quiet button--icon" href={addressAt(count - 1)} aria-label={t("One move back")}>
          <Icon name="previous" />
        </a>
      ) : (
        <span class="button button--quiet button--icon trail__nowhere" aria-hidden="true">
          <Icon name="previous" />
        </span>
      )}
      <ol ref={list} class="trail__moves numbers">
        {[t("Empty board"), ...reply.moves].map((move, place) => (
          <li key={place}>
            {place > 0 && (
              <span
                class={`stone-dot stone-dot--small stone-dot--go-${place % 2 === 1 ? "black" : "white"}`}
                aria-hidden="true"
              />
            )}
            {place === count ? (
              <strong aria-current="step">{move}</strong>
            ) : (
              <a href={addressAt(place)}>{move}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
