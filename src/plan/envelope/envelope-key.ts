import type { Frames, Range } from '../../time.ts';
import type { ClipLayer } from '../layers/clip-layer.ts';
import type { LayerRef } from '../layers/span.ts';
import type { PictureEnvelope } from './picture-envelope.ts';

/** The fades that overlap the range, and their progress at its start. */
export function fadesKey({ shows, fadeIn, fadeOut }: ClipLayer, piece: Range<Frames>): unknown {
  const fadesIn = piece.start < shows.start + fadeIn;
  const fadesOut = piece.end > shows.end - fadeOut;
  return [fadesIn ? [fadeIn, piece.start - shows.start] : null, fadesOut ? [fadeOut, shows.end - piece.start] : null];
}

/** The entrance and exit that overlap the range, and their progress at its start. */
export function passingKey({ shows, enter, exit }: PictureEnvelope, piece: Range<Frames>): unknown {
  const comes = enter !== null && piece.start < shows.start + enter.frames;
  const goes = exit !== null && piece.end > shows.end - exit.frames;
  return [
    comes ? [enter.kind, enter.frames, piece.start - shows.start] : null,
    goes ? [exit.kind, exit.frames, shows.end - piece.start] : null,
  ];
}

/** The transition that overlaps the range, its progress at its start, and the layer it comes from. (C58) */
export function takeOverKey(
  { shows, takesOver }: Pick<ClipLayer, 'shows' | 'takesOver'>,
  piece: Range<Frames>,
  layers: readonly LayerRef[],
): unknown {
  if (takesOver === null || piece.start >= shows.start + takesOver.frames) return null;
  const { kind, frames, from } = takesOver;
  const place = layers.findIndex((ref) => ref.kind === 'clip' && ref.index === from);
  return [kind, frames, piece.start - shows.start, place];
}
