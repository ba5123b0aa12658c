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
  issues.throwIfFailed();
  const facts = [...uploads].map(([field, found]): [string, MediaFacts] => {
    return [field, 'error' in found ? { hash: found.hash, ...UNREADABLE } : found];
  });
  return new Map(facts);
}

/** Every upload the request mentions, once. */
export function mentionedFields(request: ExportRequest): Set<string> {
  const pictures = request.tierList.items.flatMap(({ media }) => (media === null ? [] : [media]));
  return new Set([...playedMedia(request), ...pictures].map(({ field }) => field));
}

function playedMedia({ timeline }: ExportRequest): MediaRef[] {
  return [...timeline.videos, ...timeline.audios, ...timeline.soundtracks].map(({ media }) => media);
}
