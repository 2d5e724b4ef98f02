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

/** Of a search of Go whose numbers are shown. */
const LEAST_SIMULATIONS = 100;

export function AnalysisPanel() {
  const current = game.value;
  if (!current) return null;
  const shown = reportFor(current, nodes.value.get(view.value), analysisReports.value);
  const isOn = current.analyzing !== null;
  const isOver = positions.value.get(view.value)?.moves.length === 0;
  return (
    <section class="analysis sides" data-kind={current.kind} aria-label="Analysis">
      <header class="analysis__head">
        <Status current={current} shown={shown} />
        <button
          type="button"
          class="button analysis__switch"
          aria-pressed={isOn}
          disabled={!connected.value || (isOver && !isOn)}
          onClick={toggleAnalysis.run}
        >
          {isOn ? "Stop analysis" : "Analyze"}
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
  if (isOn) return "The first numbers are on their way.";
  if (isOver) return "The game is over here: there is nothing to search.";
  return (
    "Analyze searches the position shown, for as long as you like. " +
    "While Montego thinks about its move, its findings appear here as well."
  );
}

/** One line on what is going on, and the way to where it is. */
function Status({ current, shown }: { current: GameState; shown: PanelReport | null }) {
  const searched = current.analyzing ?? (current.thinking ? current.head : null);
  if (searched !== null && searched !== view.value) {
    const node = nodes.value.get(searched);
    return (
      <p class="analysis__status small">
        Searching at {node ? nodeText(current.kind, node) : "another move"}{" "}
        <button type="button" class="link" onClick={() => look(searched)}>
          Show
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
  if (current.thinking) return `${colorName(current.kind, current.thinking)} is thinking`;
  if (current.analyzing !== null) {
    if (shown?.age === "live") return "Analyzing";
    if (progress.value) return "Waiting until Montego is ready";
    return shown?.age === "ended" && shown.report.final ? "Nothing is left to search" : "Starting";
  }
  if (shown?.age === "ended" && isSolved(current, shown.report)) {
    return `${colorName(current.kind, shown.report.value === 1 ? "black" : "white")} can force a win`;
  }
  if (shown?.age === "ended" && isComplete(shown.report)) return "Analysis has ended";
  if (shown?.age === "before") return "Found before the last move";
  if (shown) return "Found earlier";
  return "Analysis is off";
}

function Findings({ current, shown }: { current: GameState; shown: PanelReport }) {
  const { report, age } = shown;
  const { kind } = current;
  if (kind === "go" && knownOf(report) < LEAST_SIMULATIONS) {
    return (
      <p class="empty quiet small">
        {age === "live"
          ? "The first numbers are on their way."
          : `Only ${report.simulations} simulations were made: too few for numbers.`}
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
          <dt>Simulations</dt>
          <dd>{longCount(report.simulations)}</dd>
        </div>
        <div>
          <dt>Per second</dt>
          <dd>{speed > 0 ? longCount(speed) : "–"}</dd>
        </div>
        {kind === "go" && (
          <div>
            <dt>Score</dt>
            <dd>{report.score === null ? "–" : scoreText(report.score)}</dd>
          </div>
        )}
      </dl>
      <CandidateTable
        caption={`Candidate moves after ${node ? nodeText(kind, node) : "this move"}, best first`}
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
