import type { Coverage } from '../../../paint/layout/glyph-coverage.ts';
import { type CoveredFamily, neededFonts, VOICES } from '../../../paint/layout/needed-fonts.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { fontCame } from './browser-surface.ts';

/** A font of the service. */
interface ListedFont extends CoveredFamily {
  readonly url: string;
  readonly bytes: number;
}

export type FontState = 'there' | 'coming' | 'absent';

/**
 * The fonts videos are set in. Those that every text is set in are awaited before anything is measured; those of other scripts, of
 * which one alone may be 25 MB, come while the rest is seen already.
 */
export class BrowserFonts {
  readonly #onCame: () => void;
  readonly #list: Promise<readonly ListedFont[]>;
  readonly #loading = new Map<string, Promise<void>>();
  readonly #there = new Set<string>();
  /** What each text needs, once `ready` has been awaited for it. */
  readonly #needed = new Map<string, readonly string[]>();
  #queue: Promise<void> = Promise.resolve();
  #coverage: Coverage = [];

  /** @param onCame called when a font has come that was not waited for: what is set in it looks different now. */
  constructor(onCame: () => void) {
    this.#onCame = onCame;
    this.#list = listFonts();
    this.#list.catch(() => {});
  }

  /** What all fonts have glyphs for; known once `ready` has been awaited. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /**
   * Settles when the texts can be set; what else they need is on its way from then on, the smallest first.
   *
   * @param named families that texts name, awaited too.
   */
  async ready(texts: Iterable<string>, named: readonly string[]): Promise<void> {
    const list = await this.#list;
    if (this.#coverage.length === 0) this.#coverage = union(list.map(({ coverage }) => coverage));
    const awaited = new Set([...VOICES, ...named]);
    const all = new Set(awaited);
    for (const text of texts) {
      if (!this.#needed.has(text)) this.#needed.set(text, neededFonts([text], list));
      for (const family of this.#needed.get(text)!) all.add(family);
    }
    const wanted = list.filter(({ family }) => all.has(family) && !this.#there.has(family));
    await Promise.all(wanted.filter(({ family }) => awaited.has(family)).map((font) => this.#load(font)));
    const others = wanted.filter(({ family }) => !awaited.has(family)).toSorted((a, b) => a.bytes - b.bytes);
    for (const font of others) this.#loadInTurn(font);
  }

  /** Whether all that texts are set in is there; `coming`: they will look different in a moment; `absent`: they look different. */
  stateOf(texts: Iterable<string>): FontState {
    let state: FontState = 'there';
    for (const text of texts) {
      for (const family of this.#needed.get(text) ?? []) {
        if (this.#there.has(family)) continue;
        if (this.#loading.has(family)) return 'coming';
        state = 'absent';
      }
    }
    return state;
  }

  /** Takes in a font of the project's own. (C47) @returns whether this browser can write with it. */
  async take(family: string, file: Blob | null): Promise<boolean> {
    if (file === null) return false;
    if (this.#there.has(family)) return true;
    try {
      const font = await new FontFace(family, await file.arrayBuffer()).load();
      workerScope.fonts.add(font);
      fontCame();
      this.#there.add(family);
      return true;
    } catch {
      return false;
    }
  }

  /** One after the other: what comes first can be seen first. */
  #loadInTurn(font: ListedFont): void {
    if (this.#loading.has(font.family)) return;
    const turn = this.#queue.then(() => this.#fetch(font));
    void this.#keep(font.family, turn); // the queue below hears how it ends
    this.#queue = turn.then(this.#onCame, () => {});
  }

  #load(font: ListedFont): Promise<void> {
    return this.#loading.get(font.family) ?? this.#keep(font.family, this.#fetch(font));
  }

  /** A font that did not come is asked for again by the next text that needs it. */
  #keep(family: string, loading: Promise<void>): Promise<void> {
    this.#loading.set(family, loading);
    loading.catch(() => this.#loading.delete(family));
    return loading;
  }

  async #fetch({ family, url }: ListedFont): Promise<void> {
    workerScope.fonts.add(await new FontFace(family, `url(${url})`).load());
    fontCame();
    this.#there.add(family);
  }
}

async function listFonts(): Promise<ListedFont[]> {
  const { fonts } = (await (await fetch('/assets/fonts.json')).json()) as {
    fonts: readonly { family: string; url: string; bytes: number; coverage: readonly number[] }[];
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
