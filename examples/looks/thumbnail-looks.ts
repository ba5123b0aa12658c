import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SkiaSurface } from '../../src/paint/skia/skia.ts';
import { paintThumbnail } from '../../src/paint/skia/thumbnail-picture.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import { planThumbnail } from '../../src/plan/thumbnail-plan.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { type ORIENTATIONS, THEMES, THUMBNAIL_STYLES } from '../../src/timeline/choices.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';

const SNACKS = join(import.meta.dirname, '../snacks');

/** Thumbnails of the snacks: a theme a line, a style a column. (R39) */
export async function* drawThumbnails(orientation: (typeof ORIENTATIONS)[number]): AsyncGenerator<SkiaSurface> {
  const project = JSON.parse(readFileSync(join(SNACKS, 'project.json'), 'utf8'));
  const files = new Map(
    Object.entries<string>(project.media).map(([field, path]) => [field, join(SNACKS, path)] as const),
  );
  const facts = new Map(
    [...files].map(([field, path]): [string, MediaFacts] => {
      const drawing = { kind: 'drawing', duration: 0, width: 400, height: 400, alpha: false, sound: false } as const;
      return [field, { ...drawing, hash: sha256(readFileSync(path, 'utf8')) }];
    }),
  );
  for (const theme of THEMES) {
    const { tier_list, timeline_data } = project;
    const request = parseRequest(
      { tier_list, timeline_data, settings: { theme } },
      { limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, uploads: new Set(files.keys()) },
    );
    for (const style of THUMBNAIL_STYLES) {
      const plan = planThumbnail(request, { style, text: null, items: null, orientation }, facts);
      yield (await paintThumbnail({ plan, files })).surface;
    }
  }
}
