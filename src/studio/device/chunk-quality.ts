import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import { type Material, materialOf } from '../../plan/frame/frame-runs.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import { decodePart } from './decode-part.ts';
import { type Effort, usualEffort, withSteps } from './encoder-choice.ts';
import type { Planes } from './film-planes.ts';
import { likeness, planesOf } from './luma-likeness.ts';

/** Structural similarity of compared frames with what was drawn. */
interface Quality {
  readonly mean: number;
  readonly least: number;
}

/** What a chunk must reach, and the steps that it gets at least if it falls short: edges of texts show an error sooner than film does. */
const WANTED: Readonly<Record<Material, Quality & { readonly more: number }>> = {
  drawn: { mean: 0.995, least: 0.992, more: 4 },
  moved: { mean: 0.988, least: 0.975, more: 4 },
  filmed: { mean: 0.985, least: 0.965, more: 1 },
};
/** Steps of effort: six are twice the bits, and halve what is lost, roughly. */
const STEPS_TO_HALF = 6;
/** Each takes as long as the first one. */
const ATTEMPTS = 3;
const MOST_STEPS = 8;
const LEAST_STEPS = -4;
/** The size for which the usual effort of a film is enough; of one with half the pixels, each needs these steps more. */
const USUAL_PIXELS = 1280 * 720;
const STEPS_OF_HALF_SIZE = 1.2;
/** Frames of a chunk that are compared, besides the first. */
const COMPARED = 8;

/**
 * How much effort chunks need: a chunk that falls short is encoded again with more, and the next one of that material begins there. Without
 * constant quality, the same rate is too little for one chunk and too much for another.
 */
export class ChunkQuality {
  readonly #plan: RenderPlan;
  readonly #steps: Record<Material, number>;

  constructor(plan: RenderPlan) {
    this.#plan = plan;
    const { width, height } = plan.canvas;
    const smaller = Math.log2(USUAL_PIXELS / (width * height));
    const filmed = Math.round(STEPS_OF_HALF_SIZE * smaller);
    this.#steps = { drawn: 0, moved: 0, filmed: Math.min(MOST_STEPS, Math.max(0, filmed)) };
  }

  /** Encodes a chunk until it is good enough, or has been tried often enough. */
  async encode(
    range: Range<Frames>,
    codec: string,
    attempt: (effort: Effort, drawn: DrawnFrames) => Promise<PacketIndex<Blob>>,
    comparing: <T>(compare: () => Promise<T>) => Promise<T>,
  ): Promise<PacketIndex<Blob>> {
    const material = materialOf(this.#plan, range);
    const usual = usualEffort(this.#plan, range);
    let steps = this.#steps[material];
    for (let attempts = 1; ; attempts += 1) {
      const drawn = new DrawnFrames(range.end - range.start);
      const part = await attempt(withSteps(usual, steps), drawn);
      const quality = await comparing(() => drawn.compare(part, codec, this.#plan.rate));
      const { mean, least, more } = WANTED[material];
      const lost = Math.max((1 - quality.mean) / (1 - mean), (1 - quality.least) / (1 - least));
      if (lost <= 1 || steps >= MOST_STEPS || attempts === ATTEMPTS) {
        // The next chunk is another material: it gets a step less where this one lost less than a quarter.
        const spare = Math.trunc(Math.log2(Math.min(1, lost)) / 2);
        this.#steps[material] = Math.max(LEAST_STEPS, steps + spare);
        return part;
      }
      steps = Math.min(MOST_STEPS, steps + Math.max(more, Math.ceil(STEPS_TO_HALF * Math.log2(lost))));
    }
  }
}

/** The most that a chunk may take. */
export function mostEffort(...of: Parameters<typeof usualEffort>): Effort {
  return withSteps(usualEffort(...of), MOST_STEPS);
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
    const drawnAt = (micros: number) => this.#kept.get(Math.round((micros * rate.num) / (1e6 * rate.den)));
    const isUsed = (micros: number) => drawnAt(micros) !== undefined;
    await decodePart({ part, codec, isUsed }, async (frame) => {
      const drawn = drawnAt(frame.timestamp);
      if (drawn === undefined) frame.close();
      else found.push(likeness(drawn, await planesOf(frame)));
    });
    const sum = found.reduce((total, one) => total + one, 0);
    return { mean: sum / found.length, least: Math.min(...found) };
  }
}
