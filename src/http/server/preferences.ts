import type { IncomingHttpHeaders } from 'node:http';
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

/** Whether a client takes this type; one without `Accept` takes all. */
export function accepts(accept: string | undefined, type: string): boolean {
  return accept === undefined || accept.trim() === '' || qualityOf(type, accept.split(',').flatMap(readRange)) > 0;
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

/** The preferences of a client (RFC 7240), which the service may ignore. */
interface Preferences {
  readonly respondAsync: boolean;
  /** How long it wants to wait; null if it does not say. */
  readonly waitSeconds: number | null;
  /** Whether warnings are errors (`handling=strict`). */
  readonly strict: boolean;
}

/** Parses `Prefer`; unknown preferences are ignored, as the RFC says, and the first of repeated ones counts. */
export function readPreferences(header: string | readonly string[] | undefined): Preferences {
  const seen = new Map<string, string>();
  const text = header === undefined || typeof header === 'string' ? (header ?? '') : header.join(',');
  for (const preference of text.split(',')) {
    // What follows a semicolon are parameters.
    const [said = ''] = preference.split(';', 1);
    const [name = ''] = said.split('=', 1);
    const key = name.trim().toLowerCase();
    if (!seen.has(key)) seen.set(key, unquoted(said.slice(name.length + 1).trim()));
  }
  const wait = seen.get('wait');
  return {
    respondAsync: seen.has('respond-async'),
    waitSeconds: wait !== undefined && /^\d{1,9}$/.test(wait) ? Number(wait) : null,
    strict: seen.get('handling')?.toLowerCase() === 'strict',
  };
}

/** The preference that turns warnings into errors. (C90) */
export const STRICTLY = 'handling=strict';

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text;
}

/**
 * How long a request waits for its result, and which preferences were applied (RFC 7240): with `respond-async` it does
 * not wait, with `wait` up to that time, with both up to that time before an asynchronous response. (C8, C40)
 */
export function waitOf(
  header: string | readonly string[] | undefined,
  waitLimitSeconds: number,
): { readonly seconds: number; readonly applied: string } {
  const { respondAsync, waitSeconds } = readPreferences(header);
  const seconds = Math.min(waitSeconds ?? (respondAsync ? 0 : waitLimitSeconds), waitLimitSeconds);
  const applied = [respondAsync && 'respond-async', waitSeconds !== null && `wait=${seconds}`];
  return { seconds, applied: applied.filter((one) => one !== false).join(', ') };
}

/** Whether a client accepts this encoding: it names it, without a weight of zero. */
export function takes(encoding: 'gzip' | 'br', headers: Pick<IncomingHttpHeaders, 'accept-encoding'>): boolean {
  return String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [name, ...parameters] = range.split(';').map((part) => part.trim());
      return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}
