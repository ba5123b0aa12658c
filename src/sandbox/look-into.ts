import { ExportError } from '../errors.ts';
import type { MediaFactsByField } from '../plan/media-facts.ts';
import { type LookedInto, mentionedFields, resolveFacts } from '../plan/resolve-facts.ts';
import type { ExportRequest } from '../timeline/export-request.ts';
import type { RenderHost } from './render-host.ts';

/** A file someone uploaded: where it lies, and the SHA-256 of its bytes in hex. */
export interface UploadedFile {
  readonly path: string;
  readonly hash: string;
}

/**
 * Finds out what the planner needs to know about every upload the request mentions, in a jailed child.
 *
 * @param workDir an empty folder for the child.
 * @throws ExportError naming every entry whose media cannot be used.
 */
export async function lookInto(
  request: ExportRequest,
  uploads: ReadonlyMap<string, UploadedFile>,
  host: RenderHost,
  workDir: string,
  signal?: AbortSignal,
): Promise<MediaFactsByField> {
  const mentioned = [...mentionedFields(request)].map((field) => [field, uploads.get(field)!] as const);
  // One content under several names is looked into once.
  const paths = [...new Map(mentioned.map(([, { hash, path }]) => [hash, path])).entries()];
  if (paths.length === 0) return new Map();
  const probed = await host.probe({ inputs: paths.map(([, path]) => path), workDir, signal });
  const byHash = new Map(paths.map(([hash], i) => [hash, probed[i]!]));
  const found = mentioned.map(([field, { hash }]): [string, LookedInto] => {
    const result = byHash.get(hash)!;
    return [field, result instanceof ExportError ? { hash, error: result } : { hash, ...result.facts }];
  });
  return resolveFacts(request, new Map(found));
}
