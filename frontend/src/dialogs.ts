/** Which dialog is open, and questions that are answered with yes or no. */

import { signal } from "@preact/signals";

import type { GameKind } from "./messages";

export interface Question {
  title: string;
  text: string;
  /** What the button says that answers yes. */
  action: string;
  danger?: boolean;
  answer: (yes: boolean) => void;
}

/** The question that is open. */
export const question = signal<Question | null>(null);
/** The dialog for a new game: closed, or open for that kind of game. */
export const newGameOpen = signal<GameKind | null>(null);
export const helpOpen = signal(false);
/** The dialog about who plays on from the position shown. */
export const opponentOpen = signal(false);

/** The dialog about passing a game on. */
export const shareOpen = signal(false);

/** Ask, and return the answer; asking something else answers no. */
export function ask(about: Omit<Question, "answer">): Promise<boolean> {
  question.value?.answer(false);
  return new Promise((resolve) => {
    question.value = {
      ...about,
      answer: (yes) => {
        question.value = null;
        resolve(yes);
      },
    };
  });
}

/** Close whatever lies over the page; a question is answered no. */
export function closeDialogs(): void {
  question.peek()?.answer(false);
  newGameOpen.value = null;
  helpOpen.value = opponentOpen.value = shareOpen.value = false;
}

/** Whether something lies over the page that keys belong to. */
export function anyDialogOpen(): boolean {
  return question.value !== null || newGameOpen.value !== null || helpOpen.value || opponentOpen.value || shareOpen.value;
}
