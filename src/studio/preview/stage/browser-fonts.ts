import type { Coverage } from '../../../paint/layout/glyph-coverage.ts';
import { type CoveredFamily, neededFonts } from '../../../paint/layout/needed-fonts.ts';
import { workerScope } from '../worker-scope.ts';

/** A font of the service. */
interface ListedFont extends CoveredFamily {
  readonly url: string;
}

/** The fonts videos are set in: loaded when a text first needs them, and awaited before anything is measured. */
export class BrowserFonts {
  readonly #list: Promise<readonly ListedFont[]>;
  readonly #loaded = new Map<string, Promise<void>>();
  #coverage: Coverage = [];

  constructor() {
    this.#list = listFonts();
    this.#list.catch(() => {});
  }

  /** What all fonts have glyphs for; known once `ready` has been awaited. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /** Settles when every font that the texts need is there. */
  async ready(texts: Iterable<string>): Promise<void> {
    const list = await this.#list;
    if (this.#coverage.length === 0) this.#coverage = union(list.map(({ coverage }) => coverage));
    const needed = neededFonts(texts, list);
    await Promise.all(needed.map((family) => this.#load(list.find((font) => font.family === family)!)));
  }

  /** Takes in a font of the project's own. (C47) @returns whether this browser can write with it. */
  async take(family: string, file: Blob | null): Promise<boolean> {
    if (file === null) return false;
    if (this.#loaded.has(family)) return true;
    try {
      const font = await new FontFace(family, await file.arrayBuffer()).load();
      workerScope.fonts.add(font);
      this.#loaded.set(family, Promise.resolve());
      return true;
    } catch {
      return false;
    }
  }

  #load({ family, url }: ListedFont): Promise<void> {
    let loading = this.#loaded.get(family);
    if (loading === undefined) {
      const font = new FontFace(family, `url(${url})`);
      loading = font.load().then(
        () => {
          workerScope.fonts.add(font);
        },
        (error: unknown) => {
          this.#loaded.delete(family);
          throw error;
        },
      );
      this.#loaded.set(family, loading);
    }
    return loading;
  }
}

async function listFonts(): Promise<ListedFont[]> {
  const { fonts } = (await (await fetch('/assets/fonts.json')).json()) as {
    fonts: readonly { family: string; url: string; coverage: readonly number[] }[];
  };
  return fonts.map((font) => ({ ...font, coverage: pairs(font.coverage) }));
}

function pairs(flat: readonly number[]): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2]!, flat[index * 2 + 1]!]);
}

/** As few ranges as there can be. */
function union(coverages: readonly Coverage[]): Coverage {
  const merged: [number, number][] = [];
  for (const [first, last] of coverages.flat().toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
