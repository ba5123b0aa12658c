import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { planRender } from '../../src/plan/plan-render.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import type { ThemeName } from '../../src/timeline/choices.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import type { RequestDocuments } from '../../src/timeline/request-documents.ts';
import { type BenchClip, benchClip } from './media.ts';
import { benchPicture, benchVoice } from './still-media.ts';

/** A plan and its files by source index. */
export interface BenchRender {
  readonly plan: RenderPlan;
  readonly files: ReadonlyMap<number, string>;
}

const HD: readonly BenchClip[] = [1, 2, 3].map((seed) => ({
  name: `hd${seed}`,
  width: 1920,
  height: 1080,
  seconds: 20,
  seed,
}));
const SMALL: readonly BenchClip[] = [1, 2, 3].map((seed) => ({
  name: `small${seed}`,
  width: 640,
  height: 360,
  seconds: 20,
  seed,
}));
const ITEMS = Array.from({ length: 24 }, (_, i) => ({ id: `i${i}`, name: `Item ${i}` }));
const TIER_LIST = {
  title: 'Everything, ranked',
  rows: ['S', 'A', 'B', 'C'].map((label, row) => ({
    id: label,
    label,
    color: ['#ff7f7f', '#ffbf7f', '#ffff7f', '#7fff7f'][row],
    item_ids: ITEMS.slice(row * 6, row * 6 + 6).map(({ id }) => id),
  })),
  items: ITEMS,
};

/** The picture of a tier-list video: 1080p30, 60 s, 6 clips, a board 60 % of the time with a reveal now and then, subtitles. */
export async function minuteInHd(): Promise<BenchRender> {
  const clips = Array.from({ length: 6 }, (_, i) => ({
    id: `v${i}`,
    file_field: HD[i % 3]!.name,
    start: i * 10,
    duration: 10,
    trim_start: Math.floor(i / 3) * 10,
  }));
  return planned(await Promise.all(HD.map(videoMedia)), {
    videos: clips,
    tier_blocks: clips.map(({ start }) => ({
      start: start + 4,
      duration: 6,
      x_percent: 20,
      y_percent: 10,
      width_percent: 60,
      height_percent: 80,
    })),
    tier_tiles: ITEMS.slice(0, 12).map(({ id }, i) => ({
      tier_item_id: id,
      position: Math.floor(i / 2) * 10 + 5 + (i % 2) * 2,
    })),
    subtitles: Array.from({ length: 15 }, (_, i) => ({ text: `What is said in part ${i}`, start: i * 4, duration: 4 })),
  });
}

/** The same clips one after the other and nothing else: the cost of a bare decode and encode. */
export async function minuteOfClips(): Promise<BenchRender> {
  return planned(await Promise.all(HD.map(videoMedia)), {
    videos: Array.from({ length: 6 }, (_, i) => ({
      id: `v${i}`,
      file_field: HD[i % 3]!.name,
      start: i * 10,
      duration: 10,
      trim_start: Math.floor(i / 3) * 10,
    })),
  });
}

/**
 * What most tier-list videos are most of the time: a picture, a board as large as the canvas, a spotlight every five
 * seconds, subtitles, a voice. 1080p30, 60 s. With a theme, its ground takes the place of the picture.
 */
export async function minuteOfBoard(theme?: ThemeName): Promise<BenchRender> {
  const pictures = await Promise.all(ITEMS.map(({ id }, seed) => benchPicture(id, seed, 400, 400)));
  const media = [await benchPicture('backdrop', 99, 1920, 1080), await benchVoice('voice', 60), ...pictures];
  const timeline = {
    videos: theme === undefined ? [{ file_field: 'backdrop', start: 0, duration: 60 }] : [],
    audios: [],
    soundtracks: [{ file_field: 'voice', start: 0, duration: 60 }],
    tier_blocks: [{ start: 0, duration: 60, x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 }],
    tier_tiles: ITEMS.slice(0, 12).map(({ id }, i) => ({ tier_item_id: id, position: 2 + i * 5 })),
    subtitles: Array.from({ length: 15 }, (_, i) => ({
      text: `What is said in part ${i}`,
      start: i * 4 + 0.5,
      duration: 3,
    })),
  };
  const tierList = { ...TIER_LIST, items: ITEMS.map((item) => ({ ...item, file_field: item.id })) };
  return planned(media, timeline, { reveal: 'spotlight', ...(theme !== undefined && { theme }) }, tierList);
}

/** `count` clips of a second each, every one with a subtitle, at 640×360. */
export async function manyEntries(count: number): Promise<BenchRender> {
  const each = Array.from({ length: count }, (_, i) => i);
  return planned(
    await Promise.all(SMALL.map(videoMedia)),
    {
      videos: each.map((i) => ({
        id: `v${i}`,
        file_field: SMALL[i % 3]!.name,
        start: i,
        duration: 1,
        trim_start: (i * 7) % 18,
      })),
      subtitles: each.map((i) => ({ id: `s${i}`, text: `Line ${i}`, start: i, duration: 1 })),
    },
    { width: 640, height: 360 },
  );
}

/** The first seconds of a given film, filling the canvas. */
export async function footage(file: string): Promise<BenchRender> {
  const { duration, video } = await probe(file, DEFAULT_MEDIA_LIMITS);
  if (video === null) throw new Error(`${file} has no picture`);
  const { width, height } = video.picture.upright;
  const media = { name: 'film', file, kind: 'video', duration, width, height, alpha: false, sound: false } as const;
  return planned([media], { videos: [{ file_field: 'film', start: 0, duration }] });
}

/** What is compared with others. */
export const WORKLOADS = { clips: minuteInHd, board: minuteOfBoard } as const;

/** A file and what the planner must know of it. */
type BenchMedia = { readonly name: string; readonly file: string } & Omit<MediaFacts, 'hash'>;

async function videoMedia({ name, width, height, seconds, ...clip }: BenchClip): Promise<BenchMedia> {
  const file = await benchClip({ name, width, height, seconds, ...clip });
  return { name, file, kind: 'video', duration: seconds, width, height, alpha: false, sound: false };
}

function planned(
  media: readonly BenchMedia[],
  timeline: object,
  settings: object = {},
  tierList: object = TIER_LIST,
): BenchRender {
  const files = new Map(media.map(({ name, file }) => [name, file]));
  const facts = new Map(
    media.map(({ name, file: _, ...known }): [string, MediaFacts] => {
      const hash = Buffer.from(name).toString('hex').padEnd(64, '0');
      return [name, { hash, ...known }];
    }),
  );
  const documents: RequestDocuments = { tier_list: tierList, timeline_data: timeline, settings };
  const uploads = new Set(facts.keys());
  const request = parseRequest(documents, { limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, uploads });
  const plan = planRender(request, {
    facts,
    preset: DEFAULT_PRESETS[0],
    limits: DEFAULT_TIMELINE_LIMITS,
    engineVersion: 'bench',
    sha256,
  });
  return { plan, files: new Map(plan.sources.map(({ field }, index) => [index, files.get(field)!])) };
}
