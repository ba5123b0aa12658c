import type { Frames, Range } from '../../time.ts';
import type { ClipLayer } from '../render-plan.ts';
import type { PictureEnvelope } from './picture-envelope.ts';

/** The fades that touch the piece, and how far they have come at its start. */
export function fadesKey({ shows, fadeIn, fadeOut }: ClipLayer, piece: Range<Frames>): unknown {
  const fadesIn = piece.start < shows.start + fadeIn;
  const fadesOut = piece.end > shows.end - fadeOut;
  return [fadesIn ? [fadeIn, piece.start - shows.start] : null, fadesOut ? [fadeOut, shows.end - piece.start] : null];
}

/** The coming and going that touches the piece, and how far it has come at its start. */
export function passingKey({ shows, enter, exit }: PictureEnvelope, piece: Range<Frames>): unknown {
  const comes = enter !== null && piece.start < shows.start + enter.frames;
  const goes = exit !== null && piece.end > shows.end - exit.frames;
  return [
    comes ? [enter.kind, enter.frames, piece.start - shows.start] : null,
    goes ? [exit.kind, exit.frames, shows.end - piece.start] : null,
  ];
}
