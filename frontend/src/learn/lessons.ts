/** The rules of Go, one idea a step: a board, what to do on it, and what that shows. */

import type { MarkShape } from "../overlay";
import { lessonBoard, type LessonBoard, type Refusal } from "./rules";
import { phrase } from "../languages/language";

export interface Step {
  title: string;
  text: string;
  /** What the person should do. */
  task: string;
  board: LessonBoard;
  marks: readonly (readonly [vertex: string, shape: MarkShape])[];
  /** What solves it: one of these points, any point, a refusal, a pass, or nothing but reading. */
  goal: readonly string[] | "any" | "refused" | "pass";
  /** What is said when it is done. */
  done: string;
  /** Whose each point is at the end, as `Count.territory`. */
  territory?: string;
}

export const REFUSALS: Record<Refusal, string> = {
  occupied: phrase("There is a stone already."),
  suicide: phrase("That stone would have no free point, so it may not be played."),
  ko: phrase("That would repeat the position: the ko may not be retaken at once."),
};

export const STEPS: readonly Step[] = [
  {
    title: phrase("Stones go on crossings"),
    text: phrase("Two players, Black and White, take turns. Black begins. A stone goes on a crossing of two lines and never moves."),
    task: phrase("Put a black stone on any crossing."),
    board: lessonBoard([".....", ".....", ".....", ".....", "....."]),
    marks: [],
    goal: "any",
    done: phrase("That is all there is to a move. Corners are the best places to begin: there territory is easiest to fence in."),
  },
  {
    title: phrase("Free points"),
    text: phrase("The empty crossings next to a stone, along the lines, are its free points, or liberties. A stone without any is captured and taken off."),
    task: phrase("White’s stone has one free point left. Capture it."),
    board: lessonBoard([".....", "..X..", ".XO..", "..X..", "....."]),
    marks: [["D3", "triangle"]],
    goal: ["D3"],
    done: phrase("Captured! The stone is yours. Players call a stone with one free point in atari."),
  },
  {
    title: phrase("Chains"),
    text: phrase("Stones of one color that touch along lines share their free points. They live and die together."),
    task: phrase("Capture both white stones."),
    board: lessonBoard([".....", ".XX..", "XOO..", ".XX..", "....."]),
    marks: [],
    goal: ["D3"],
    done: phrase("Two stones at once: the whole chain had only one free point."),
  },
  {
    title: phrase("Getting away"),
    text: phrase("A chain in atari can often be saved: a new stone beside it brings new free points."),
    task: phrase("Your stone in the middle is in atari. Save it."),
    board: lessonBoard([".....", "..O..", ".OX..", "..O..", "....."]),
    marks: [["C3", "circle"]],
    goal: ["D3"],
    done: phrase("Now the chain has three free points, and White cannot capture it at once."),
  },
  {
    title: phrase("Forbidden points"),
    text: phrase("A stone may not be played where it would have no free point, unless it captures something."),
    task: phrase("Try to play at the mark."),
    board: lessonBoard([".....", ".O...", "O.O..", ".O...", "....."]),
    marks: [["B3", "square"]],
    goal: "refused",
    done: phrase("Refused: all points around it are White’s. Nothing is lost by trying; you just play elsewhere."),
  },
  {
    title: phrase("But captures come first"),
    text: phrase("Here the marked point looks forbidden as well. But the stone captures, and that gives it a free point."),
    task: phrase("Capture with a stone at the mark."),
    board: lessonBoard([".....", ".OX..", "O.OX.", ".OX..", "....."]),
    marks: [["B3", "square"]],
    goal: ["B3"],
    done: phrase("White’s stone is gone, and yours stands where none could have stood."),
  },
  {
    title: phrase("Ko"),
    text: phrase("White has just captured a stone of yours at the mark, with the stone in the middle. If you took that back, White could take again, and so on without end. So the ko rule says: not at once."),
    task: phrase("You may not retake at the mark. Play anywhere else."),
    board: { ...lessonBoard([".....", ".XO..", "XO.O.", ".XO..", "....."]), ko: "C3", last: "B3" },
    marks: [["C3", "square"]],
    goal: "any",
    done: phrase("Right. Unless White uses the turn to fill the ko, you may take it next time."),
  },
  {
    title: phrase("Two eyes live"),
    text: phrase("White’s chain encloses two separate points, two eyes. You would have to fill both at once, and each alone is forbidden."),
    task: phrase("Try to play into one of the eyes."),
    board: lessonBoard(["XXXXX", "OOOOX", ".O.OX", "OOOOX", "XXXXX"]),
    marks: [
      ["A3", "square"],
      ["C3", "square"],
    ],
    goal: "refused",
    done: phrase("Nothing can capture White here, whatever you play. With two eyes a group lives for good."),
  },
  {
    title: phrase("The end"),
    text: phrase("When nobody has anything left to gain, both pass. Each side gets a point for every stone on the board and every empty point it has fenced in. White, who moved second, gets some points on top: komi."),
    task: phrase("White has passed. Pass as well to end the game."),
    board: lessonBoard([".XO..", ".XO..", "XXOO.", ".XXO.", "..XO."]),
    marks: [],
    goal: "pass",
    done: phrase("Black has 12 points, White 13 and komi on top. You know all the rules now; the rest is fun."),
    territory: "XXOOOXXOOOXXOOOXXXOOXXXOO",
  },
];
