/** How the person has fared against Montego so far. */

import "./profile.css";
import { useEffect, useState } from "preact/hooks";
import { send, startGame } from "../connection";
import { Segments } from "../fields";
import { Icon } from "../icons";
import type { LadderReply } from "../messages";
import { connected, games, ladder } from "../state";
import { byLevel, openingsOf, rankName, ratingText, type Tally } from "./profile";
import { t } from "../languages/language";

const SIZES = [9, 13, 19];

export function ProfilePage() {
  const kept = games.value;
  const levels = byLevel(kept);
  const openings = openingsOf(kept);
  return (
    <main class="profile-page">
      <header class="learn-page__header">
        <a class="button button--quiet button--icon" href="#/" aria-label={t("All games")}>
          <Icon name="back" />
        </a>
        <h1>{t("Your games in numbers")}</h1>
      </header>
      <Ladder />
      {levels.length === 0 ? (
        <p class="quiet">
          {t("Nothing to count yet: finish a game against Montego, and it will be here.")}
        </p>
      ) : (
        <>
          <TallyTable caption={t("Won and lost by level")} first={t("Level")} tallies={levels} />
          {openings.length > 0 && (
            <TallyTable caption={t("Your first moves")} first={t("Opening")} tallies={openings} />
          )}
        </>
      )}
    </main>
  );
}

/** The rating on a board, the rungs climbed, and the next one. */
function Ladder() {
  const [size, setSize] = useState(9);
  const isConnected = connected.value;
  useEffect(() => {
    if (isConnected) send({ type: "show_ladder", size });
  }, [size, isConnected]);
  const found = ladder.value;
  if (found === null) return null;
  const sizes = [...new Set([...SIZES, ...found.sizes])].sort((one, other) => one - other);
  return (
    <section class="panel ladder" aria-label={t("Ladder")}>
      <h2 class="panel__title">{t("Rating and ladder")}</h2>
      <Segments
        legend={t("Board")}
        name="ladder"
        value={String(size)}
        options={sizes.map((one) => [String(one), `${one}×${one}`] as const)}
        onChange={(value) => setSize(Number(value))}
      />
      {found.size === size && <Standing found={found} />}
    </section>
  );
}

function Standing({ found }: { found: LadderReply }) {
  const { climbed, next, rank, size, course } = found;
  const play = (strength: { level: string } | { even: true }) =>
    startGame({ type: "new_game", kind: "go", size, black: "human", white: "montego", strength });
  return (
    <>
      <p>{ratingText(found)}</p>
      {course.length > 1 && <RatingCurve course={course} />}
      <p>
        {climbed === null
          ? t("No rung climbed yet: win twice against a level, in even games without help.")
          : t("Highest rung: {rank}. Two wins against {next} climb the next one.", {
              rank: rankName(climbed),
              next: rankName(next),
            })}
      </p>
      <div class="count__actions">
        <button type="button" class="button button--primary" onClick={() => play({ level: next })}>
          {t("Climb: play {level}", { level: rankName(next) })}
        </button>
        <button type="button" class="button" onClick={() => play({ even: true })}>
          {t("An even game: {level}", { level: rankName(rank) })}
        </button>
      </div>
      <p class="small quiet">{t("Levels are estimates, and so are ratings by them.")}</p>
    </>
  );
}

const WIDTH = 600;
const HEIGHT = 120;

/** Ranks after each game as a curve. */
function RatingCurve({ course }: { course: readonly number[] }) {
  const least = Math.min(...course) - 0.5;
  const most = Math.max(...course) + 0.5;
  const x = (place: number) => (place / (course.length - 1)) * WIDTH;
  const y = (rank: number) => HEIGHT - ((rank - least) / (most - least)) * HEIGHT;
  const path = course.map((rank, place) => `${x(place)},${y(rank)}`).join(" ");
  return (
    <svg class="rating" viewBox={`-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`} role="img" aria-label={t("Rating over time")}>
      <polyline points={path} />
      {course.map((rank, place) => (
        <circle key={place} cx={x(place)} cy={y(rank)} r={4} />
      ))}
    </svg>
  );
}

interface TallyTableProps {
  caption: string;
  first: string;
  tallies: readonly Tally[];
}

function TallyTable({ caption, first, tallies }: TallyTableProps) {
  return (
    <section class="panel" aria-label={caption}>
      <h2 class="panel__title">{caption}</h2>
      <table class="tally numbers">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">{t("Won")}</th>
            <th scope="col">{t("Lost")}</th>
            <th scope="col">{t("Drawn")}</th>
          </tr>
        </thead>
        <tbody>
          {tallies.map(({ name, won, lost, drawn }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{won}</td>
              <td>{lost}</td>
              <td>{drawn}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
