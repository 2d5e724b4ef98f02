/** Takes an SGF file that is dropped anywhere on the page, and says so while it hovers. */

import { useEffect, useState } from "preact/hooks";

import { openRecord } from "./record";
import { t } from "../languages/language";

export function DropZone() {
  const [hovers, setHovers] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setHovers(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovers(false);
    };
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      setHovers(false);
      if (!file) return;
      event.preventDefault();
      void openRecord(file);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  if (!hovers) return null;
  return (
    <div class="drop-zone">
      <p>{t("Drop the SGF file to open it")}</p>
    </div>
  );
}
