/** The page: which of its parts is shown, and what lies over all of them. */

import { HelpDialog } from "./HelpDialog";
import { Messages } from "./Messages";
import { GamePage } from "./pages/GamePage";
import { NewGameDialog } from "./pages/NewGameDialog";
import { StartPage } from "./pages/StartPage";
import { QuestionDialog } from "./QuestionDialog";
import { route } from "./routes";
import { DropZone } from "./upload/DropZone";

export function App() {
  return (
    <>
      {route.value.page === "game" ? <GamePage key={route.value.game} /> : <StartPage />}
      <NewGameDialog />
      <HelpDialog />
      <QuestionDialog />
      <DropZone />
      <Messages />
    </>
  );
}
