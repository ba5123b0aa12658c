import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { type ExportView, isFinal, type ShortView } from '../../exports/api/export-view.ts';
import type { ExportsApi } from '../../exports/api/exports-api.ts';
import type { OpenOutput } from '../../exports/api/open-output.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { findPreset, type Presets, presetNames } from '../../timeline/presets.ts';
import { unreadyOutput } from '../replies/export-replies.ts';
import { cancelledMeanwhile, notReady, replyFailure, unknownExport } from '../replies/problem.ts';
import { accepts } from '../server/preferences.ts';
import { contentDisposition, sendMedia } from '../server/send-media.ts';

/**
 * Sends an MP4 as `sendMedia` does. (C27)
 *
 * @throws `export.unknown`, `export.cancelled` if it was deleted just now.
 */
export function sendOutput(
  output: OpenOutput,
  request: FastifyRequest,
  reply: FastifyReply,
  { inline, status }: { readonly inline: boolean; readonly status: 200 | 201 },
): Promise<FastifyReply> {
  const [type, disposition] = ['video/mp4', contentDisposition(inline ? 'inline' : 'attachment', output.fileName)];
  const { address } = output;
  const media = {
    bytes: output.bytes,
    etag: `"${output.sha256}"`,
    headers: { 'cache-control': 'private, no-transform' },
    bodyHeaders: { 'content-type': type, 'content-disposition': disposition },
    open: (range: ByteRange | undefined) => opened(output, range, status),
    elsewhere:
      address !== null && status === 200 && mayGo(request, inline) ? () => address({ type, disposition }) : null,
  };
  return sendMedia(media, request, reply, status);
}

/**
 * Whether a client can be redirected to another host. For requests of a page, its policy or the other host's may forbid
 * it; browsers announce the kind of request, and other clients have no such policies.
 */
function mayGo({ method, headers }: FastifyRequest, inline: boolean): boolean {
  return method === 'GET' && !inline && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

async function opened(output: OpenOutput, range: ByteRange | undefined, status: 200 | 201): Promise<Readable> {
  try {
    return await output.stream(range);
  } catch (error) {
    if (!(error instanceof ExportError && error.code === 'store.blob_missing')) throw error;
    throw status === 201 ? cancelledMeanwhile() : unknownExport();
  }
}

/** What a client waited for. */
interface Unready {
  readonly preset: string;
  readonly what: 'video' | 'poster';
  /** The seconds that the client requested; null if it did not. */
  readonly waited: number | null;
  readonly address: string;
  /** Whether the client has the key of the export's tenant. Without it, the response shows only the progress. (C27) */
  readonly own: boolean;
}

/**
 * The response for an output that is not available after the wait: why it failed; or, if the client set a time limit,
 * that it is not ready, with the metadata if the client accepts JSON; otherwise a redirect to the same address. (C27)
 *
 * @throws `export.unknown`, `export.not_ready`, `poster.failed`
 */
export function replyUnready(
  view: ExportView,
  { preset, what, waited, address, own }: Unready,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asked = [...view.outputs, ...view.shorts].find((candidate) => candidate.preset === preset);
  const failure = asked?.failure ?? view.failure;
  if (failure !== null && asked?.state === 'failed') return replyFailure(failure, request, reply);
  // It was completed a moment ago, and deleted since.
  if (what === 'poster' && asked?.state === 'completed') throw noPoster();
  if (asked === undefined || isFinal(asked.state)) throw unknownExport();
  if (waited === null) return reply.code(307).header('location', address).send();
  reply.headers({ 'retry-after': '2', 'preference-applied': `wait=${waited}` });
  if (request.method === 'GET' && !accepts(request.headers.accept, 'application/json')) throw notReady(what);
  return reply.code(202).send(unreadyOutput(view, own));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The video is complete without it; the export has the same as a warning. (C35) */
function noPoster(): ExportError {
  return new ExportError('missing', 'poster.failed', 'The poster of this video could not be made.');
}

/** The export with this id, if the tenant can see it. @throws `export.unknown`, for any reason. (H19) */
export async function findExport(api: ExportsApi, tenant: string | null, id: string): Promise<ExportView> {
  const view = UUID.test(id) ? await api.get(tenant, id) : null;
  if (view === null) throw unknownExport();
  return view;
}

/** Whether a known export belongs to the caller; the address of a download does not prove that. (C27) */
export async function isOwnExport(api: ExportsApi, tenant: string | null, id: string): Promise<boolean> {
  return tenant !== null && (await api.get(tenant, id)) !== null;
}

/** The preset of a known export, by name or alias. @throws `export.unknown_preset` */
export function requirePreset(presets: Presets, name: string): string {
  const preset = findPreset(presets, name);
  if (preset !== undefined) return preset.name;
  const names = presetNames(presets).join(', ');
  const message = `There is no preset ${shownText(name)}; there are ${names}.`;
  throw new ExportError('missing', 'export.unknown_preset', message);
}

/** A short of a known export. @throws `export.unknown_short` */
export function requireShort({ shorts }: ExportView, number: string): ShortView {
  const short = shorts.find((each) => String(each.number) === number);
  if (short !== undefined) return short;
  const there =
    shorts.length === 0
      ? 'It has no shorts; settings.shorts enables them'
      : `Its shorts are numbered 1 to ${shorts.length}`;
  throw new ExportError('missing', 'export.unknown_short', `The export has no short ${shownText(number)}. ${there}.`);
}
