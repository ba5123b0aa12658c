/** The name of a further file of a recording: `take-1700000000000-2.mp4`. */
export function partName(name: string, number: number): string {
  return number === 1 ? name : name.replace(/(?=\.\w+$)/, `-${number}`);
}

/** The recording of a file, by the name of its first file, and the number of the file. */
export function partOf(name: string): { readonly take: string; readonly number: number } {
  const [, start, number, ending] = /^(take-\d+)-(\d+)(\..*)$/.exec(name) ?? [];
  return start === undefined ? { take: name, number: 1 } : { take: start + ending, number: Number(number) };
}
