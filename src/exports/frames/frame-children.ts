import type { FramePlan } from '../../plan/frame-plan.ts';
import type { Log } from '../log.ts';
import { FrameChild, type FrameChildPorts } from './frame-child.ts';

/** When a spare child waits: from the start, once frames are asked for, or not at all. */
const SPARE_CHOICES = ['used', 'always', 'never'] as const;

/** How many children there are beside those at work, and for how long. */
export interface FrameChildrenPolicy {
  readonly spare: (typeof SPARE_CHOICES)[number];
  /** How long a child waits for the next frame of the same media. */
  readonly keptMs: number;
  /** How long a spare waits for the next request for any frame, unless it always does. */
  readonly spareMs: number;
  /** Children that wait for the next frame of their media. */
  readonly mostKept: number;
  /** One that holds more after a frame is not kept. */
  readonly mostKeptBytes: number;
}

interface FrameChildrenPorts extends FrameChildPorts {
  readonly policy: FrameChildrenPolicy;
  /** What a new child shows to nobody, so that the first frame somebody waits for is not its first. */
  readonly rehearsal: () => Promise<FramePlan>;
  readonly log: Log;
}

/** A child that has been given a tenant's media, and serves nobody else any more. */
interface Engaged {
  readonly child: FrameChild;
  readonly tenant: string;
  /** Resolves when its current user releases it. */
  busy: Promise<void> | null;
  idle: NodeJS.Timeout | undefined;
}

/**
 * The children that show frames. A spare one waits ready; it is given a tenant's media once, stays with them for a few
 * seconds, since a request for one frame of a project is often followed by another, and ends. What has seen media of one tenant
 * never serves another, nor media that the request at hand does not have.
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

  /** Somebody is about to ask: a spare is started where there is none. */
  expect(): void {
    if (this.#ports.policy.spare !== 'never') this.#keepSpare();
  }

  /**
   * Has a child at work for a request that has media of these hashes. Requests of one tenant for the same media take turns
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

  /** Waits for the next frame of its media, unless others are likelier to be asked for one, or it holds too much. */
  async #release(engaged: Engaged): Promise<void> {
    const { mostKept, mostKeptBytes, keptMs } = this.#ports.policy;
    const tooLarge = engaged.child.lives && (await engaged.child.residentBytes()) > mostKeptBytes;
    // Somebody may have taken it meanwhile, who then decides.
    if (engaged.busy !== null) return;
    if (this.#closed || tooLarge || !engaged.child.lives) this.#dismiss(engaged);
    else {
      clearTimeout(engaged.idle);
      engaged.idle = setTimeout(() => this.#dismiss(engaged), keptMs).unref();
    }
    const waiting = this.#engaged.filter(({ busy }) => busy === null);
    for (const longest of waiting.slice(0, Math.max(0, waiting.length - mostKept))) this.#dismiss(longest);
    // Only now: starting takes a core for half a second, which the frame was better served with.
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
      // The next request starts a child, and gets the error.
      this.#ports.log('warn', 'spare frame process not started', { error });
    });
    return starting;
  }

  async #start(): Promise<FrameChild> {
    return FrameChild.start(this.#ports, await this.#ports.rehearsal());
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
