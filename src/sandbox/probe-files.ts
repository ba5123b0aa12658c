import type { ProbedMedia } from '../engine/probe/probed-media.ts';
import { ExportError } from '../errors.ts';
import type { FactsOrError } from '../plan/resolve-facts.ts';
import type { RenderHost } from './render-host.ts';

/** An uploaded file: its path, and the SHA-256 of its bytes in hex. */
export interface UploadedFile {
  readonly path: string;
  readonly hash: string;
}

/**
 * Probes uploads for the planner in a jailed child, by field: facts, or a message that says why there are none.
 *
 * @param workDir an empty folder for the child.
 */
export async function probeFiles(
  fields: Iterable<string>,
  uploads: ReadonlyMap<string, UploadedFile>,
  host: RenderHost,
  workDir: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FactsOrError>> {
  const mentioned = [...fields].map((field) => [field, uploads.get(field)!] as const);
  // One content under several names is probed once.
  const paths = [...new Map(mentioned.map(([, { hash, path }]) => [hash, path])).entries()];
  if (paths.length === 0) return new Map();
  const probed = await host.probe({ inputs: paths.map(([, path]) => path), workDir, signal });
  const byHash = new Map(paths.map(([hash], i) => [hash, probed[i]!]));
  return new Map(
    mentioned.map(([field, { hash }]): [string, FactsOrError] => {
      return [field, factsOrErrorOf(hash, byHash.get(hash)!)];
    }),
  );
}

/** The result of a probe, in the planner's format. */
function factsOrErrorOf(hash: string, result: ProbedMedia | ExportError): FactsOrError {
  if (!(result instanceof ExportError)) return { hash, ...result.facts };
  const { kind, code, message } = result;
  return { hash, error: { kind, code, message } };
}
