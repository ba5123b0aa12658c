import { type FrameRate, type Frames, frames, framesToPass, secondsOf } from '../../time.ts';
import type { BoardEvent, BoardScene } from '../board-scene.ts';

/** Seconds from a landing to where its confetti is gone. (C55) */
export const CONFETTI_SECONDS = 2;

/** The confetti of an event, so many seconds after its landing. */
export interface Burst {
  readonly event: BoardEvent;
  readonly seed: number;
  readonly seconds: number;
}

/** What an item's confetti is thrown by: the FNV-1a hash of its id. */
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
  const thrown = confettiOf(events);
  return thrown.flatMap((event) => {
    if (event.lands > frame || confettiEnd(event, rate) <= frame) return [];
    return [{ event, seed: event.confetti!, seconds: secondsOf((frame - event.lands) as Frames, rate) }];
  });
}

const known = new WeakMap<readonly BoardEvent[], readonly BoardEvent[]>();

/** The events that throw confetti: mostly few of many. */
export function confettiOf(events: readonly BoardEvent[]): readonly BoardEvent[] {
  let thrown = known.get(events);
  if (thrown === undefined) {
    thrown = events.filter(({ confetti }) => confetti !== null);
    known.set(events, thrown);
  }
  return thrown;
}
