import { ExportError } from '../../errors.ts';

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const RANGE = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\/([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*((?:;[^;]*)*)$/;

/**
 * The offered type that a client prefers; among equals the one offered first. (C7, RFC 9110 12.5.1)
 *
 * @throws `request.not_acceptable` if it accepts none.
 */
export function negotiate<const T extends string>(accept: string | undefined, offers: readonly T[]): T {
  if (accept === undefined || accept.trim() === '') return offers[0]!;
  const ranges = accept.split(',').flatMap(readRange);
  let best: T | null = null;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality <= bestQuality) continue;
    best = offer;
    bestQuality = quality;
  }
  if (best !== null) return best;
  const message = `The Accept header allows none of the available types: ${offers.join(', ')}.`;
  throw new ExportError('invalid', 'request.not_acceptable', message);
}

function readRange(text: string): MediaRange[] {
  const [, type, subtype, parameters] = RANGE.exec(text) ?? [];
  if (type === undefined || subtype === undefined) return [];
  const [, weight] = /;\s*q\s*=\s*([0-9.]+)\s*(?:;|$)/i.exec(parameters ?? '') ?? [];
  const quality = weight === undefined ? 1 : Number(weight);
  if (!(quality >= 0 && quality <= 1)) return [];
  return [{ type: type.toLowerCase(), subtype: subtype.toLowerCase(), quality }];
}

/** The most specific range that covers the type decides. */
function qualityOf(offer: string, ranges: readonly MediaRange[]): number {
  const [type, subtype] = offer.split('/');
  const ofRank = (matches: (range: MediaRange) => boolean) => {
    const found = ranges.filter(matches);
    return found.length === 0 ? null : Math.max(...found.map(({ quality }) => quality));
  };
  return (
    ofRank((range) => range.type === type && range.subtype === subtype) ??
    ofRank((range) => range.type === type && range.subtype === '*') ??
    ofRank((range) => range.type === '*' && range.subtype === '*') ??
    0
  );
}
