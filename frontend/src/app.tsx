/** The page: which of its parts is shown, and what lies over all of them. */

import { BookPage } from "./book/BookPage";
import { OpponentDialog } from "./game/OpponentDialog";
import { HelpDialog } from "./HelpDialog";
import { LearnPage } from "./learn/LearnPage";
import { Messages } from "./Messages";
import { GamePage } from "./pages/GamePage";
import { NewGameDialog } from "./pages/NewGameDialog";
import { StartPage } from "./pages/StartPage";
import { ProblemsPage } from "./problems/ProblemsPage";
import { ProfilePage } from "./profile/ProfilePage";
import { QuestionDialog } from "./QuestionDialog";
import { route } from "./routes";
import { ShareDialog } from "./share/ShareDialog";
import { DropZone } from "./upload/DropZone";

function Page() {
  const to = route.value;
  switch (to.page) {
    case "start":
      return <StartPage />;
    case "game":
      return <GamePage key={to.game} />;
    case "book":
      return <BookPage />;
    case "profile":
      return <ProfilePage />;
    case "problems":
      return <ProblemsPage />;
    case "learn":
      return <LearnPage />;
  }
}

export function App() {
  return (
    <>
      <Page />
      <NewGameDialog />
      <OpponentDialog />
      <ShareDialog />
      <HelpDialog />
      <QuestionDialog />
      <DropZone />
      <Messages />
    </>
  );
}
