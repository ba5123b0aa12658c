/** A font of videos, as the host of the page lists it. */
interface FontOfHost {
  readonly family: string;
  /** Absolute. */
  readonly url: string;
  readonly bytes: number;
  /** First and last of each range of code points. */
  readonly coverage: readonly number[];
}

/** The fonts of videos. Called in a worker: the list is beside the folder of its program, on every host. */
export async function fetchFontList(): Promise<readonly FontOfHost[]> {
  const place = new URL('../fonts.json', location.href);
  const { fonts } = (await (await fetch(place)).json()) as { readonly fonts: readonly FontOfHost[] };
  return fonts.map((font) => ({ ...font, url: new URL(font.url, place).href }));
}
