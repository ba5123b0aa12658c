import type { Seconds } from '../../time.ts';
import type { ExportChild, RenderedVideo } from './export-child.ts';

/** Starts a child for videos of up to this many seconds. `signal` ends it permanently. */
type StartChild = (duration: Seconds, signal: AbortSignal, niceness?: number) => Promise<ExportChild>;

/** Who has a child started in advance: a worker, or the drafts for the export that they expect. */
type Keeper = object | 'drafts';

/** A child for 120 s may serve any shorter video. */
const SHORT_SECONDS = 120;
/** Limits may be this many times what a longer video needs. (H7) */
const MAX_EXCESS = 4;

/** A child that was started in advance and has loaded its code. It has no data of an export. */
interface WaitingChild {
  readonly duration: Seconds;
  /** null if the start failed; the next export then starts its own. */
  readonly started: Promise<ExportChild | null>;
  ending: NodeJS.Timeout | undefined;
}

/**
 * The render children of a node: at most one for each keeper (a worker, or the drafts) that waits for the next export.
 * A start takes half as long as a small export in all.
 */
export class ChildPool {
  readonly #start: StartChild;
  readonly #waiting = new Map<Keeper, WaitingChild>();

  constructor(start: StartChild) {
    this.#start = start;
  }

  /** A child for a video: the first that waits for one of these keepers and suits it, else a new one. */
  async open(
    video: RenderedVideo,
    signal: AbortSignal,
    { keepers = [], niceness }: { readonly keepers?: readonly Keeper[]; readonly niceness?: number } = {},
  ): Promise<ExportChild> {
    for (const keeper of keepers) {
      const child = await this.#take(keeper, video.duration);
      if (child !== null) return child.serve(video);
    }
    return (await this.#start(video.duration, signal, niceness)).serve(video);
  }

  /** Starts a child in advance, unless the keeper has one for videos of this length. It ends after `keptMs`. */
  keep(keeper: Keeper, duration: Seconds, signal: AbortSignal, keptMs?: number): void {
    let waiting = this.#waiting.get(keeper);
    if (waiting === undefined || waiting.duration < duration) {
      void this.close(keeper);
      waiting = { duration, started: this.#startAhead(duration, signal), ending: undefined };
      this.#waiting.set(keeper, waiting);
    }
    clearTimeout(waiting.ending);
    if (keptMs !== undefined) waiting.ending = setTimeout(() => void this.close(keeper), keptMs).unref();
  }

  /** The same for a keeper that changes from one short video to the next. */
  keepForShort(keeper: Keeper, { duration }: RenderedVideo, signal: AbortSignal): void {
    if (duration <= SHORT_SECONDS) this.keep(keeper, SHORT_SECONDS, signal);
  }

  /** Ends the child that waits for this keeper. */
  async close(keeper: Keeper): Promise<void> {
    const child = await this.#remove(keeper);
    if (child !== null) await end(child);
  }

  /** The child if its limits suit a video of this length. Otherwise it stays for another video. */
  async #take(keeper: Keeper, duration: Seconds): Promise<ExportChild | null> {
    const waiting = this.#waiting.get(keeper);
    const max = Math.max(SHORT_SECONDS, MAX_EXCESS * duration);
    if (waiting === undefined || waiting.duration < duration || waiting.duration > max) return null;
    const child = await this.#remove(keeper);
    if (child === null || child.process.lives) return child;
    await end(child);
    return null;
  }

  async #remove(keeper: Keeper): Promise<ExportChild | null> {
    const waiting = this.#waiting.get(keeper);
    if (waiting === undefined) return null;
    this.#waiting.delete(keeper);
    clearTimeout(waiting.ending);
    return waiting.started;
  }

  async #startAhead(duration: Seconds, signal: AbortSignal): Promise<ExportChild | null> {
    let child: ExportChild | null = null;
    try {
      child = await this.#start(duration, signal);
      await child.request('warm_up', { for: 'render' }, { signal });
      return child;
    } catch {
      if (child !== null) await end(child);
      return null;
    }
  }
}

/** A folder that cannot be removed is removed at the next start of the service. */
async function end(child: ExportChild): Promise<void> {
  await child[Symbol.asyncDispose]().catch(() => {});
}
