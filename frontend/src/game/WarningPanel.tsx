/** A blunder, named before it is final: the board shows what would happen. */

import { useEffect } from "preact/hooks";

import { colorName, otherColor } from "../boards/colors";
import { play } from "../connection";
import { pin, showNoLine } from "../panels/boardView";
import { lossText, moveText } from "../panels/wording";
import { game, positions, warning } from "../state";
import { gap, t, told } from "../languages/language";

export function WarningPanel() {
  const shown = warning.value;
  useEffect(() => {
    if (shown === null) return undefined;
    const color = positions.peek().get(shown.node)?.to_play ?? "black";
    pin({ node: shown.node, color, moves: [shown.move, ...shown.refutation] });
    return showNoLine;
  }, [shown]);
  if (shown === null || game.value === null) return null;
  const answering = otherColor(positions.value.get(shown.node)?.to_play ?? "black");
  const decide = (plays: boolean) => {
    warning.value = null;
    if (plays) play(shown.node, shown.move, { checked: true });
  };
  return (
    <section class="panel warning" aria-label={t("Warning")} role="alert">
      <h2 class="warning__title">{t("Wait: {move}?", { move: moveText(game.value.kind, shown.move) })}</h2>
      <p>{told(shown.text)}</p>
      <p class="small quiet">
        {t("It would lose {loss}.", { loss: lossText(shown.loss, shown.points) })}
        {shown.refutation.length > 0 &&
          `${gap()}${t("The board shows it, and what {name} would answer.", { name: colorName(game.value.kind, answering) })}`}
      </p>
      <div class="count__actions">
        <button type="button" class="button button--primary" onClick={() => decide(false)}>
          {t("Take it back")}
        </button>
        <button type="button" class="button" onClick={() => decide(true)}>
          {t("Play it anyway")}
        </button>
      </div>
    </section>
  );
}
