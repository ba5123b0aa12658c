import type { EnterExit } from '../request/places.ts';
import type { RawSubtitle } from '../schema.ts';

/** Long enough to be seen, short enough not to be waited for. */
const TRANSITION_SECONDS = 0.3;

/** The entrance and the exit of an entry, if it has them. (C48) */
export function readEnterExit({
  enter,
  exit,
  enter_duration: duration,
}: Pick<RawSubtitle, 'enter' | 'exit' | 'enter_duration'>): EnterExit {
  return { enter: enter ?? null, exit: exit ?? null, duration: duration ?? TRANSITION_SECONDS };
}
