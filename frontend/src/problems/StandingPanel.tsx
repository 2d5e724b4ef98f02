/** How a person fares with problems. */

import type { Standing } from "../messages";
import { t, told } from "../languages/language";

const WIDTH = 300;
const HEIGHT = 60;

export function StandingPanel({ standing }: { standing: Standing }) {
  const tried = standing.grades.filter(({ solved, failed }) => solved + failed > 0);
  const due = standing.sets.reduce((sum, set) => sum + set.due, 0);
  return (
    <section class="panel" aria-label={t("How you fare")}>
      <h2 class="panel__title">{t("How you fare")}</h2>
      {standing.trouble !== "" && (
        <p class="game-notice" role="status">
          {told(standing.trouble)}
        </p>
      )}
      <p>
        <strong class="numbers">{t("Rating {rating}", { rating: standing.rating })}</strong>{" "}
        <span class="quiet small">
          {t("{n} in a row", { n: standing.streak })},{" "}
          {t("{n} to see again", { n: due })}
        </span>
      </p>
      {standing.history.length > 1 && <Curve ratings={standing.history} />}
      {tried.length > 0 && (
        <table class="tally numbers">
          <thead>
            <tr>
              <th scope="col">{t("Grade")}</th>
              <th scope="col">{t("Solved")}</th>
              <th scope="col">{t("Missed")}</th>
            </tr>
          </thead>
          <tbody>
            {tried.map(({ grade, solved, failed }) => (
              <tr key={grade}>
                <th scope="row">{grade}</th>
                <td>{solved}</td>
                <td>{failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Curve({ ratings }: { ratings: readonly number[] }) {
  const least = Math.min(...ratings) - 10;
  const most = Math.max(...ratings) + 10;
  const points = ratings
    .map((rating, place) => {
      const x = (place / (ratings.length - 1)) * WIDTH;
      const y = HEIGHT - ((rating - least) / (most - least)) * HEIGHT;
      return `${x},${y}`;
    })
    .join(" ");
  const label = t("From {first} to {last}", { first: ratings[0] ?? 0, last: ratings.at(-1) ?? 0 });
  return (
    <svg class="rating" viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`} role="img" aria-label={label}>
      <polyline points={points} />
    </svg>
  );
}
