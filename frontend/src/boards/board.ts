/** What every board is given, whichever game is played on it. */

import type { BoardOverlay } from "../overlay";
import type { Color, Position } from "../messages";

export interface BoardProps {
  position: Position;
  overlay: BoardOverlay;
  /** What the person may play here now; a preview is shown on these and on no others. */
  playable: ReadonlySet<string>;
  /** The color of the preview. */
  color: Color;
  /** A move that was sent and is not yet confirmed: shown as if it were played. */
  pending: string | null;
  /** Whether coordinates are shown around the board. */
  coordinates: boolean;
  /** Whether a first tap shows where the stone would go and a second one plays it. */
  confirmTaps: boolean;
  /** Called with a point, also one that is not playable: the page decides what it means. */
  onPoint: (vertex: string) => void;
}
