import { ExportError } from '../../errors.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_REFS } from '../../timeline/media-references.ts';
import { MEDIA_PART, type WantedMedia } from '../../timeline/wanted-fields.ts';
import type { SubmittedFile } from '../api/submission.ts';
import type { FetchMedia } from './fetch-media.ts';
import type { RequestFile, RequestFiles } from './request-files.ts';

export interface GatherOnePorts {
  readonly files: Pick<RequestFiles, 'gather'>;
  readonly fetching: Pick<FetchMedia, 'fetchFrom'>;
}

/** The file of a request about one file. It exists until disposed. */
interface GatheredFile extends AsyncDisposable {
  readonly file: RequestFile;
  /** The path of its field in the request. */
  readonly path: string;
}

/** Finds the file of a request: sent, referenced or fetched. @throws `reference.unknown`; the errors of a fetch. */
export async function gatherOne(
  {
    tenant,
    sent,
    wanted,
  }: { readonly tenant: string; readonly sent: SubmittedFile | undefined; readonly wanted: WantedMedia },
  { files, fetching }: GatherOnePorts,
  signal: AbortSignal,
): Promise<GatheredFile> {
  const { mediaRef, mediaUrl } = wanted;
  const path = sent !== undefined ? '/media' : mediaUrl === null ? '/media_ref' : '/media_url';
  const sha256 =
    mediaUrl === null ? mediaRef : (await fetching.fetchFrom(tenant, { text: mediaUrl, path }, signal)).sha256;
  const references = sha256 === null ? {} : { [MEDIA_PART]: sha256 };
  const named = new Map([[MEDIA_REFS, JSON.stringify(references)]]);
  const received = sent === undefined ? new Map() : new Map([[MEDIA_PART, sent]]);
  const gathered = await files.gather(tenant, named, received, new IssueList(), signal);
  const file = gathered.files.get(MEDIA_PART);
  if (file !== undefined) return { file, path, [Symbol.asyncDispose]: () => gathered[Symbol.asyncDispose]() };
  await gathered[Symbol.asyncDispose]();
  const message = `The file ${sha256} does not exist or has expired. Send it with PUT /media/<sha256>, or as a part.`;
  throw new ExportError('invalid', 'reference.unknown', message, { path });
}

const FILE_FAULTS: ReadonlySet<string> = new Set<ExportError['kind']>(['invalid', 'unsupported', 'too_large']);

/** Adds the path to an error of the file; returns any other error unchanged. */
export function withErrorPath(path: string, error: unknown): unknown {
  if (!(error instanceof ExportError && FILE_FAULTS.has(error.kind))) return error;
  return new ExportError(error.kind, error.code, error.message, { path, cause: error });
}
