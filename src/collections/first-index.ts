/**
 * The first index below `count` at which `holds` is true, or `count` where it never is. By bisection: `holds` is false up to
 * some index, and true from there on.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
