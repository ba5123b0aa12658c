import type { ExportError } from '../errors.ts';
import type { ExportRequest, MediaRef, SourceEntry } from '../timeline/export-request.ts';
import { IssueList } from '../timeline/issue-list.ts';
import { DRAWING_AS_CLIP, type MediaFacts, type MediaFactsByField } from './model/media-facts.ts';

/** The result of a probe: facts, or why the upload cannot be used. */
export type FactsOrError =
  | MediaFacts
  | { readonly hash: string; readonly error: Pick<ExportError, 'kind' | 'code' | 'message'> };

const UNREADABLE = { kind: 'unreadable', duration: 0, width: 0, height: 0, alpha: false, sound: false } as const;

/**
 * The facts for the planner. An unusable file is an error at every clip that plays it; an item only loses its picture.
 * (C34, R12)
 *
 * @throws ExportError naming every entry whose media are at fault.
 */
export function resolveFacts(request: ExportRequest, uploads: ReadonlyMap<string, FactsOrError>): MediaFactsByField {
  const issues = new IssueList();
  for (const { field, path } of playedMedia(request)) {
    const found = uploads.get(field);
    if (found === undefined || !('error' in found)) continue;
    const { code, message, kind } = found.error;
    issues.error(path, code, message, kind);
  }
  for (const { media } of request.timeline.videos) {
    const found = uploads.get(media.field);
    const isDrawing = found !== undefined && 'kind' in found && found.kind === 'drawing';
    if (isDrawing) issues.error(media.path, 'media.unsupported', DRAWING_AS_CLIP, 'unsupported');
  }
  for (const font of uploadedFonts(request)) reportNoFont(font, uploads.get(font.field), issues);
  issues.throwIfFailed(request.warnings);
  const facts = [...uploads].map(([field, found]): [string, MediaFacts] => {
    return [field, 'error' in found ? { hash: found.hash, ...UNREADABLE } : found];
  });
  return new Map(facts);
}

export const TRUNCATED = 'The picture is truncated: its file ends before its last rows, or before its last frame.';

/** A warning at every entry and item whose picture is not there as a whole. (C34) */
export function warnOfTruncated(request: ExportRequest, facts: MediaFactsByField, issues: IssueList): void {
  const { clips, pictures } = mentionedMedia(request);
  for (const { field, path } of [...clips.map(({ media }) => media), ...pictures]) {
    if (facts.get(field)?.truncated === true) issues.warn(path, 'media.truncated', TRUNCATED);
  }
}

/** Every upload the request mentions, once. */
export function mentionedFields(request: ExportRequest): Set<string> {
  const { clips, tileSounds, pictures, fonts } = mentionedMedia(request);
  const played = clips.map(({ media }) => media);
  return new Set([...played, ...tileSounds, ...pictures, ...fonts].map(({ field }) => field));
}

/** The media that a request mentions, by their use. */
interface MentionedMedia {
  readonly clips: readonly SourceEntry[];
  readonly tileSounds: readonly MediaRef[];
  readonly pictures: readonly MediaRef[];
  readonly fonts: readonly MediaRef[];
}

/** Every mention of an upload, of subtitle files aside. */
function mentionedMedia(request: ExportRequest): MentionedMedia {
  const { timeline, settings, tierList } = request;
  const items = tierList.items.flatMap(({ media }) => (media === null ? [] : [media]));
  const heard = timeline.tiles.flatMap(({ sound }) => (sound === null ? [] : [sound.sound]));
  return {
    clips: [...timeline.videos, ...timeline.audios, ...timeline.soundtracks],
    // One mention may serve all tiles.
    tileSounds: [...new Set(heard.filter((sound) => typeof sound !== 'string'))],
    pictures: [...items, ...(settings.background.kind === 'image' ? [settings.background.media] : [])],
    fonts: uploadedFonts(request),
  };
}

/** Every mention of a font that was sent. */
function uploadedFonts({ settings, timeline }: ExportRequest): MediaRef[] {
  const styles = new Set([settings.subtitleStyle, ...timeline.subtitles.map(({ style }) => style)]);
  const named = [...styles].map((style) => style?.font ?? null);
  const fonts = [settings.theme.font, ...named, ...timeline.titles.map(({ font }) => font)];
  return fonts.filter((font) => font !== null && typeof font !== 'string');
}

/** A text without the letters it names would look different: an error, where an item only loses its picture. (C47) */
function reportNoFont({ path }: MediaRef, found: FactsOrError | undefined, issues: IssueList): void {
  if (found === undefined || ('kind' in found && found.kind === 'font')) return;
  if ('error' in found && found.error.code === 'media.broken_font') {
    issues.error(path, found.error.code, found.error.message, found.error.kind);
    return;
  }
  const message = 'font_field must name a font file: TTF, OTF or WOFF2.';
  issues.error(path, 'media.no_font', message, 'unsupported');
}

function playedMedia(request: ExportRequest): MediaRef[] {
  const { background } = request.settings;
  const { clips, tileSounds } = mentionedMedia(request);
  const behind = background.kind === 'image' ? [background.media] : [];
  return [...clips.map(({ media }) => media), ...behind, ...tileSounds];
}

/** Larger than any picture that is taken: no crop in pixels is outside. */
const ASSUMED_PICTURE = { width: 15_360, height: 8640, alpha: false } as const;

/** If there is no information about the length of a file. */
const ASSUMED_SECONDS = 1;

interface AssumedFacts {
  readonly facts: ReadonlyMap<string, MediaFacts>;
  /** Whether no length on the timeline depends on them. */
  readonly lengthsKnown: boolean;
}

/**
 * Assumed facts of files that were not sent, so that a request can be planned without them: each file is valid, and as
 * long as the part that is played. (C71)
 */
export function assumedFacts(request: ExportRequest, known: ReadonlyMap<string, unknown>): AssumedFacts {
  const { clips, tileSounds, pictures, fonts } = mentionedMedia(request);
  const isMissing = ({ field }: { readonly field: string }) => !known.has(field);
  const facts = new Map<string, MediaFacts>();
  const assume = (field: string, kind: MediaFacts['kind'], duration: number) => {
    const sound = kind === 'video';
    const assumed = { hash: 'unchecked', kind, duration, ...ASSUMED_PICTURE, sound };
    if ((facts.get(field)?.duration ?? -1) < duration) facts.set(field, assumed);
  };
  for (const { field } of fonts.filter(isMissing)) assume(field, 'font', 0);
  for (const { field } of pictures.filter(isMissing)) assume(field, 'still', 0);
  for (const { field } of tileSounds.filter(isMissing)) assume(field, 'video', ASSUMED_SECONDS);
  const missing = clips.filter(({ media }) => isMissing(media));
  for (const entry of missing) assume(entry.media.field, 'video', playedSeconds(entry, request));
  const lengthsKnown = !tileSounds.some(isMissing) && missing.every(({ duration }) => duration !== null);
  return { facts, lengthsKnown };
}

function playedSeconds({ trimStart, trimEnd, duration, speed }: SourceEntry, { settings }: ExportRequest): number {
  const played = trimStart + (duration ?? ASSUMED_SECONDS) * speed;
  if (settings.trimEndAs === 'cut') return played + (trimEnd ?? 0);
  return Math.max(played, trimEnd ?? 0);
}
