/** How the person has fared against Montego so far. */

import "./profile.css";
import { Icon } from "../icons";
import { games } from "../state";
import { byLevel, openingsOf, rankText, ratingsOf, type RatingPoint, type Tally } from "./profile";
import { count, t } from "../languages/language";

export function ProfilePage() {
  const kept = games.value;
  const levels = byLevel(kept);
  const ratings = ratingsOf(kept);
  const openings = openingsOf(kept);
  const last = ratings.at(-1);
  return (
    <main class="profile-page">
      <header class="learn-page__header">
        <a class="button button--quiet button--icon" href="#/" aria-label={t("All games")}>
          <Icon name="back" />
        </a>
        <h1>{t("Your games in numbers")}</h1>
      </header>
      {levels.length === 0 ? (
        <p class="quiet">
          {t("Nothing to count yet: finish a game against Montego, and it will be here.")}
        </p>
      ) : (
        <>
          {last && (
            <section class="panel" aria-label={t("Rating")}>
              <h2 class="panel__title">{t("Rating over time")}</h2>
              <p>
                <strong>{rankText(last.rating)}</strong>{" "}
                <span class="quiet small">
                  {count(
                    "by {n} game at levels, which are estimates themselves|by {n} games at levels, which are estimates themselves",
                    ratings.length,
                  )}
                </span>
              </p>
              <RatingCurve points={ratings} />
            </section>
          )}
          <TallyTable caption={t("Won and lost by level")} first={t("Level")} tallies={levels} />
          {openings.length > 0 && (
            <TallyTable caption={t("Your first moves")} first={t("Opening")} tallies={openings} />
          )}
        </>
      )}
    </main>
  );
}

const WIDTH = 600;
const HEIGHT = 120;

function RatingCurve({ points }: { points: readonly RatingPoint[] }) {
  const ratings = points.map(({ rating }) => rating);
  const least = Math.min(...ratings) - 50;
  const most = Math.max(...ratings) + 50;
  const x = (place: number) => (points.length < 2 ? WIDTH / 2 : (place / (points.length - 1)) * WIDTH);
  const y = (rating: number) => HEIGHT - ((rating - least) / (most - least)) * HEIGHT;
  const path = ratings.map((rating, place) => `${x(place)},${y(rating)}`).join(" ");
  const label = t("From {first} to {last}", { first: rankText(ratings[0] ?? 0), last: rankText(ratings.at(-1) ?? 0) });
  return (
    <svg class="rating" viewBox={`-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`} role="img" aria-label={label}>
      <polyline points={path} />
      {points.map(({ game, rating }, place) => (
        <circle key={game} cx={x(place)} cy={y(rating)} r={4} />
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
