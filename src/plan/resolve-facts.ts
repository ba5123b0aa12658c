import type { ExportError } from '../errors.ts';
import type { ExportRequest, MediaRef } from '../timeline/export-request.ts';
import { IssueList } from '../timeline/issue-list.ts';
import { DRAWING_AS_CLIP, type MediaFacts, type MediaFactsByField } from './media-facts.ts';

/** What looking into an upload brought: facts, or why it cannot be used. */
export type LookedInto =
  | MediaFacts
  | { readonly hash: string; readonly error: Pick<ExportError, 'kind' | 'code' | 'message'> };

const UNREADABLE = { kind: 'unreadable', duration: 0, width: 0, height: 0, alpha: false, sound: false } as const;

/**
 * The facts the planner works with. A file that cannot be used is an error at every clip that plays it; an item only
 * loses its picture for it. (C34, R12)
 *
 * @throws ExportError naming every entry whose media are at fault.
 */
export function resolveFacts(request: ExportRequest, uploads: ReadonlyMap<string, LookedInto>): MediaFactsByField {
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

/** Every upload the request mentions, once. */
export function mentionedFields(request: ExportRequest): Set<string> {
  const pictures = request.tierList.items.flatMap(({ media }) => (media === null ? [] : [media]));
  return new Set([...playedMedia(request), ...pictures, ...uploadedFonts(request)].map(({ field }) => field));
}

/** Every mention of a font that was sent. */
function uploadedFonts({ settings, timeline }: ExportRequest): MediaRef[] {
  const styles = new Set([settings.subtitleStyle, ...timeline.subtitles.map(({ style }) => style)]);
  const named = [...styles].map((style) => style?.font ?? null);
  const fonts = [settings.theme.font, ...named, ...timeline.titles.map(({ font }) => font)];
  return fonts.filter((font) => font !== null && typeof font !== 'string');
}

/** A text without the letters it names would look different: an error, where an item only loses its picture. (C47) */
function reportNoFont({ path }: MediaRef, found: LookedInto | undefined, issues: IssueList): void {
  if (found === undefined || ('kind' in found && found.kind === 'font')) return;
  if ('error' in found && found.error.code === 'media.broken_font') {
    issues.error(path, found.error.code, found.error.message, found.error.kind);
    return;
  }
  const message = 'font_field must name a font file: TTF, OTF or WOFF2.';
  issues.error(path, 'media.no_font', message, 'unsupported');
}

function playedMedia({ timeline, settings: { background } }: ExportRequest): MediaRef[] {
  const clips = [...timeline.videos, ...timeline.audios, ...timeline.soundtracks].map(({ media }) => media);
  const heard = timeline.tiles.flatMap(({ sound }) => (sound === null ? [] : [sound.sound]));
  // One mention may serve all tiles.
  const behind = background.kind === 'image' ? [background.media] : [];
  return [...clips, ...behind, ...new Set(heard.filter((sound) => typeof sound !== 'string'))];
}
