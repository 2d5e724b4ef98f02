/** Following quick changes no faster than is good for the eye and the machine. */
import { effect, signal, type ReadonlySignal } from "@preact/signals";

/** A signal that follows another one, at most once per animation frame: for numbers. */
export function perFrame<T>(source: ReadonlySignal<T>): ReadonlySignal<T> {
  return paced(source, (resume) => requestAnimationFrame(resume));
}

/** A signal that follows another one with that many milliseconds between changes: for pictures. */
export function every<T>(pause: number, source: ReadonlySignal<T>): ReadonlySignal<T> {
  return paced(source, (resume) => setTimeout(resume, pause));
}

/**
 * The first change after a pause is taken at once; what comes while `wait` lasts waits for its end,
 * and of several the last counts.
 */
function paced<T>(
  source: ReadonlySignal<T>,
  wait: (resume: () => void) => void,
): ReadonlySignal<T> {
  const followed = signal(source.peek());
  let isWaiting = false;
  let isBehind = false;
  const take = () => {
    followed.value = source.peek();
    isBehind = false;
    isWaiting = true;
    wait(() => {
      isWaiting = false;
      if (isBehind) take();
    });
  };
  effect(() => {
    if (source.value === followed.peek()) isBehind = false;
    else if (isWaiting) isBehind = true;
    else take();
  });
  return followed;
}
