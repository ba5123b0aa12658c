import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type TiercutClient, TiercutError, type VideoRequest } from '../../../packages/client/src/client.ts';
import { fileSource, saveTo } from '../../../packages/client/src/node.ts';
import { messageOf } from '../../errors.ts';
import { isWebAddress } from '../project-file.ts';

const documents = {
  file: z.string().optional().describe('Path of a project file (JSON). Instead of the documents.'),
  tier_list: z.record(z.string(), z.unknown()).optional().describe('What is ranked: title, rows, items.'),
  timeline_data: z.record(z.string(), z.unknown()).optional().describe('The timeline. {"auto": {}} generates it.'),
  settings: z.record(z.string(), z.unknown()).optional().describe('How it is rendered: preset, fps, quality, theme …'),
  media: z.record(z.string(), z.string()).optional().describe('Path, HTTPS address or SHA-256 by file_field.'),
};

const destinationTarget = z.object({ url: z.string(), headers: z.record(z.string(), z.string()).default({}) });

type Sent = z.infer<z.ZodObject<typeof documents>>;

/** Clients of agents often cancel a call that takes longer. */
const LONGEST_WAIT_SECONDS = 50;

const SHA256 = /^[0-9a-f]{64}$/i;

/** The tools of an agent. */
export function addTools(server: McpServer, client: TiercutClient, signal: AbortSignal): void {
  server.registerTool(
    'validate',
    {
      description:
        'Checks the documents of a video without rendering it. Returns errors with their JSON Pointers, or warnings.',
      inputSchema: documents,
      annotations: { readOnlyHint: true },
    },
    (sent) => resultOf(async () => json(await client.validate(await requestOf(sent), { signal }))),
  );
  server.registerTool(
    'frame',
    {
      description: 'Shows one frame of the video as a picture, exactly as it will be rendered.',
      inputSchema: {
        ...documents,
        at: z.number().min(0).describe('Seconds.'),
        preset: z.string().optional().describe('landscape, portrait or square.'),
      },
      annotations: { readOnlyHint: true },
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
      description: 'Starts a render in all three presets and returns its export_id at once. Use follow to wait for it.',
      inputSchema: {
        ...documents,
        external_id: z.string().max(200).optional().describe('A name of your own.'),
        destinations: z
          .record(z.string(), z.union([z.string(), destinationTarget]))
          .optional()
          .describe(
            'Where finished videos are sent with PUT, by preset: a pre-signed HTTPS address, or { url, headers }.',
          ),
      },
    },
    ({ external_id, destinations, ...sent }) =>
      resultOf(async () => {
        const request = {
          ...(await requestOf(sent)),
          ...(external_id !== undefined && { external_id }),
          ...(destinations !== undefined && { destinations }),
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
        save_to: z.string().optional().describe('Path of the MP4 file to write.'),
      },
    },
    ({ export_id, preset, save_to }) =>
      resultOf(async () => {
        const waited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_SECONDS * 1000)]);
        await client.wait(export_id, { signal: waited }).catch((error: unknown) => {
          if (!waited.aborted || signal.aborted) throw error;
        });
        const made = await client.status(export_id, { signal });
        if (made.state === 'completed' && save_to !== undefined) {
          const choice = preset === undefined ? {} : { preset };
          await saveTo(save_to, await client.download(export_id, { ...choice, signal }), { signal });
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
        limit: z.number().int().min(1).max(100).default(20),
      },
      annotations: { readOnlyHint: true },
    },
    ({ state, external_id, limit }) =>
      resultOf(async () => {
        const wanted = { ...(state !== undefined && { state }), ...(external_id !== undefined && { external_id }) };
        return json(await client.list({ limit, signal, ...wanted }));
      }),
  );
}

/** The request of an agent; files are read from this machine, or fetched by the service. */
async function requestOf({ file, media = {}, ...inline }: Sent): Promise<VideoRequest> {
  const read = file === undefined ? {} : JSON.parse(await readFile(file, 'utf8'));
  const folder = file === undefined ? '.' : dirname(file);
  const sources = Object.entries<string>({ ...read.media, ...read.media_refs, ...media }).map(
    async ([field, where]) => {
      if (SHA256.test(where)) return [field, { media: where.toLowerCase() }] as const;
      return [field, isWebAddress(where) ? { url: where } : await fileSource(resolve(folder, where))] as const;
    },
  );
  const { tier_list = {}, timeline_data = {}, settings } = { ...read, ...inline };
  return {
    tier_list,
    timeline_data,
    ...(settings && { settings }),
    media: Object.fromEntries(await Promise.all(sources)),
  };
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
        : { detail: messageOf(error) };
    return { content: json(shown), isError: true };
  }
}
