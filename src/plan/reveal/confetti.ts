import { firstIndex } from '../../collections.ts';
import { type FrameRate, type Frames, frames, framesToPass, secondsOf } from '../../time.ts';
import type { BoardEvent, BoardScene } from '../model/board-scene.ts';

/** Seconds from a landing to where its confetti is gone. (C55) */
export const CONFETTI_SECONDS = 2;

/** The confetti of an event, this many seconds after its landing. */
export interface Burst {
  readonly event: BoardEvent;
  readonly seed: number;
  readonly seconds: number;
}

/** The seed of an item's confetti: the FNV-1a hash of its id. */
export function confettiSeed(id: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The frame in which the confetti of an event is gone. */
export function confettiEnd({ lands }: Pick<BoardEvent, 'lands'>, rate: FrameRate): Frames {
  return frames(lands + framesToPass(CONFETTI_SECONDS, rate));
}

/** The confetti in the air at `frame`, in the order of the events. */
export function burstsAt({ events, rate }: Pick<BoardScene, 'events' | 'rate'>, frame: Frames): Burst[] {
  const { byLanding } = throwersOf(events);
  const gone = firstIndex(byLanding.length, (i) => confettiEnd(byLanding[i]!.event, rate) > frame);
  const landed = firstIndex(byLanding.length, (i) => byLanding[i]!.event.lands > frame);
  return byLanding
    .slice(gone, landed)
    .sort((a, b) => a.order - b.order)
    .map(({ event }) => ({
      event,
      seed: event.confetti!,
      seconds: secondsOf((frame - event.lands) as Frames, rate),
    }));
}

/** The events that throw confetti: mostly few of many. */
export function confettiOf(events: readonly BoardEvent[]): readonly BoardEvent[] {
  return throwersOf(events).thrown;
}

interface Throwers {
  readonly thrown: readonly BoardEvent[];
  readonly byLanding: readonly { readonly event: BoardEvent; readonly order: number }[];
}

const known = new WeakMap<readonly BoardEvent[], Throwers>();

function throwersOf(events: readonly BoardEvent[]): Throwers {
  let throwers = known.get(events);
  if (throwers === undefined) {
    const thrown = events.filter(({ confetti }) => confetti !== null);
    const byLanding = thrown.map((event, order) => ({ event, order })).sort((a, b) => a.event.lands - b.event.lands);
    throwers = { thrown, byLanding };
    known.set(events, throwers);
  }
  return throwers;
}
