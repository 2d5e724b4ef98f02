/** Why the move shown was played: the search's own account, and what else it thought of. */
import "./panels.css";
import "./study.css";
import { signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { send } from "../connection";
import { beginner } from "../preferences";
import { connected, explanation, game, nodes, positions, view } from "../state";
import { CandidateTable } from "./CandidateTable";
import { SETTLED } from "./follow";
import { capitalized, moveText, nodeText } from "./wording";
import { t, told } from "../languages/language";

/** The node that Montego was asked to explain. */
const requested = signal<number | null>(null);

export function WhyPanel() {
  useAsking();
  const current = game.value;
  const node = nodes.value.get(view.value);
  if (!current || !node) return null;
  if (node.move === null || node.parent === null) {
    return <p class="empty quiet small">{t("Step to a move to see why it was played.")}</p>;
  }
  const found = explanation.value?.node === node.id ? explanation.value : null;
  if (!found) {
    const isAsked = node.explained === true || requested.value === node.id;
    return (
      <div class="empty">
        <p class="quiet small">
          {isAsked
            ? t("Asking Montego…")
            : t("Montego has not looked at this yet: {node}.", { node: nodeText(current.kind, node) })}
        </p>
        {!isAsked && (
          <button
            type="button"
            class="button"
            disabled={!connected.value}
            onClick={() => {
              requested.value = node.id;
              send({ type: "explain", node: node.id });
            }}
          >
            {t("Explain this move")}
          </button>
        )}
      </div>
    );
  }
  return (
    <section class="why sides" data-kind={current.kind} aria-label={t("Why this move")}>
      <h3 class="why__title">
        {capitalized(nodeText(current.kind, node))}
      </h3>
      {found.plain !== "" && <p class="why__plain">{told(found.plain)}</p>}
      {!beginner.value && (
        <div class="why__lines small">
          {found.lines.map((line) => (
            <p key={line}>{told(line)}</p>
          ))}
        </div>
      )}
      {!beginner.value && found.alternatives.length > 0 && (
        <CandidateTable
          caption={t("{move} and its alternatives", { move: moveText(current.kind, found.move) })}
          kind={current.kind}
          node={node.parent}
          color={node.color ?? "black"}
          moves={found.alternatives}
          played={found.move}
        />
      )}
    </section>
  );
}

/** Ask about each node that is shown for a moment, and for the position that its alternatives need. */
function useAsking(): void {
  const asked = useRef<string | null>(null);
  useSignalEffect(() => {
    const node = nodes.value.get(view.value);
    const id = game.value?.id;
    if (!connected.value) asked.current = null;
    if (!connected.value || id === undefined || !node?.explained || node.parent === null) return;
    const { parent } = node;
    const key = `${id} ${node.id}`;
    if (explanation.value?.node === node.id) {
      if (asked.current === `${key}/position` || positions.value.has(parent)) return;
      asked.current = `${key}/position`;
      send({ type: "show", node: parent });
      return;
    }
    if (asked.current === key) return;
    const timer = setTimeout(() => {
      asked.current = key;
      send({ type: "explain", node: node.id });
    }, SETTLED);
    return () => clearTimeout(timer);
  });
}
