import { messageOf } from '../../../errors.ts';
import type { Coverage } from '../../../paint/layout/text/glyph-coverage.ts';
import { type CoveredFamily, neededFonts, ROLE_FAMILIES } from '../../../paint/layout/text/glyph-coverage.ts';
import { fetchFontList } from '../../kit/font-list.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { fontCame } from './browser-surface.ts';

/** A font of the service. */
interface ListedFont extends CoveredFamily {
  readonly url: string;
  readonly bytes: number;
}

export type FontState = 'there' | 'coming' | 'absent';

/** A font that every text uses, or one that a text names, could not be loaded. */
export class MissingFont extends Error {}

/**
 * The fonts of videos. The fonts that every text uses are awaited before any measurement. Fonts of other scripts, a single one of which
 * can be 25 MB, load while the rest is already visible.
 */
export class BrowserFonts {
  readonly #onCame: () => void;
  readonly #list: Promise<readonly ListedFont[]>;
  readonly #loading = new Map<string, Promise<void>>();
  readonly #there = new Set<string>();
  /** The fonts of each text, known after `ready` was called with it. */
  readonly #needed = new Map<string, readonly string[]>();
  #queue: Promise<void> = Promise.resolve();
  #coverage: Coverage = [];

  /** @param onCame called when a font has loaded that was not awaited: texts in it look different now. */
  constructor(onCame: () => void) {
    this.#onCame = onCame;
    this.#list = listFonts();
    this.#list.catch(() => {});
  }

  /** The glyph coverage of all fonts; known after `ready`. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /**
   * Resolves when the texts can be measured. Other fonts that they need start to load then, the smallest first.
   *
   * @param named families that texts name, which are awaited too.
   * @throws MissingFont
   */
  async ready(texts: Iterable<string>, named: readonly string[]): Promise<void> {
    const list = await this.#list.catch(missing);
    if (this.#coverage.length === 0) this.#coverage = union(list.map(({ coverage }) => coverage));
    const awaited = new Set([...ROLE_FAMILIES, ...named]);
    const all = new Set(awaited);
    for (const text of texts) {
      if (!this.#needed.has(text)) this.#needed.set(text, neededFonts([text], list));
      for (const family of this.#needed.get(text)!) all.add(family);
    }
    const wanted = list.filter(({ family }) => all.has(family) && !this.#there.has(family));
    await Promise.all(wanted.filter(({ family }) => awaited.has(family)).map((font) => this.#load(font))).catch(
      missing,
    );
    const others = wanted.filter(({ family }) => !awaited.has(family)).toSorted((a, b) => a.bytes - b.bytes);
    for (const font of others) this.#loadInTurn(font);
  }

  /** Whether all fonts of the texts are loaded. `coming`: some are loading; `absent`: some are missing. */
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

  /** Resolves when no font is loading any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#loading.values());
  }

  /** Loads a font of the project. (C47) @returns whether this browser can use it. */
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

  /** Loads one font at a time, so that the first is visible early. */
  #loadInTurn(font: ListedFont): void {
    if (this.#loading.has(font.family)) return;
    const turn = this.#queue.then(() => this.#fetch(font));
    void this.#keep(font.family, turn); // the queue below handles the outcome
    this.#queue = turn.then(this.#onCame, () => {});
  }

  #load(font: ListedFont): Promise<void> {
    return this.#loading.get(font.family) ?? this.#keep(font.family, this.#fetch(font));
  }

  /** A font that failed to load is requested again by the next text that needs it. */
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

function missing(cause: unknown): never {
  throw new MissingFont(messageOf(cause), { cause });
}

async function listFonts(): Promise<ListedFont[]> {
  const fonts = await fetchFontList();
  return fonts.map((font) => ({ ...font, coverage: pairs(font.coverage) }));
}

function pairs(flat: readonly number[]): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2]!, flat[index * 2 + 1]!]);
}

/** Merges ranges. */
function union(coverages: readonly Coverage[]): Coverage {
  const merged: [number, number][] = [];
  for (const [first, last] of coverages.flat().toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
