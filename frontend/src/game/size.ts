/** How much room an element has, kept up to date. */

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Return the width of the element in pixels; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return undefined;
    const measure = () => setWidth(measured.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}
