/** When something was, as people say it. */

import { language, t } from "../languages/language";

const STEPS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** Both times are seconds since 1970; a week and more ago is given as a date. */
export function timeAgo(then: number, now: number): string {
  const passed = Math.max(now - then, 0);
  if (passed >= 7 * 86400) {
    return new Date(then * 1000).toLocaleDateString(language.value, { dateStyle: "medium" });
  }
  for (const [seconds, unit] of STEPS) {
    if (passed >= seconds) {
      const format = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
      return format.format(-Math.floor(passed / seconds), unit);
    }
  }
  return t("just now");
}
