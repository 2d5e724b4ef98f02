/** The sets of problems, which one is tried, and how to get more. */

import { useRef, useState } from "preact/hooks";

import { SelectField } from "../fields";
import { Icon } from "../icons";
import type { Standing } from "../messages";
import { count, t } from "../languages/language";
import { addFolder, nextProblem, searchGames } from "./requests";
import { found, waiting } from "./store";
import { setText } from "./wording";

interface SetsProps {
  standing: Standing;
  set: string;
  grade: number;
  onSet: (set: string) => void;
  onGrade: (grade: number) => void;
}

export function Sets({ standing, set, grade, onSet, onGrade }: SetsProps) {
  const input = useRef<HTMLInputElement>(null);
  const [added, setAdded] = useState<number | null>(null);
  const sets = standing.sets.map(({ name, total, tried }) => ({
    value: name,
    label: `${setText(name)} (${tried}/${total})`,
    help: "",
  }));
  const grades = [0, 1, 2, 3, 4, 5].map((each) => ({
    value: each.toString(),
    label: each === 0 ? t("As strong as you are") : t("Grade {grade}", { grade: each }),
    help: "",
  }));
  const found_ = found.value;
  return (
    <section class="panel problems-sets" aria-label={t("Which problems")}>
      <h2 class="panel__title">{t("Which problems")}</h2>
      <SelectField label={t("Set")} value={set} options={sets} onChange={onSet} />
      {set === "montego" && (
        <SelectField
          label={t("How hard")}
          value={grade.toString()}
          options={grades}
          onChange={(value) => onGrade(Number(value))}
        />
      )}
      <div class="lesson__actions">
        <button type="button" class="button" onClick={() => input.current?.click()}>
          <Icon name="upload" />
          {t("Add a folder of SGF files")}
        </button>
        <button type="button" class="button" disabled={waiting.value > 0} onClick={searchGames}>
          <Icon name="study" />
          {t("Make some of my games")}
        </button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".sgf,application/x-go-sgf"
        multiple
        hidden
        aria-label={t("Folder of SGF files")}
        onChange={(event) => {
          const field = event.currentTarget;
          void addFolder([...(field.files ?? [])]).then((number) => {
            setAdded(number);
            field.value = "";
            nextProblem(set, grade);
          });
        }}
        {...FOLDER}
      />
      <p class="quiet small" role="status">
        {added !== null && count("{n} problem was added.|{n} problems were added.", added)}
        {found_ !== null &&
          (found_.looked === 0
            ? t("No review has found a mistake in your games yet: review a game first.")
            : count("{n} new problem came of your games.|{n} new problems came of your games.", found_.found))}
      </p>
    </section>
  );
}

/** Browsers ask for a folder by an attribute that no standard has. */
const FOLDER: Record<string, boolean> = { webkitdirectory: true };
