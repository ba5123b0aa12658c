import { type FramePicture, type Media, TiercutError, type VideoRequest } from '../../packages/client/src/client.ts';
import type { Captions } from '../../packages/client/src/wire-types.ts';
import { ExportError } from '../errors.ts';
import { FirstSignal } from '../platform/signals.ts';
import { pointer } from '../timeline/json/json-pointer.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { readSha256 } from '../timeline/media-references.ts';
import { isWebAddress, readStored } from '../timeline/project/project-media.ts';
import type { JsonSchema } from './check-arguments.ts';
import { jsonResult, type SentDocuments, type Tool, type ToolCall, type ToolResult } from './tool.ts';
import { type Deployment, typedDocuments } from './typed-documents.ts';

/** Programs often cancel a call that takes longer. */
const LONGEST_WAIT_SECONDS = 50;

/** What has a service fetch addresses, or uploads files, is not read-only, however little it keeps. */
const UPLOADS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const READS = { readOnlyHint: true, openWorldHint: false };

const PRESET: JsonSchema = { type: 'string', description: 'landscape, portrait or square.' };
const EXPORT_ID: JsonSchema = { type: 'string', maxLength: 100, description: 'The id of an export.' };
const PAIRS: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

/** The arguments of every tool that makes an export. */
export const EXPORT_ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  external_id: { type: 'string', description: 'A name of your own.' },
  metadata: { ...PAIRS, description: 'Pairs of your own, by which list can filter.' },
  presets: {
    type: 'array',
    items: { type: 'string' },
    description: 'The presets to render now, the selected one among them; default: all that the service renders.',
  },
  destinations: {
    type: 'object',
    additionalProperties: {
      anyOf: [
        { type: 'string' },
        { type: 'object', properties: { url: { type: 'string' }, headers: PAIRS }, required: ['url'] },
      ],
    },
    description: 'Where finished videos are sent with PUT, by preset: a pre-signed HTTPS address, or { url, headers }.',
  },
};

/** @param hasFiles whether the tools may use files of their machine. */
export function videoTools(deployment: Deployment, hasFiles: boolean): readonly Tool[] {
  const { described, plain } = typedDocuments(deployment);
  const places = hasFiles ? 'Path, HTTPS address, or sha256: and 64 digits' : 'HTTPS address, or sha256: and 64 digits';
  const beside: Readonly<Record<string, JsonSchema>> = {
    ...(hasFiles && {
      file: { type: 'string', description: 'Path of a project file (JSON). Instead of the documents.' },
    }),
    media: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        `${places}, for each file_field.` +
        (hasFiles
          ? ' Files are uploaded; they must be below the folder of the project file, the working folder, or a folder that was allowed with --allow.'
          : ''),
    },
  };
  const documents = (
    { properties, $defs }: typeof plain,
    more: Readonly<Record<string, JsonSchema>> = {},
  ): JsonSchema => ({
    type: 'object',
    properties: { ...properties, ...beside, ...more },
    additionalProperties: false,
    $defs,
  });
  const validate: Tool = {
    name: 'validate',
    title: 'Check a video',
    description:
      'Checks the documents of a video without rendering it, and describes every field of them. Returns errors with their JSON Pointers, or warnings.',
    inputSchema: documents(described),
    annotations: UPLOADS,
    run: async (sent: SentDocuments, call) => {
      return jsonResult(await call.client.validate(await readRequest(sent, call), { signal: call.signal }));
    },
  };
  const frame: Tool = {
    name: 'frame',
    title: 'Look at a frame',
    description:
      'Shows one frame of the video as a picture, exactly as it will be rendered. The documents are those of validate.',
    inputSchema: {
      ...documents(plain, { at: { type: 'number', minimum: 0, description: 'Seconds.' }, preset: PRESET }),
      required: ['at'],
    },
    annotations: UPLOADS,
    run: async ({ at, preset, ...sent }: SentDocuments & { at: number; preset?: string }, call) => {
      const choice = preset === undefined ? {} : { preset };
      const request = { ...(await readRequest(sent, call)), at, ...choice, type: 'image/jpeg' } as const;
      return pictureResult(await call.client.frame(request, { signal: call.signal }));
    },
  };
  const render: Tool = {
    name: 'render',
    title: 'Render a video',
    description:
      'Starts a render in all three presets, or those of presets, and returns its export_id at once. Use follow to wait for it. The documents are those of validate.',
    inputSchema: documents(plain, EXPORT_ARGUMENTS),
    // What is sent to a destination replaces what is there.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: async ({ file, tier_list, timeline_data, settings, media, ...fields }: SentDocuments, call) => {
      const request = await readRequest(defined({ file, tier_list, timeline_data, settings, media }), call);
      return jsonResult(await call.client.create({ ...request, ...fields }, { signal: call.signal, roomWithinMs: 0 }));
    },
  };
  return [validate, frame, render, follow(hasFiles), CANCEL, LIST, captions(hasFiles), upload(hasFiles)];
}

/** A picture as the result of a tool. */
export async function pictureResult({ picture, frame, frames, warnings }: FramePicture): Promise<ToolResult> {
  const data = Buffer.from(await picture.arrayBuffer()).toString('base64');
  const noted = warnings.length === 0 ? '' : `\n${JSON.stringify({ warnings })}`;
  return {
    content: [
      { type: 'image', data, mimeType: 'image/jpeg' },
      { type: 'text', text: `Frame ${frame} of ${frames}.${noted}` },
    ],
  };
}

interface FollowArguments {
  readonly export_id: string;
  readonly preset?: string;
  readonly save_to?: string;
  readonly overwrite?: boolean;
}

function follow(hasFiles: boolean): Tool {
  const saving: Readonly<Record<string, JsonSchema>> = {
    save_to: {
      type: 'string',
      description: 'Path of the MP4 file to write, below the working folder or a folder that was allowed with --allow.',
    },
    overwrite: { type: 'boolean', default: false, description: 'Whether save_to may replace a file.' },
  };
  const saves = hasFiles ? ' With save_to it writes the finished MP4 there.' : ' links.download of outputs is the MP4.';
  return {
    name: 'follow',
    title: 'Wait for a video',
    description: `Waits up to ${LONGEST_WAIT_SECONDS} s for an export and returns its state. Call it again while it renders.${saves}`,
    inputSchema: {
      type: 'object',
      properties: {
        export_id: EXPORT_ID,
        preset: { type: 'string', description: 'The preset to wait for and to save; default: the selected one.' },
        ...(hasFiles && saving),
      },
      required: ['export_id'],
      additionalProperties: false,
    },
    annotations: hasFiles
      ? { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
      : READS,
    run: async ({ export_id, preset, save_to, overwrite = false }: FollowArguments, { client, files, signal }) => {
      // Refused before the wait; and checked again after it, for a folder can become a link.
      if (save_to !== undefined) await files!.requireTarget(save_to, overwrite);
      const choice = preset === undefined ? {} : { preset };
      using ended = new FirstSignal(signal, AbortSignal.timeout(LONGEST_WAIT_SECONDS * 1000));
      const waited = ended.signal;
      await client.wait(export_id, { ...choice, signal: waited }).catch((error: unknown) => {
        if (!waited.aborted || signal.aborted) throw error;
      });
      const made = await client.status(export_id, { signal });
      if (made.state === 'completed' && save_to !== undefined) {
        await files!.save(save_to, await client.download(export_id, { ...choice, signal }), { overwrite, signal });
      }
      return jsonResult(made);
    },
  };
}

const CANCEL: Tool = {
  name: 'cancel',
  title: 'Cancel a video',
  description:
    'Stops what is queued or rendering of an export: these outputs fail with output.stopped. Videos that are finished stay; nothing is deleted.',
  inputSchema: {
    type: 'object',
    properties: { export_id: EXPORT_ID },
    required: ['export_id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async ({ export_id }: { readonly export_id: string }, { client, signal }) => {
    const { state, outputs } = await client.status(export_id, { signal });
    const running = Object.keys(outputs).filter((preset) => {
      return ['queued', 'rendering'].includes(outputs[preset]!.state);
    });
    if (running.length === 0) {
      const message = `The export is ${state}, so there is nothing to cancel.`;
      throw new ExportError('invalid', 'mcp.ended', message, { path: '/export_id' });
    }
    // Stopping one that was finished meanwhile changes nothing, unlike deleting the export.
    for (const preset of running) await client.stop(export_id, preset, { signal });
    return jsonResult(await client.status(export_id, { signal }));
  },
};

interface ListArguments {
  readonly state?: 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled';
  readonly external_id?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly cursor?: string;
}

const LIST: Tool = {
  name: 'list',
  title: 'List videos',
  description: 'Lists exports, newest first.',
  inputSchema: {
    type: 'object',
    properties: {
      state: { type: 'string', enum: ['queued', 'rendering', 'completed', 'failed', 'cancelled'] },
      external_id: { type: 'string' },
      metadata: { ...PAIRS, description: 'Pairs that the metadata must have.' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      cursor: { type: 'string', description: 'next of the page before.' },
    },
    additionalProperties: false,
  },
  annotations: READS,
  run: async ({ limit = 20, ...query }: ListArguments, { client, signal }) => {
    return jsonResult(await client.list({ limit, signal, ...query }));
  },
};

interface CaptionsArguments {
  readonly media?: string;
  readonly language?: string;
  readonly captions_id?: string;
}

function captions(hasFiles: boolean): Tool {
  return {
    name: 'captions',
    title: 'Transcribe speech',
    description: `Transcribes the speech of a file, with the time of each word. Waits up to ${LONGEST_WAIT_SECONDS} s; while state is queued or running, call it again with captions_id.`,
    inputSchema: {
      type: 'object',
      properties: {
        media: {
          type: 'string',
          description: `A ${hasFiles ? 'path, an ' : 'public '}HTTPS address, or sha256: and 64 digits.`,
        },
        language: { type: 'string', description: 'An ISO 639 code such as en; default: the language is detected.' },
        captions_id: { type: 'string', maxLength: 100, description: 'Of an earlier call. Instead of media.' },
      },
      additionalProperties: false,
    },
    annotations: UPLOADS,
    run: async ({ media, language, captions_id }: CaptionsArguments, call) => {
      const { connection, signal } = call;
      if (media === undefined && captions_id === undefined) {
        throw lacking('media', 'a file with speech; or "captions_id", of an earlier call');
      }
      const begin = async () => {
        const { media: media_ref } = await storedMedia(media!, '/media', call);
        const headers = { prefer: 'respond-async' };
        return connection.json<Captions>('/video/captions', {
          method: 'POST',
          headers,
          json: { media_ref: readStored(media_ref) ?? media_ref, language },
          signal,
        });
      };
      let state = captions_id === undefined ? await begin() : null;
      const waitsUntil = performance.now() + LONGEST_WAIT_SECONDS * 1000;
      const path = `/video/captions/${encodeURIComponent(captions_id ?? state!.captions_id)}`;
      while (
        state === null ||
        ((state.state === 'queued' || state.state === 'running') && performance.now() < waitsUntil)
      ) {
        const seconds = Math.max(1, Math.ceil((waitsUntil - performance.now()) / 1000));
        // The service answers when they end, and after the longest wait that it allows.
        state = await connection.json<Captions>(path, { headers: { prefer: `wait=${seconds}` }, signal });
      }
      if (state.error === undefined) return jsonResult(state);
      throw new TiercutError(state.error.code, state.error.detail, { errors: state.error.errors });
    },
  };
}

function upload(hasFiles: boolean): Tool {
  const allowed = hasFiles ? 'Path or public HTTPS address' : 'Public HTTPS address';
  return {
    name: 'upload',
    title: 'Send a file',
    description: `Stores a file on the service, and returns it as sha256: and 64 digits, which media and the values of templates take.`,
    inputSchema: {
      type: 'object',
      properties: { from: { type: 'string', description: `${allowed} of a picture, a video or a sound.` } },
      required: ['from'],
      additionalProperties: false,
    },
    annotations: UPLOADS,
    run: async ({ from }: { readonly from: string }, call) => {
      const { media, facts } = await storedMedia(from, '/from', call);
      return jsonResult({ media: media.startsWith('sha256:') ? media : `sha256:${media}`, ...(facts && { facts }) });
    },
  };
}

/** A medium that the service has: sent or fetched now, unless it is named by its hash. */
async function storedMedia(
  where: string,
  path: string,
  { client, files, signal }: ToolCall,
): Promise<Pick<Media, 'media'> & Partial<Media>> {
  const stored = readStored(where) ?? readSha256(where);
  if (stored !== null) return { media: stored };
  if (isWebAddress(where)) return client.fetchMedia(where, { signal }).catch(at(path));
  if (files === null) throw noPath(path, where);
  return client.upload(await files.source(where), { signal });
}

/** The same error with its place among the arguments of the tool. */
function at(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof TiercutError)) throw error;
    const errors = error.errors.map((issue) => ({ ...issue, path }));
    throw new TiercutError(error.code, error.message.replace(/^\/url: /, ''), { ...error, errors, cause: error });
  };
}

/** The request of an agent. What is missing is named here: the service would return every field of empty documents. */
async function readRequest(sent: SentDocuments, { files }: ToolCall): Promise<VideoRequest> {
  if (sent.file === undefined && sent.tier_list === undefined && sent.timeline_data === undefined) {
    const file = files === null ? '' : '; or "file", the path of a project file';
    throw lacking('tier_list', `what is ranked, with "timeline_data"${file}`);
  }
  if (files !== null) return files.request(sent);
  const { tier_list = {}, timeline_data = {}, settings, media = {} } = sent;
  const places = Object.entries(media).map(([field, where]) => {
    const stored = readStored(where) ?? readSha256(where);
    if (stored !== null) return [field, { media: stored }] as const;
    if (isWebAddress(where)) return [field, { url: where }] as const;
    throw noPath(pointer('/media', field), where);
  });
  return { tier_list, timeline_data, ...(settings && { settings }), media: Object.fromEntries(places) };
}

function lacking(name: string, what: string): ExportError {
  const message = `"${name}" is missing: ${what}.`;
  return new ExportError('invalid', 'mcp.arguments', message, {
    issues: [{ path: '', code: 'field.required', message }],
  });
}

function noPath(path: string, where: string): ExportError {
  const message = `A medium must be an HTTPS address, or "sha256:" and 64 digits of a file that was uploaded, not ${shownText(where)}.`;
  return new ExportError('invalid', 'mcp.arguments', message, { issues: [{ path, code: 'field.format', message }] });
}

function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
