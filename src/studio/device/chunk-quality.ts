import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import { type Material, materialOf } from '../../plan/frame/frame-runs.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import { decodePart } from './decode-part.ts';
import { type Effort, usualEffort, withSteps } from './encoder-choice.ts';
import { likeness, type Planes, planesOf } from './luma-likeness.ts';

/** Structural similarity of compared frames with what was drawn. */
interface Quality {
  readonly mean: number;
  readonly least: number;
}

/** What a chunk must reach. Edges of texts show an error sooner than film does. */
const WANTED: Readonly<Record<Material, Quality>> = {
  drawn: { mean: 0.995, least: 0.992 },
  moved: { mean: 0.988, least: 0.975 },
  filmed: { mean: 0.985, least: 0.97 },
};
/** A chunk that is better by this may have fewer bits. */
const SPARE = 0.004;
/** Steps of effort: six are twice the bits. */
const MORE = 4;
const FEWER = 1;
const MOST_STEPS = 8;
const LEAST_STEPS = -4;
/** Frames of a chunk that are compared, besides the first. */
const COMPARED = 8;

/**
 * How much effort chunks need: a chunk that falls short is encoded again with more, and the next one of that material begins there. Without
 * constant quality, the same rate is too little for one chunk and too much for another.
 */
export class ChunkQuality {
  readonly #plan: RenderPlan;
  readonly #steps: Record<Material, number> = { drawn: 0, moved: 0, filmed: 0 };

  constructor(plan: RenderPlan) {
    this.#plan = plan;
  }

  /** Encodes a chunk until it is good enough, or cannot be better. */
  async encode(
    range: Range<Frames>,
    codec: string,
    attempt: (effort: Effort, drawn: DrawnFrames) => Promise<PacketIndex<Blob>>,
    comparing: <T>(compare: () => Promise<T>) => Promise<T>,
  ): Promise<PacketIndex<Blob>> {
    const material = materialOf(this.#plan, range);
    const usual = usualEffort(this.#plan, range);
    for (let steps = this.#steps[material]; ; steps = Math.min(MOST_STEPS, steps + MORE)) {
      const drawn = new DrawnFrames(range.end - range.start);
      const part = await attempt(withSteps(usual, steps), drawn);
      const quality = await comparing(() => drawn.compare(part, codec, this.#plan.rate));
      const { mean, least } = WANTED[material];
      const isGood = quality.mean >= mean && quality.least >= least;
      if (!isGood && steps < MOST_STEPS) continue;
      const isSpare = quality.mean >= mean + SPARE && quality.least >= least + SPARE;
      this.#steps[material] = isSpare ? Math.max(LEAST_STEPS, steps - FEWER) : steps;
      return part;
    }
  }
}

/** The most that a chunk may take, for the space that a video needs. */
export function mostEffort(plan: RenderPlan, range: Range<Frames>): Effort {
  return withSteps(usualEffort(plan, range), MOST_STEPS);
}

/** Some frames of a chunk as they were drawn. */
export class DrawnFrames {
  readonly #every: number;
  readonly #kept = new Map<number, Planes>();

  constructor(frames: number) {
    this.#every = Math.max(1, Math.floor(frames / COMPARED));
  }

  /** Frame `at` of the chunk is drawn; it is kept if enough of them are in between. */
  async drawn(at: number, frame: () => VideoFrame): Promise<void> {
    const last = [...this.#kept.keys()].at(-1);
    if (last === undefined || at - last >= this.#every) this.#kept.set(at, await planesOf(frame()));
  }

  async compare(part: PacketIndex<Blob>, codec: string, rate: RenderPlan['rate']): Promise<Quality> {
    const found: number[] = [];
    await decodePart(part, codec, async (frame) => {
      const drawn = this.#kept.get(Math.round((frame.timestamp * rate.num) / (1e6 * rate.den)));
      if (drawn === undefined) frame.close();
      else found.push(likeness(drawn, await planesOf(frame)));
    });
    const sum = found.reduce((total, one) => total + one, 0);
    return { mean: sum / found.length, least: Math.min(...found) };
  }
}
