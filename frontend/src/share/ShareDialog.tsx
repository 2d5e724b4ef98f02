/** Passing a game on: as a picture, moving, as a record, or by a link that a phone reads. */

import "./share.css";
import { useEffect, useState } from "preact/hooks";

import { Dialog } from "../Dialog";
import { shareOpen } from "../dialogs";
import { Icon } from "../icons";
import { t } from "../languages/language";
import type { GameState } from "../messages";
import { coordinates } from "../preferences";
import { game, line, view } from "../state";
import { recordAddress } from "../upload/record";

/** An address for other machines, and its code: rows of `#` and `.`. */
export interface Link {
  address: string;
  code: string[];
}

export function ShareDialog() {
  const state = game.value;
  if (!shareOpen.value || state === null) return null;
  return <Ways state={state} />;
}

function Ways({ state }: { state: GameState }) {
  const last = line.value.at(-1)?.id ?? state.head;
  const look = coordinates.value ? "" : "&coordinates=off";
  return (
    <Dialog title={t("Share")} onClose={() => (shareOpen.value = false)}>
      <div class="share">
        {state.kind !== "own" && (
          <>
            <Way href={`/games/${state.id}.png?node=${view.value}${look}`} label={t("Picture of this position (PNG)")} />
            <Way href={`/games/${state.id}.gif?node=${last}${look}`} label={t("The game, move by move (GIF)")} />
          </>
        )}
        {state.kind === "go" && <Way href={recordAddress(state.id)} label={t("Record with all variations (SGF)")} />}
      </div>
      <h3 class="panel__title">{t("On a phone in the same network")}</h3>
      <Links game={state.id} />
    </Dialog>
  );
}

function Way({ href, label }: { href: string; label: string }) {
  return (
    <a class="button share__way" href={href} download>
      <Icon name="download" />
      {label}
    </a>
  );
}

function Links({ game }: { game: string }) {
  const [links, setLinks] = useState<readonly Link[] | null>(null);
  useEffect(() => {
    let isThere = true;
    void fetchLinks(game).then((found) => {
      if (isThere) setLinks(found);
    });
    return () => {
      isThere = false;
    };
  }, [game]);
  if (links === null) return <p class="quiet small">{t("One moment…")}</p>;
  if (links.length === 0) {
    return (
      <p class="quiet small">
        {t("Montego listens to this computer alone. Start it with this command to let a phone in:")}{" "}
        <code>montego play --host 0.0.0.0</code>
      </p>
    );
  }
  return (
    <>
      {links.map((link) => (
        <figure key={link.address} class="share__link">
          <Code rows={link.code} />
          <figcaption>
            <a href={link.address}>{link.address}</a>
          </figcaption>
        </figure>
      ))}
      <p class="quiet small">
        {t("Whoever has this link can play here. Point the phone’s camera at the code.")}
      </p>
    </>
  );
}

/** What the server offers; nothing if it cannot be asked. */
export async function fetchLinks(game: string): Promise<readonly Link[]> {
  try {
    const response = await fetch(`/links?game=${game}`);
    return ((await response.json()) as { links: Link[] }).links;
  } catch {
    return [];
  }
}

/** Modules of white are left around it, without which cameras do not see it. */
const QUIET = 4;

export function Code({ rows }: { rows: readonly string[] }) {
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) =>
    Array.from(row).flatMap((module, x) => (module === "#" ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("QR code of the link")} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}
