/** What Montego thinks about the game: the graph, and the other panels as tabs. */

import { AnalysisPanel } from "../panels/AnalysisPanel";
import { EstimatePanel } from "../panels/EstimatePanel";
import { HintPanel } from "../panels/HintPanel";
import { ReviewPanel } from "../panels/ReviewPanel";
import { VariationTree } from "../panels/VariationTree";
import { WhyPanel } from "../panels/WhyPanel";
import { WinRateGraph } from "../panels/WinRateGraph";
import { SolvePanel } from "../problems/SolvePanel";
import { remembered } from "../preferences";
import { Tabs, type Tab } from "../Tabs";
import { phrase, t } from "../languages/language";

type PanelName = "analysis" | "moves" | "why" | "review";

const TABS: readonly Tab<PanelName>[] = [
  { name: "analysis", label: phrase("Search"), Content: AnalysisPanel },
  { name: "moves", label: phrase("Moves"), Content: VariationTree },
  { name: "why", label: phrase("Why"), Content: WhyPanel },
  { name: "review", label: phrase("Review"), Content: ReviewPanel },
];

/** The panel that is shown; others may turn to one. */
export const shownPanel = remembered<PanelName>(
  "panel",
  "analysis",
  (value) => TABS.find(({ name }) => name === value)?.name ?? null,
);

export function SidePanels() {
  return (
    <section class="side-panels" aria-label={t("What Montego thinks")}>
      <HintPanel />
      <EstimatePanel />
      <SolvePanel />
      <div class="panel">
        <WinRateGraph />
      </div>
      <Tabs
        label={t("Panels")}
        tabs={TABS}
        selected={shownPanel.value}
        onSelect={(name) => (shownPanel.value = name)}
      />
    </section>
  );
}
