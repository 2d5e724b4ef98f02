import { expect, it } from "vitest";

import { levelsOf, peopleOf } from "./levels";

const LEVELS = [
  { value: "20k", label: "20 kyu", help: "" },
  { value: "19k", label: "19 kyu", help: "" },
];

it("knows ranks in Go alone", () => {
  expect(levelsOf("go", LEVELS)).toEqual(LEVELS);
  expect(levelsOf("hex", LEVELS)).toEqual([
    { value: "20k", label: "Level 1", help: "of 2" },
    { value: "19k", label: "Level 2", help: "of 2" },
  ]);
});

it("tells opponents like people from levels", () => {
  const people = { value: "like-15k", label: "like people of 15 kyu", help: "On 9x9" };
  expect(levelsOf("go", [...LEVELS, people])).toEqual(LEVELS);
  expect(peopleOf([...LEVELS, people])).toEqual([people]);
});
