import { firstIndex } from '../../collections.ts';
import { type FrameRate, type Frames, frameAt, frames, framesToPass, type Range } from '../../time.ts';
import type { Course } from '../model/board-scene.ts';
import { LANDING, plainCourse, SECONDS, spotlightCourse } from './course.ts';

/** A tile as the stage sees it. */
export interface StagedTile {
  readonly item: number;
  readonly style: keyof typeof SECONDS;
  readonly at: Frames;
  /** Null for all but spotlights. */
  readonly hold: CueHold | null;
}

/** The request of a spotlight. */
interface CueHold {
  /** From its frame to its verdict, and the shortest length to which the stage may shorten that. */
  readonly length: Frames;
  readonly minLength: Frames;
  /** The frame of its verdict, independent of its start; null: by its length. */
  readonly stampAt: Frames | null;
  /** Whether the tile itself sets it: then it is neither shortened nor moved. */
  readonly isOwn: boolean;
}

/** When a tile's event takes place, and in which style. */
interface Staged {
  readonly style: StagedTile['style'];
  readonly course: Course;
  /** Whether the stage had no room for it: then it becomes a pop. */
  readonly hadNoRoom: boolean;
}

/**
 * Decides the style and the time of every tile, so that a card has the stage to itself until it takes off, and every
 * event that starts also lands. (R26)
 *
 * Forwards in time, verdicts that tiles set themselves keep later events off the stage. Backwards, every other
 * spotlight is shortened to the time before the next event, or becomes a pop. An item does one thing at a time: its
 * next event waits until the one before it would be over in full.
 *
 * @param open when a board is open: in order, without overlaps. The stage closes with it.
 * @param flight how long a spotlit card flies to its slot, in seconds; the schedule has room for the longest.
 * @returns the result for each cue, in the order of the cues.
 */
export function stageCues(
  cues: readonly StagedTile[],
  open: readonly Range<Frames>[],
  rate: FrameRate,
  flight: number,
): Staged[] {
  return new Stage(cues, open, rate, flight).run();
}

/** A spotlight that has a place on the stage. */
interface Spotlight {
  readonly index: number;
  readonly at: Frames;
  /** The requested frame of its verdict, and the earliest one. */
  readonly verdict: number;
  readonly minVerdict: number;
}

/** The events that start in the same frame. */
interface Group {
  readonly at: Frames;
  readonly items: number[];
  /** The last verdict, and the last of those that tiles ask for themselves. */
  verdict: number;
  ownVerdict: number;
}

interface Queued {
  readonly index: number;
  readonly start: Frames;
}

class Stage {
  readonly #cues: readonly StagedTile[];
  readonly #open: readonly Range<Frames>[];
  readonly #rate: FrameRate;
  readonly #flight: number;
  readonly #lengths: Readonly<
    Record<'entrance' | 'verdict' | 'minVerdict' | 'landing' | 'after' | 'staysDim' | 'cleared', number>
  >;
  readonly #staged: Staged[] = [];
  /** In the order of their frames, as slams are. */
  readonly #spotlights: Spotlight[] = [];
  readonly #slams: Frames[] = [];
  /** For each item, the cues that wait for an earlier one; the next one is last. */
  readonly #waiting = new Map<number, number[]>();
  /** The next cue of each item and when it may start, the earliest last. */
  readonly #queue: Queued[] = [];

  constructor(cues: readonly StagedTile[], open: readonly Range<Frames>[], rate: FrameRate, flown: number) {
    const { entrance, verdict, minVerdict, flight, settles, staysDim } = SECONDS.spotlight;
    const longest = framesToPass(flight, rate);
    this.#flight = flown;
    this.#cues = cues;
    this.#open = open;
    this.#rate = rate;
    this.#lengths = {
      entrance: frameAt(entrance, rate),
      verdict: frameAt(verdict, rate),
      minVerdict: framesToPass(minVerdict, rate),
      landing: longest + framesToPass(LANDING.bump, rate),
      after: longest + framesToPass(settles, rate),
      staysDim: frameAt(staysDim, rate),
      cleared: frameAt(SECONDS.slam.cleared, rate),
    };
  }

  run(): Staged[] {
    const order = [...this.#cues.keys()].sort((a, b) => this.#cues[b]!.at - this.#cues[a]!.at || b - a);
    for (const index of order) {
      const { item } = this.#cues[index]!;
      const waiting = this.#waiting.get(item);
      if (waiting === undefined) this.#waiting.set(item, [index]);
      else waiting.push(index);
    }
    for (const item of this.#waiting.keys()) this.#free(item, 0);
    this.#forwards();
    this.#backwards();
    return this.#staged;
  }

  /** Decides which cards come onto the stage, and when. */
  #forwards(): void {
    let barred = Number.NEGATIVE_INFINITY;
    let group: Group | null = null;
    const close = ({ items, verdict, ownVerdict }: Group): void => {
      barred = Math.max(barred, ownVerdict);
      for (const item of items) this.#free(item, verdict + this.#lengths.verdict + this.#lengths.after);
    };
    for (;;) {
      const next = this.#queue.pop();
      if (next === undefined) {
        if (group === null) return;
        close(group);
        group = null;
        continue;
      }
      const { index, start } = next;
      const { item, style, hold } = this.#cues[index]!;
      if (style !== 'spotlight' && style !== 'slam') {
        this.#free(item, this.#place(index, style, start));
        continue;
      }
      const isBarred = start < barred;
      const at = frames(Math.max(start, barred + this.#lengths.minVerdict));
      if (group !== null && (isBarred || at !== group.at)) {
        // Nothing else starts with it; what its cards do next may come before this cue.
        close(group);
        group = null;
        this.#enqueue(next);
        continue;
      }
      const verdict = this.#verdictOf(index, isBarred ? start : at, start);
      if (isBarred || !this.#fits(index, at, verdict)) {
        const seen = verdict + plainCourse('pop', frames(0), this.#rate).end <= this.#closing(start).end;
        this.#free(item, this.#place(index, 'pop', seen ? frames(verdict) : start, true));
        continue;
      }
      group ??= { at, items: [], verdict: at, ownVerdict: Number.NEGATIVE_INFINITY };
      if (hold === null) {
        this.#slams.push(at);
        this.#free(item, this.#place(index, 'slam', at));
        continue;
      }
      group.items.push(item);
      group.verdict = Math.max(group.verdict, verdict);
      if (hold.isOwn) group.ownVerdict = Math.max(group.ownVerdict, verdict);
      this.#spotlights.push({ index, at, verdict, minVerdict: hold.isOwn ? verdict : at + hold.minLength });
    }
  }

  /**
   * Sets the length of each spotlight: those of one frame take off together, before the next event or the end of the
   * board.
   */
  #backwards(): void {
    let nextSpotlight = Number.POSITIVE_INFINITY;
    for (let end = this.#spotlights.length; end > 0; ) {
      const { at } = this.#spotlights[end - 1]!;
      const first = firstIndex(end, (i) => this.#spotlights[i]!.at >= at);
      const nextSlam = this.#slams[firstIndex(this.#slams.length, (i) => this.#slams[i]! > at)];
      const next = { spotlight: nextSpotlight, slam: nextSlam ?? Number.POSITIVE_INFINITY };
      if (this.#shorten(this.#spotlights.slice(first, end), this.#closing(at).stage, next)) nextSpotlight = at;
      end = first;
    }
  }

  /** Whether any of them stays on the stage. */
  #shorten(
    group: readonly Spotlight[],
    closes: number,
    next: { readonly spotlight: number; readonly slam: number },
  ): boolean {
    const { verdict: full, minVerdict: shown, staysDim, cleared } = this.#lengths;
    const limit = Math.min(next.spotlight, next.slam, closes);
    const fits = ({ minVerdict }: Spotlight) => minVerdict + shown <= limit;
    for (const { index, at } of group.filter((spotlight) => !fits(spotlight))) this.#place(index, 'pop', at, true);
    const fitting = group
      .filter(fits)
      .map((light) => ({ ...light, verdict: Math.min(light.verdict, Math.max(light.minVerdict, limit - full)) }));
    if (fitting.length === 0) return false;
    const stamped = Math.max(...fitting.map(({ verdict }) => verdict));
    // A slam comes where the card is held: it sets out before that.
    const leaves = Math.max(stamped + shown, next.slam - cleared);
    const takeOff = frames(Math.min(stamped + full, limit, leaves));
    for (const { index, at, verdict } of fitting) {
      const times = { at, verdict: frames(verdict), takeOff, staysDim: next.spotlight - takeOff < staysDim };
      this.#staged[index] = {
        style: 'spotlight',
        course: spotlightCourse(times, this.#rate, this.#flight),
        hadNoRoom: false,
      };
    }
    return true;
  }

  /** When a card that starts at `at` shows its row, as its tile asks for it; never before the item is free for it, at `start`. */
  #verdictOf(index: number, at: Frames, start: Frames): number {
    const cue = this.#cues[index]!;
    if (cue.hold === null) return plainCourse('slam', at, this.#rate).verdict;
    const { length, stampAt } = cue.hold;
    return stampAt === null ? at + length : Math.max(stampAt, cue.at + this.#lengths.entrance, start);
  }

  /** Whether there is time for an entrance, and for the parts that may not be shortened, before the board closes. */
  #fits(index: number, at: Frames, verdict: number): boolean {
    const { hold } = this.#cues[index]!;
    const { end, stage } = this.#closing(at);
    if (hold === null) return verdict <= end;
    if (hold.stampAt !== null && verdict < at + this.#lengths.entrance) return false;
    return !hold.isOwn || verdict + this.#lengths.minVerdict <= stage;
  }

  /** When the board that is open at `at` closes, and by when a card must take off to land before that. */
  #closing(at: Frames): { readonly end: number; readonly stage: number } {
    const open = this.#open[firstIndex(this.#open.length, (i) => this.#open[i]!.end > at)];
    const end = open !== undefined && open.start <= at ? open.end : Number.POSITIVE_INFINITY;
    return { end, stage: end - this.#lengths.landing };
  }

  /** @returns where the event is over. */
  #place(index: number, style: Exclude<StagedTile['style'], 'spotlight'>, at: Frames, hadNoRoom = false): Frames {
    const course = plainCourse(style, at, this.#rate);
    this.#staged[index] = { style, course, hadNoRoom };
    return course.end;
  }

  /** The item's next cue may start at `frame`. */
  #free(item: number, frame: number): void {
    const index = this.#waiting.get(item)!.pop();
    if (index === undefined) return;
    this.#enqueue({ index, start: frames(Math.max(this.#cues[index]!.at, frame)) });
  }

  #enqueue(next: Queued): void {
    const place = firstIndex(this.#queue.length, (i) => {
      const { start, index } = this.#queue[i]!;
      return start < next.start || (start === next.start && index < next.index);
    });
    this.#queue.splice(place, 0, next);
  }
}
