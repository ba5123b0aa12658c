import type { Frames, Range } from '../../time.ts';
import type { ClipLayer } from '../layers/clip-layer.ts';
import type { LayerRef } from '../layers/span.ts';
import type { PictureEnvelope } from './picture-envelope.ts';

/** The fades that overlap the range, and their progress at its start. */
export function fadesKey({ shows, fadeIn, fadeOut }: ClipLayer, range: Range<Frames>): unknown {
  const fadesIn = range.start < shows.start + fadeIn;
  const fadesOut = range.end > shows.end - fadeOut;
  return [fadesIn ? [fadeIn, range.start - shows.start] : null, fadesOut ? [fadeOut, shows.end - range.start] : null];
}

/** The entrance and exit that overlap the range, and their progress at its start. */
export function enterExitKey({ shows, enter, exit }: PictureEnvelope, range: Range<Frames>): unknown {
  const comes = enter !== null && range.start < shows.start + enter.frames;
  const goes = exit !== null && range.end > shows.end - exit.frames;
  return [
    comes ? [enter.kind, enter.frames, range.start - shows.start] : null,
    goes ? [exit.kind, exit.frames, shows.end - range.start] : null,
  ];
}

/** The transition that overlaps the range, its progress at its start, and the layer it comes from. (C58) */
export function clipTransitionKey(
  { shows, transition }: Pick<ClipLayer, 'shows' | 'transition'>,
  range: Range<Frames>,
  layers: readonly LayerRef[],
): unknown {
  if (transition === null || range.start >= shows.start + transition.frames) return null;
  const { kind, frames, from } = transition;
  const place = layers.findIndex((ref) => ref.kind === 'clip' && ref.index === from);
  return [kind, frames, range.start - shows.start, place];
}
