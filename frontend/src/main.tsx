/** Starts the page. */

import { effect } from "@preact/signals";
import { render } from "preact";

import { announce, describeChange } from "./announcer";
import { App } from "./app";
import { connect } from "./connection";
import { closeDialogs } from "./dialogs";
import { followKeys } from "./keyboard";
import { followLanguage } from "./languages/language";
import type { GameState } from "./messages";
import { followTheme } from "./preferences";
import { followAddress, route } from "./routes";
import { noticeEvent } from "./game/events";
import { enableSounds, playSound, soundOf } from "./sound";
import { game } from "./state";
import { titleOf } from "./title";
import "./styles/theme.css";
import "./styles/base.css";
import "./styles/dialog.css";
import "./styles/messages.css";
import "./styles/start.css";
import "./styles/play.css";
import "./styles/game.css";
import "./styles/goban.css";

/** Let the changes of the game be heard, as sounds and as words. */
function followGame(): void {
  let before: GameState | null = null;
  effect(() => {
    const after = game.value;
    if (after !== null) {
      const sound = soundOf(before, after);
      if (sound !== null) playSound(sound);
      announce(describeChange(before, after));
      noticeEvent(before, after);
    }
    before = after;
  });
}

/** Have the browser's tab say which game it shows, and whose turn it is. */
function followTitle(): void {
  effect(() => {
    document.title = titleOf(game.value);
  });
}

/** A dialog belongs to the page it was opened on: the browser's back button leaves it, too. */
function leaveDialogs(): void {
  route.subscribe(closeDialogs);
}

followTheme();
followTitle();
followAddress();
leaveDialogs();
followKeys();
enableSounds();
followGame();
const scheme = location.protocol === "https:" ? "wss" : "ws";
connect(`${scheme}://${location.host}/ws`);

const root = document.getElementById("app");
// The first picture is in the right language: nothing moves when a catalogue arrives.
void followLanguage().then(() => {
  if (root !== null) render(<App />, root);
});
