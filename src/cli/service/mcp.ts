import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type TiercutClient, TiercutError, type VideoRequest } from '../../../packages/client/src/client.ts';
import { saveTo } from '../../../packages/client/src/node.ts';
import { jsonLimits, readConfig } from '../../config/config.ts';
import { ExportError, messageOf } from '../../errors.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { readJson } from '../../timeline/json/json-text.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { readSha256 } from '../../timeline/media-references.ts';
import { isWebAddress, readStored } from '../../timeline/project/project-media.ts';
import { DOCUMENT_FIELDS } from '../../timeline/request-documents.ts';
import { productVersion } from '../command-line/product-version.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';
import { AllowedFolders, alreadyThere } from './allowed-folders.ts';
import { serviceClient, serviceUrl } from './service-client.ts';

/** `tiercut mcp`: a Model Context Protocol server over stdin and stdout, for agents that use a service. (C75) */
export async function mcpCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { options } = readArguments('mcp', args);
  const folders = await AllowedFolders.of(options.allow);
  const server = new McpServer(
    { name: 'tiercut', version: productVersion() },
    {
      instructions: `Makes tier-list videos with the Tiercut service at ${serviceUrl()}. Its /llms.txt explains the documents.`,
    },
  );
  addTools(server, serviceClient(), folders, terminal.signal);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  terminal.signal.addEventListener('abort', () => close(), { once: true });
  // The SDK reads stdin and does not report its end.
  process.stdin.once('end', close);
  server.server.onclose = close;
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
  return 0;
}

const documents = {
  file: z.string().optional().describe('Path of a project file (JSON). Instead of the documents.'),
  tier_list: z.record(z.string(), z.unknown()).optional().describe('What is ranked: title, rows, items.'),
  timeline_data: z.record(z.string(), z.unknown()).optional().describe('The timeline. {"auto": {}} generates it.'),
  settings: z.record(z.string(), z.unknown()).optional().describe('How it is rendered: preset, fps, quality, theme …'),
  media: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Path, HTTPS address or SHA-256 by file_field. Files are uploaded; they must be below the folder of the project file, the working folder, or a folder that was allowed with --allow.',
    ),
};

/** What uploads files of this machine, and has the service fetch addresses, is not read-only, however little it keeps. */
const UPLOADS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

const destinationTarget = z.object({ url: z.string(), headers: z.record(z.string(), z.string()).default({}) });

type Sent = z.infer<z.ZodObject<typeof documents>>;

/** Clients of agents often cancel a call that takes longer. */
const LONGEST_WAIT_SECONDS = 50;

/** The tools of an agent. */
function addTools(server: McpServer, client: TiercutClient, folders: AllowedFolders, signal: AbortSignal): void {
  const requestOf = (sent: Sent) => readRequest(sent, folders);
  server.registerTool(
    'validate',
    {
      description:
        'Checks the documents of a video without rendering it. Returns errors with their JSON Pointers, or warnings. Uploads the files of media to the service.',
      inputSchema: documents,
      annotations: UPLOADS,
    },
    (sent) => resultOf(async () => json(await client.validate(await requestOf(sent), { signal }))),
  );
  server.registerTool(
    'frame',
    {
      description:
        'Shows one frame of the video as a picture, exactly as it will be rendered. Uploads the files of media to the service.',
      inputSchema: {
        ...documents,
        at: z.number().min(0).describe('Seconds.'),
        preset: z.string().optional().describe('landscape, portrait or square.'),
      },
      annotations: UPLOADS,
    },
    ({ at, preset, ...sent }) =>
      resultOf(async () => {
        const choice = preset === undefined ? {} : { preset };
        const request = { ...(await requestOf(sent)), at, ...choice, type: 'image/jpeg' } as const;
        const { picture, frame, frames } = await client.frame(request, { signal });
        const data = Buffer.from(await picture.arrayBuffer()).toString('base64');
        return [
          { type: 'image', data, mimeType: 'image/jpeg' },
          { type: 'text', text: `Frame ${frame} of ${frames}.` },
        ];
      }),
  );
  server.registerTool(
    'render',
    {
      description:
        'Starts a render in all three presets, or those of presets, and returns its export_id at once. Use follow to wait for it. Uploads the files of media to the service.',
      inputSchema: {
        ...documents,
        external_id: z.string().max(200).optional().describe('A name of your own.'),
        metadata: z.record(z.string(), z.string()).optional().describe('Pairs of your own, by which list can filter.'),
        presets: z
          .array(z.string())
          .optional()
          .describe('The presets to render now, the selected one among them; default: all that the service renders.'),
        destinations: z
          .record(z.string(), z.union([z.string(), destinationTarget]))
          .optional()
          .describe(
            'Where finished videos are sent with PUT, by preset: a pre-signed HTTPS address, or { url, headers }.',
          ),
      },
      // What is sent to a destination replaces what is there.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ external_id, metadata, presets, destinations, ...sent }) =>
      resultOf(async () => {
        const request = {
          ...(await requestOf(sent)),
          ...(external_id !== undefined && { external_id }),
          ...(destinations !== undefined && { destinations }),
          ...(metadata !== undefined && { metadata }),
          ...(presets !== undefined && { presets }),
        };
        return json(await client.create(request, { signal }));
      }),
  );
  server.registerTool(
    'follow',
    {
      description: `Waits up to ${LONGEST_WAIT_SECONDS} s for an export and returns its state. With save_to it writes the finished MP4 there.`,
      inputSchema: {
        export_id: z.string(),
        preset: z.string().optional().describe('The preset to save; default: the selected one.'),
        save_to: z
          .string()
          .optional()
          .describe(
            'Path of the MP4 file to write, below the working folder or a folder that was allowed with --allow.',
          ),
        overwrite: z.boolean().default(false).describe('Whether save_to may replace a file.'),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ export_id, preset, save_to, overwrite }) =>
      resultOf(async () => {
        // Refused before the wait; and checked again after it, for a folder can become a link.
        if (save_to !== undefined) await folders.target(save_to, overwrite);
        const waited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_SECONDS * 1000)]);
        await client.wait(export_id, { signal: waited }).catch((error: unknown) => {
          if (!waited.aborted || signal.aborted) throw error;
        });
        const made = await client.status(export_id, { signal });
        if (made.state === 'completed' && save_to !== undefined) {
          const choice = preset === undefined ? {} : { preset };
          const video = await client.download(export_id, { ...choice, signal });
          const target = await folders.target(save_to, overwrite);
          await saveTo(target, video, { signal, overwrite }).catch((error: NodeJS.ErrnoException) => {
            throw error.code === 'EEXIST' ? alreadyThere(save_to) : error;
          });
        }
        return json(made);
      }),
  );
  server.registerTool(
    'list',
    {
      description: 'Lists exports, newest first.',
      inputSchema: {
        state: z.enum(['queued', 'rendering', 'completed', 'failed']).optional(),
        external_id: z.string().optional(),
        metadata: z.record(z.string(), z.string()).optional().describe('Pairs that the metadata must have.'),
        limit: z.number().int().min(1).max(100).default(20),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ state, external_id, metadata, limit }) =>
      resultOf(async () => {
        const wanted = { ...(state !== undefined && { state }), ...(external_id !== undefined && { external_id }) };
        const pairs = metadata === undefined ? {} : { metadata };
        return json(await client.list({ limit, signal, ...wanted, ...pairs }));
      }),
  );
}

/** The request of an agent; files are read from allowed folders of this machine, or fetched by the service. */
async function readRequest({ file, media = {}, ...inline }: Sent, folders: AllowedFolders): Promise<VideoRequest> {
  const { project, scope } = file === undefined ? { project: {}, scope: folders.scope } : await read(file, folders);
  const places = { ...mediaOf(project, 'media'), ...mediaOf(project, 'media_refs'), ...media };
  const sources = Object.entries(places).map(async ([field, where]) => {
    const stored = readStored(where) ?? readSha256(where);
    if (stored !== null) return [field, { media: stored }] as const;
    if (isWebAddress(where)) return [field, { url: where }] as const;
    return [field, await folders.source(where, scope).catch(at(pointer('/media', field)))] as const;
  });
  const { tier_list = {}, timeline_data = {}, settings } = { ...project, ...inline } as Partial<VideoRequest>;
  return {
    tier_list,
    timeline_data,
    ...(settings && { settings }),
    media: Object.fromEntries(await Promise.all(sources)),
  };
}

/** The same error with its place. */
function at(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ExportError)) throw error;
    throw new ExportError(error.kind, error.code, error.message, { path, cause: error });
  };
}

type Project = Readonly<Record<string, unknown>>;

/** A project file. Only a file that holds documents is one: the folder of any other stays closed. */
async function read(file: string, folders: AllowedFolders) {
  const limits = jsonLimits(readConfig());
  const { text, scope } = await folders.readProject(file, limits.maxBytes);
  const none = `${shownText(file)} is no project file: a JSON object with tier_list or timeline_data.`;
  // An error of JSON quotes the text, which must not be that of any file.
  if (!text.trimStart().startsWith('{')) throw new ExportError('malformed', 'project.not_an_object', none);
  const reading = readJson(text, limits);
  if ('fault' in reading) {
    const { kind, code, path, message } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const project = reading.value;
  if (isObject(project) && DOCUMENT_FIELDS.some((field) => Object.hasOwn(project, field))) return { project, scope };
  throw new ExportError('malformed', 'project.not_an_object', none);
}

function mediaOf(project: Project, name: 'media' | 'media_refs'): Readonly<Record<string, string>> {
  const media = project[name] ?? {};
  if (isObject(media) && Object.values(media).every((where) => typeof where === 'string')) {
    return media as Record<string, string>;
  }
  throw new ExportError('invalid', 'project.media', `${name} must be an object from file_field to text.`, {
    path: `/${name}`,
  });
}

type Content = CallToolResult['content'];

function json(value: unknown): Content {
  return [{ type: 'text', text: JSON.stringify(value, null, 2) }];
}

/** A failure is a result that the agent can read and act on. */
async function resultOf(work: () => Promise<Content>): Promise<CallToolResult> {
  try {
    return { content: await work() };
  } catch (error) {
    const shown =
      error instanceof TiercutError
        ? { code: error.code, detail: error.message, errors: error.errors, warnings: error.warnings }
        : error instanceof ExportError
          ? { code: error.code, detail: error.message, errors: error.issues }
          : { detail: messageOf(error) };
    return { content: json(shown), isError: true };
  }
}
