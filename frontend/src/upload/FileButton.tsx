/** Opens an SGF file from the disk. */

import { useRef } from "preact/hooks";

import { Icon } from "../icons";
import { openRecord } from "./record";
import { t } from "../languages/language";

export function FileButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        {t("Open SGF")}
      </button>
      <input
        ref={input}
        type="file"
        accept=".sgf,application/x-go-sgf"
        hidden
        aria-label={t("SGF file")}
        onChange={(event) => {
          const field = event.currentTarget;
          const file = field.files?.[0];
          // The same file may be chosen again.
          if (file) void openRecord(file).finally(() => (field.value = ""));
        }}
      />
    </>
  );
}
