import type { FramePlan } from '../../plan/frame-plan.ts';
import type { Log } from '../log.ts';
import type { Planner } from '../submit/planner.ts';
import { FrameChild, type FrameChildPorts } from './frame-child.ts';

/** When a spare child is kept: always, once frames are requested, or never. */
const SPARE_CHOICES = ['used', 'always', 'never'] as const;

/** How many idle children are kept, and for how long. */
export interface FrameChildrenPolicy {
  readonly spare: (typeof SPARE_CHOICES)[number];
  /** How long a child waits for the next frame of the same media. */
  readonly keptMs: number;
  /** How long a spare child waits for the next request, unless it is always kept. */
  readonly spareMs: number;
  /** How many children wait for the next frame of their media. */
  readonly maxKept: number;
  /** A child that uses more memory after a frame is not kept. */
  readonly maxKeptBytes: number;
}

interface FrameChildrenPorts extends FrameChildPorts {
  readonly policy: FrameChildrenPolicy;
  /** A frame that each new child renders first, so that the first requested frame is fast. */
  readonly warmUp: () => Promise<FramePlan>;
  readonly log: Log;
}

/** A child that has media of a tenant. It serves no other tenant. */
interface Engaged {
  readonly child: FrameChild;
  readonly tenant: string;
  /** Resolves when its current user releases it. */
  busy: Promise<void> | null;
  idle: NodeJS.Timeout | undefined;
}

/**
 * The children that render frames. A spare child waits. It receives the media of one tenant, stays for a few seconds
 * because a second request for the same project is likely, and ends. A child that has media of one tenant never serves
 * another, nor a request without those media.
 */
export class FrameChildren implements AsyncDisposable {
  readonly #ports: FrameChildrenPorts;
  /** Least recently used first. */
  #engaged: Engaged[] = [];
  #spare: Promise<FrameChild> | null = null;
  #spareIdle: NodeJS.Timeout | undefined;
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(ports: FrameChildrenPorts) {
    this.#ports = ports;
    if (ports.policy.spare === 'always') this.#keepSpare();
  }

  /** Announces a request: starts a spare child if there is none. */
  expect(): void {
    if (this.#ports.policy.spare !== 'never') this.#keepSpare();
  }

  /**
   * Runs `work` with a child for a request that has these media. Requests of one tenant for the same media take turns
   * on one child.
   */
  async use<T>(tenant: string, hashes: ReadonlySet<string>, work: (child: FrameChild) => Promise<T>): Promise<T> {
    const engaged = await this.#engage(tenant, hashes);
    const done = Promise.withResolvers<void>();
    engaged.busy = done.promise;
    try {
      return await work(engaged.child);
    } finally {
      engaged.busy = null;
      done.resolve();
      await this.#release(engaged);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#spareIdle);
    for (const engaged of this.#engaged) this.#dismiss(engaged);
    this.#endSpare();
    await Promise.all(this.#ending);
  }

  async #engage(tenant: string, hashes: ReadonlySet<string>): Promise<Engaged> {
    for (;;) {
      const known = this.#engaged.find((engaged) => {
        return engaged.tenant === tenant && engaged.child.lives && engaged.child.seen.isSubsetOf(hashes);
      });
      if (known === undefined) break;
      clearTimeout(known.idle);
      if (known.busy === null) return this.#recent(known);
      await known.busy;
    }
    const child = await this.#takeSpare();
    return this.#recent({ child, tenant, busy: null, idle: undefined });
  }

  #recent(engaged: Engaged): Engaged {
    this.#engaged = [...this.#engaged.filter((other) => other !== engaged), engaged];
    return engaged;
  }

  async #takeSpare(): Promise<FrameChild> {
    const spare = this.#spare;
    this.#spare = null;
    clearTimeout(this.#spareIdle);
    const child = await spare?.catch(() => null);
    if (child?.lives) return child;
    if (child) this.#end(child);
    return this.#start();
  }

  /** Keeps the child for the next frame of its media, unless too many wait or it uses too much memory. */
  async #release(engaged: Engaged): Promise<void> {
    const { maxKept, maxKeptBytes, keptMs } = this.#ports.policy;
    const tooLarge = engaged.child.lives && (await engaged.child.residentBytes()) > maxKeptBytes;
    // Another request may have taken it meanwhile; that request releases it.
    if (engaged.busy !== null) return;
    if (this.#closed || tooLarge || !engaged.child.lives) this.#dismiss(engaged);
    else {
      clearTimeout(engaged.idle);
      engaged.idle = setTimeout(() => this.#dismiss(engaged), keptMs).unref();
    }
    const waiting = this.#engaged.filter(({ busy }) => busy === null);
    for (const longest of waiting.slice(0, Math.max(0, waiting.length - maxKept))) this.#dismiss(longest);
    // Only after the frame, because a start takes a core for half a second.
    this.expect();
  }

  #dismiss(engaged: Engaged): void {
    clearTimeout(engaged.idle);
    this.#engaged = this.#engaged.filter((other) => other !== engaged);
    this.#end(engaged.child);
  }

  #keepSpare(): void {
    if (this.#closed) return;
    this.#spare ??= this.#startSpare();
    if (this.#ports.policy.spare === 'always') return;
    clearTimeout(this.#spareIdle);
    this.#spareIdle = setTimeout(() => this.#endSpare(), this.#ports.policy.spareMs).unref();
  }

  #startSpare(): Promise<FrameChild> {
    const starting = this.#start();
    starting.catch((error: unknown) => {
      if (this.#spare === starting) this.#spare = null;
      // The next request starts a child and reports the error.
      this.#ports.log('warn', 'spare frame process not started', { error });
    });
    return starting;
  }

  async #start(): Promise<FrameChild> {
    return FrameChild.start(this.#ports, await this.#ports.warmUp());
  }

  #endSpare(): void {
    const spare = this.#spare;
    this.#spare = null;
    if (spare !== null) this.#track(spare.then((child) => child[Symbol.asyncDispose]()).catch(() => {}));
  }

  #end(child: FrameChild): void {
    this.#track(
      child[Symbol.asyncDispose]().catch((error: unknown) => {
        this.#ports.log('warn', 'frame process not ended', { error });
      }),
    );
  }

  #track(ending: Promise<void>): void {
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }
}

/** A board, a card and a subtitle: the parts that take time to load. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tier_list: { title: 'Aa', rows: [{ id: 'S', item_ids: ['1'] }], items: [{ id: '1', name: 'Aa' }] },
    timeline_data: {
      tier_blocks: [{ start: 0, duration: 1 }],
      tier_tiles: [{ tier_item_id: '1', position: 0 }],
      subtitles: [{ text: 'Aa', start: 0, duration: 1 }],
    },
    settings: { width: 320, height: 180 },
  }).map(([name, document]) => [name, JSON.stringify(document)]),
).set('frame', '3');

/** The warm-up frame of new children; planned once. */
export function warmUpFrame(planner: Pick<Planner, 'frame'>): () => Promise<FramePlan> {
  let planned: Promise<FramePlan> | null = null;
  const request = { texts: TEXTS, uploads: [], found: new Map() };
  return () => {
    planned ??= planner.frame('', request, new AbortController().signal);
    planned.catch(() => {
      planned = null;
    });
    return planned;
  };
}
