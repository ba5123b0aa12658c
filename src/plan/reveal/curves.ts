/** Where `value` is on the way from `from` to `to`, from 0 to 1. */
export function part(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

export function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

export function easeIn(t: number): number {
  return t ** 3;
}

export function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
}

/** Up to 1 and back to 0. */
export function hump(t: number): number {
  return 4 * t * (1 - t);
}

/** As `easeInOut`, with a faster start. */
export function swing(t: number): number {
  return (1 - Math.cos(Math.PI * t)) / 2;
}

/**
 * A value that snaps to its rest once the difference is invisible: all frames from there on are one picture, which is
 * painted and encoded once. (R22)
 */
export function restingAt(rest: number, value: number, unseen = 0.002): number {
  return Math.abs(value - rest) < unseen ? rest : value;
}
