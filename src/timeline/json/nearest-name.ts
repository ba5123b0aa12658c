/** Longer names are not typing errors, and the cost of a comparison grows with the square of the length. */
const LONGEST = 64;

/** The most likely correction: the nearest name, if it is one or two typing errors away; null if none is. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  if (given.length > LONGEST) return null;
  let nearest: string | null = null;
  let min = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const slips = slipsBetween(given.toLowerCase(), name.toLowerCase());
    if (slips < min) [nearest, min] = [name, slips];
  }
  return nearest;
}

/** How many letters were forgotten, added, changed, or swapped with their neighbour. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let slips = Math.min(changed, last[j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) slips = Math.min(slips, beforeLast[j - 2]! + 1);
      row.push(slips);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
