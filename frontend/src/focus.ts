/** How the focus came to where it is: who clicks on a tab does not mean to turn tabs by arrow keys. */

let byKeyboard = true;

/** Whether the focus was moved by the keyboard, not by mouse or finger. */
export function isByKeyboard(): boolean {
  return byKeyboard;
}

/** Notice it. Returns how to stop. */
export function followFocus(): () => void {
  const point = () => (byKeyboard = false);
  const tab = (event: KeyboardEvent) => {
    if (event.key === "Tab") byKeyboard = true;
  };
  addEventListener("pointerdown", point, true);
  addEventListener("keydown", tab, true);
  return () => {
    removeEventListener("pointerdown", point, true);
    removeEventListener("keydown", tab, true);
    byKeyboard = true;
  };
}
