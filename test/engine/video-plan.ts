import { basename } from 'node:path';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { type Clip, type ClipOptions, makeClip } from '../fixtures/clips.ts';
import { plan } from '../request-builder.ts';

/** A clip for a plan: generated, or any file with known facts. */
export interface Source {
  readonly clip: Clip;
  readonly facts: MediaFacts;
  /** The resolution of the container's timestamps, in seconds. */
  readonly tick: number;
}

/** A self-describing clip, small enough that thousands of frames take seconds, and what the planner must know of it. */
export async function source(options: ClipOptions, other: Partial<MediaFacts> = {}): Promise<Source> {
  const clip = await makeClip({ width: 64, height: 64, ...options });
  const frameLength = options.rate === undefined ? 1 / 30 : options.rate.den / options.rate.num;
  const facts: MediaFacts = {
    hash: Buffer.from(basename(clip.file)).toString('hex').padEnd(64, '0'),
    kind: 'video',
    duration: (clip.times.at(-1) ?? 0) + frameLength,
    width: options.width ?? 64,
    height: options.height ?? 64,
    alpha: options.alpha ?? false,
    sound: false,
    ...other,
  };
  return { clip, facts, tick: tickOf(options) };
}

/** Any file as a clip; ten seconds of 64×64 by default. */
export function fileSource(file: string, other: Partial<MediaFacts> = {}): Source {
  const hash = Buffer.from(basename(file)).toString('hex').padEnd(64, '0');
  const facts: MediaFacts = {
    hash,
    kind: 'video',
    duration: 10,
    width: 64,
    height: 64,
    alpha: false,
    sound: false,
    ...other,
  };
  return { clip: { file, times: [] }, facts, tick: 0 };
}

/** As the muxers choose it. */
function tickOf({ rate = { num: 30, den: 1 }, timeOf, container }: ClipOptions): number {
  if (container === 'webm') return 1 / 1000;
  if (container === 'gif') return 1 / 100;
  let ticks = timeOf === undefined ? rate.num : 60_000;
  while (ticks < 10_000) ticks *= 2;
  return 1 / ticks;
}

/** A plan of `videos` entries (and whatever else) at 64×64, with the files it needs by source index. */
export function videoPlan(
  sources: Readonly<Record<string, Source>>,
  timeline: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
): { plan: RenderPlan; files: ReadonlyMap<number, string> } {
  const facts = Object.fromEntries(Object.entries(sources).map(([field, { facts }]) => [field, facts]));
  const documents = {
    tier_list: { title: 'Numbers', rows: [], items: [{ id: 'a' }, { id: 'b' }] },
    timeline_data: timeline,
    settings: { width: 64, height: 64, quality: 'draft', ...settings },
  };
  const made = plan(documents, facts);
  return { plan: made, files: new Map(made.sources.map(({ field }, index) => [index, sources[field]!.clip.file])) };
}
