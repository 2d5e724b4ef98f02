/** Forgetting a variation, after asking. */
import { send } from "../connection";
import { ask } from "../dialogs";
import { children, game, look, nodes } from "../state";
import { nodeText } from "./wording";
import { count, t } from "../languages/language";

/** Ask, and then have a node and all that follows deleted; its parent is shown. Not the root. */
export async function deleteVariation(id: number): Promise<void> {
  const node = nodes.value.get(id);
  const parent = node?.parent ?? null;
  if (!game.value || !node || parent === null) return;
  const following = countFrom(id) - 1;
  const values = { node: nodeText(game.value.kind, node) };
  const yes = await ask({
    title: t("Delete this variation?"),
    text:
      following === 0
        ? t("This removes {node}. It cannot be undone.", values)
        : count(
            "This removes {node}, and {n} move that follows. It cannot be undone.|This removes {node}, and {n} moves that follow. It cannot be undone.",
            following,
            values,
          ),
    action: t("Delete"),
    danger: true,
  });
  if (!yes) return;
  look(parent);
  send({ type: "delete_node", node: id });
}

/** How many nodes a variation has, its first one included. */
function countFrom(id: number): number {
  let count = 0;
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    for (const child of children.value.get(next) ?? []) waiting.push(child.id);
  }
  return count;
}
