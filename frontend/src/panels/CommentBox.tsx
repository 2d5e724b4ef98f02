/** The comment of the node shown, to read and to write. */
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../connection";
import { MOST_TEXT } from "../messages";
import { connected, nodes, view } from "../state";
import { t } from "../languages/language";

/** How long nobody types before what was typed is kept. */
export const PAUSE = 800;

interface Draft {
  node: number;
  text: string;
}

export function CommentBox() {
  const [draft, setDraft] = useState<Draft | null>(null);
  const latest = useRef<Draft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const [focused, setFocused] = useState(false);
  // Who is writing goes on with that move, whatever is played meanwhile.
  const node = focused && draft && nodes.value.has(draft.node) ? draft.node : view.value;
  const kept = nodes.value.get(node)?.comment ?? "";

  const keep = () => {
    clearTimeout(timer.current);
    const written = latest.current;
    latest.current = null;
    if (written && written.text !== (nodes.value.get(written.node)?.comment ?? "")) {
      send({ type: "set_comment", node: written.node, text: written.text });
    }
  };
  // What was typed at one node is kept before another one, or nothing, is shown.
  useEffect(() => keep, [node]);

  return (
    <textarea
      class="input comment small"
      rows={2}
      maxLength={MOST_TEXT}
      placeholder={t("Comment on this move")}
      aria-label={t("Comment on this move")}
      disabled={!connected.value}
      value={draft?.node === node ? draft.text : kept}
      onInput={(event) => {
        const written = { node, text: event.currentTarget.value };
        if (latest.current !== null && latest.current.node !== node) keep();
        latest.current = written;
        setDraft(written);
        clearTimeout(timer.current);
        timer.current = setTimeout(keep, PAUSE);
      }}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        keep();
        setDraft(null);
        setFocused(false);
      }}
    />
  );
}
