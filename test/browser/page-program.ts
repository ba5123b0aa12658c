import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { MediaFacts } from '../../src/plan/media-facts.ts';
import { planRender } from '../../src/plan/plan-render.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS, findPreset } from '../../src/timeline/presets.ts';
import type { RequestDocuments } from '../../src/timeline/request-documents.ts';

/** A request as it goes into a page: plain data. */
export interface PageRequest {
  readonly documents: RequestDocuments;
  readonly media: Readonly<Record<string, MediaFacts>>;
  readonly preset?: string;
}

/** What a page can be asked for; everything goes in and comes out as text. */
export interface Page {
  /** The plan of a `PageRequest`. */
  plan(request: string): string;
}

const page: Page = {
  plan(text) {
    const { documents, media, preset }: PageRequest = JSON.parse(text);
    const facts = new Map(Object.entries(media));
    const limits = DEFAULT_TIMELINE_LIMITS;
    const request = parseRequest(documents, { limits, presets: DEFAULT_PRESETS, uploads: new Set(facts.keys()) });
    const plan = planRender(request, {
      facts,
      preset: findPreset(DEFAULT_PRESETS, preset ?? request.settings.preset)!,
      limits,
      engineVersion: 'test',
      sha256: (text) => bytesToHex(sha256(utf8ToBytes(text))),
    });
    return JSON.stringify(plan);
  },
};

Object.assign(globalThis, { page });
