import { type FrameRate, type Frames, frameAt, type Range, type Seconds } from '../../time.ts';
import type { EnterExit } from '../../timeline/export-request.ts';
import type { Entrance, EntranceKind } from '../model/clip-layer.ts';

/** The default entrance and exit of an entry. */
export interface DefaultEnterExit<Kind extends EntranceKind = Entrance['kind']> {
  readonly enter: Kind | 'none';
  readonly exit: Kind | 'none';
}

export const NO_ENTER_EXIT: DefaultEnterExit = { enter: 'none', exit: 'none' };

/** An entry's own times, and the frames it is shown in. */
interface Slot {
  readonly time: Range<Seconds>;
  readonly shows: Range<Frames>;
  readonly rate: FrameRate;
}

/** `enter` and `exit` as frames. (C48) */
export function placeEnterExit<Kind extends EntranceKind = Entrance['kind']>(
  { enter, exit, duration }: EnterExit,
  slot: Slot,
  defaults: DefaultEnterExit<Kind>,
): { enter: Entrance<Kind | Entrance['kind']> | null; exit: Entrance<Kind | Entrance['kind']> | null } {
  const coming: Kind | Entrance['kind'] | 'none' = enter ?? defaults.enter;
  const going: Kind | Entrance['kind'] | 'none' = exit ?? defaults.exit;
  const { first, last } = edgeFrames(coming === 'none' ? 0 : duration, going === 'none' ? 0 : duration, slot);
  return { enter: entrance(coming, first), exit: entrance(going, last) };
}

/** `fade_in` and `fade_out` as frames. (C36) */
export function placeFades(
  { fadeIn, fadeOut }: { readonly fadeIn: Seconds; readonly fadeOut: Seconds },
  slot: Slot,
): { fadeIn: Frames; fadeOut: Frames } {
  const { first, last } = edgeFrames(fadeIn, fadeOut, slot);
  return { fadeIn: first, fadeOut: last };
}

/** The lengths of entrance and exit in frames. Their inner ends are rounded as positions. In a short entry the two do not overlap. */
function edgeFrames(comes: Seconds, goes: Seconds, { time, shows, rate }: Slot): { first: Frames; last: Frames } {
  const length = shows.end - shows.start;
  const first = comes === 0 ? 0 : Math.min(length, frameAt(time.start + comes, rate) - shows.start);
  const wanted = goes === 0 ? 0 : frameAt(time.end, rate) - frameAt(Math.max(0, time.end - goes), rate);
  return { first: first as Frames, last: Math.min(length - first, wanted) as Frames };
}

function entrance<Kind extends EntranceKind>(kind: Kind | 'none', frames: Frames): Entrance<Kind> | null {
  return kind === 'none' || frames <= 0 ? null : { kind, frames };
}
