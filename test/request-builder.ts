import type { MediaFacts, MediaFactsByField } from '../src/plan/model/media-facts.ts';
import type { RenderPlan } from '../src/plan/model/render-plan.ts';
import { planRender } from '../src/plan/plan-render.ts';
import { sha256 } from '../src/platform/sha256.ts';
import type { ExportRequest } from '../src/timeline/export-request.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../src/timeline/limits.ts';
import { type ParseOptions, parseRequest } from '../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS, findPreset } from '../src/timeline/presets.ts';
import type { RequestDocuments } from '../src/timeline/request-documents.ts';

/** A minute of 1080p with sound by default. The hash is made of the name. */
export function facts(name: string, other: Partial<MediaFacts> = {}): MediaFacts {
  const hash = Buffer.from(name.padEnd(32, '.')).toString('hex').slice(0, 64);
  return { hash, kind: 'video', duration: 60, width: 1920, height: 1080, alpha: false, sound: true, ...other };
}

/** A picture of that size. */
export function picture(name: string, width = 800, height = 600): MediaFacts {
  return facts(name, { kind: 'still', duration: 0, sound: false, width, height });
}

/** An audio file of that length. */
export function sound(name: string, duration = 180): MediaFacts {
  return facts(name, { kind: 'audio', duration, width: 0, height: 0 });
}

/** Parses with the defaults of a fresh installation; the uploads are those there are facts for, or unknown. */
export function parse(
  documents: RequestDocuments,
  uploads: MediaFactsByField | null = null,
  more: Pick<ParseOptions, 'unread'> = {},
): ExportRequest {
  return parseRequest(documents, {
    ...more,
    limits: DEFAULT_TIMELINE_LIMITS,
    presets: DEFAULT_PRESETS,
    uploads: uploads === null ? null : new Set(uploads.keys()),
  });
}

/** Parses and plans, for the selected preset or the one named. */
export function plan(
  documents: RequestDocuments,
  media: Readonly<Record<string, MediaFacts>>,
  preset?: string,
): RenderPlan {
  const byField = new Map(Object.entries(media));
  const request = parse(documents, byField);
  return planRender(request, {
    facts: byField,
    preset: findPreset(DEFAULT_PRESETS, preset ?? request.settings.preset)!,
    limits: DEFAULT_TIMELINE_LIMITS,
    engineVersion: 'test',
    sha256,
  });
}

/** Two rows, four items; everything else as a timeline gives it. */
export const TIER_LIST = {
  title: 'Snacks, ranked',
  rows: [
    { id: 's', label: 'S', color: '#ff7f7f', item_ids: ['chips', 'nuts'] },
    { id: 'a', label: 'A', color: '#ffbf7f', item_ids: ['fruit'] },
  ],
  items: [
    { id: 'chips', name: 'Chips' },
    { id: 'nuts', name: 'Nuts' },
    { id: 'fruit', name: 'Fruit' },
    { id: 'soup', name: 'Soup' },
  ],
} as const;
