/** What the search finds about the position shown, while it runs. */
import "./panels.css";
import "./analysis.css";
import { colorName } from "../boards/colors";
import { toggleAnalysis } from "../game/commands";
import type { GameState } from "../messages";
import { connected, game, look, nodes, positions, progress, view } from "../state";
import { analysisReports, isComplete } from "./boardView";
import { isSolved, knownOf, reportFor, speedOf, type PanelReport } from "./analysisStatus";
import { CandidateTable } from "./CandidateTable";
import { OverlayChoices } from "./OverlayChoices";
import { WinRateBar } from "./WinRateBar";
import { longCount, nodeText, scoreText } from "./wording";
import { gap, t } from "../languages/language";

/** Of a search of Go whose numbers are shown. */
const LEAST_SIMULATIONS = 100;

export function AnalysisPanel() {
  const current = game.value;
  if (!current) return null;
  const shown = reportFor(current, nodes.value.get(view.value), analysisReports.value);
  const isOn = current.analyzing !== null;
  const isOver = positions.value.get(view.value)?.moves.length === 0;
  return (
    <section class="analysis sides" data-kind={current.kind} aria-label={t("Analysis")}>
      <header class="analysis__head">
        <Status current={current} shown={shown} />
        <button
          type="button"
          class="button analysis__switch"
          aria-pressed={isOn}
          disabled={!connected.value || (isOver && !isOn)}
          onClick={toggleAnalysis.run}
        >
          {isOn ? t("Stop analysis") : t("Analyze")}
        </button>
      </header>
      {shown ? (
        <Findings current={current} shown={shown} />
      ) : (
        <p class="empty quiet small">
          {explainEmpty(isOn, isOver)}
        </p>
      )}
      <OverlayChoices kind={current.kind} />
    </section>
  );
}

function explainEmpty(isOn: boolean, isOver: boolean): string {
  if (isOn) return t("The first numbers are on their way.");
  if (isOver) return t("The game is over here: there is nothing to search.");
  return (
    t("Analyze searches the position shown, for as long as you like.") +
    gap() +
    t("While Montego thinks about its move, its findings appear here as well.")
  );
}

/** One line on what is going on, and the way to where it is. */
function Status({ current, shown }: { current: GameState; shown: PanelReport | null }) {
  const searched = current.analyzing ?? (current.thinking ? current.head : null);
  if (searched !== null && searched !== view.value) {
    const node = nodes.value.get(searched);
    return (
      <p class="analysis__status small">
        {t("Searching at {node}", { node: node ? nodeText(current.kind, node) : t("another move") })}{" "}
        <button type="button" class="link" onClick={() => look(searched)}>
          {t("Show")}
        </button>
      </p>
    );
  }
  const isLive = shown?.age === "live";
  return (
    <p class={`analysis__status small${isLive ? " analysis__status--live" : ""}`}>
      {statusText(current, shown)}
    </p>
  );
}

function statusText(current: GameState, shown: PanelReport | null): string {
  if (current.thinking) return t("{name} is thinking", { name: colorName(current.kind, current.thinking) });
  if (current.analyzing !== null) {
    if (shown?.age === "live") return t("Analyzing");
    if (progress.value) return t("Waiting until Montego is ready");
    return shown?.age === "ended" && shown.report.final ? t("Nothing is left to search") : t("Starting");
  }
  if (shown?.age === "ended" && isSolved(current, shown.report)) {
    return t("{name} can force a win", {
      name: colorName(current.kind, shown.report.value === 1 ? "black" : "white"),
    });
  }
  if (shown?.age === "ended" && isComplete(shown.report)) return t("Analysis has ended");
  if (shown?.age === "before") return t("Found before the last move");
  if (shown) return t("Found earlier");
  return t("Analysis is off");
}

function Findings({ current, shown }: { current: GameState; shown: PanelReport }) {
  const { report, age } = shown;
  const { kind } = current;
  if (kind === "go" && knownOf(report) < LEAST_SIMULATIONS) {
    return (
      <p class="empty quiet small">
        {age === "live"
          ? t("The first numbers are on their way.")
          : t("Only {n} simulations were made: too few for numbers.", { n: report.simulations })}
      </p>
    );
  }
  const speed = speedOf(report);
  const node = nodes.value.get(report.node);
  const played = age === "before" ? nodes.value.get(view.value)?.move : null;
  return (
    <div class={age === "live" ? "findings" : "findings findings--old"}>
      <WinRateBar kind={kind} value={report.value} simulations={knownOf(report)} />
      <dl class="figures numbers">
        <div>
          <dt>{t("Simulations")}</dt>
          <dd>{longCount(report.simulations)}</dd>
        </div>
        <div>
          <dt>{t("Per second")}</dt>
          <dd>{speed > 0 ? longCount(speed) : "–"}</dd>
        </div>
        {kind === "go" && (
          <div>
            <dt>{t("Score")}</dt>
            <dd>{report.score === null ? "–" : scoreText(report.score)}</dd>
          </div>
        )}
      </dl>
      <CandidateTable
        caption={t("Candidate moves, best first: {node}", { node: node ? nodeText(kind, node) : "" })}
        kind={kind}
        node={report.node}
        color={report.to_play}
        moves={report.moves}
        live={age === "live"}
        played={played ?? null}
      />
    </div>
  );
}
