import { randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TiercutClient } from '../../../packages/client/src/client.ts';
import { fileSource } from '../../../packages/client/src/node.ts';
import { jsonLimits, readConfig } from '../../config/config.ts';
import { ExportError } from '../../errors.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { isWebAddress, readStored } from '../../timeline/project/project-media.ts';
import type { OptionValues } from '../command-line/command-spec.ts';
import type { COMMANDS } from '../command-line/commands.ts';
import { readArguments, usageError } from '../command-line/read-arguments.ts';
import type { Terminal, WorkTerminal } from '../command-line/terminal.ts';
import { readJsonFile, unreadableReason } from '../project/project-file.ts';
import { callService, serviceClient, serviceUrl } from './service-client.ts';

type Options = OptionValues<(typeof COMMANDS)['projects']>;
type Action = (client: TiercutClient, options: Options, terminal: Terminal, signal: AbortSignal) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (client, { json }, terminal, signal) => {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await client.projects.list({ limit: 100, signal, ...(cursor !== undefined && { cursor }) });
      for (const project of page.projects) {
        const { project_id, revision, saved_at, name } = project;
        terminal.out(json ? JSON.stringify(project) : `${project_id}  ${revision}  ${saved_at}  ${name}`);
      }
      cursor = page.next;
    }
  },
  get: async (client, options, terminal, signal) => {
    const { revision } = options;
    const { project, etag } = await client.projects.get(idOf(options), {
      signal,
      ...(revision !== undefined && { revision: Number(revision) }),
    });
    if (options.file === undefined) terminal.out(JSON.stringify(project, null, 2));
    else {
      await writeFile(options.file, `${JSON.stringify(project, null, 2)}\n`);
      terminal.out(etag);
    }
  },
  put: async (client, options, terminal, signal) => {
    const { file, 'if-match': etag } = options;
    if (file === undefined) throw usageError('projects', ['--file FILE is missing.']);
    const project = await withMediaSent(await readProjectObject(file), dirname(file), client, signal);
    const saved = await client.projects.save(options.id ?? randomUUID(), project, {
      signal,
      ...(etag !== undefined && { etag }),
    });
    terminal.out(options.json ? JSON.stringify(saved) : `${saved.project_id}  ${saved.revision}  ${saved.etag}`);
  },
  delete: (client, options, _, signal) => client.projects.delete(idOf(options), { signal }),
  revisions: async (client, options, terminal, signal) => {
    const { revisions } = await client.projects.revisions(idOf(options), { signal });
    for (const one of revisions) {
      terminal.out(options.json ? JSON.stringify(one) : `${one.revision}  ${one.saved_at}  ${one.name}`);
    }
  },
  share: async (client, options, terminal, signal) => {
    const link = await client.projects.share(idOf(options), { signal });
    const url = new URL(link.url, serviceUrl()).href;
    terminal.out(options.json ? JSON.stringify({ ...link, url }) : `${link.link_id}  ${url}`);
  },
  links: async (client, options, terminal, signal) => {
    const { links } = await client.projects.links(idOf(options), { signal });
    for (const link of links) {
      terminal.out(options.json ? JSON.stringify(link) : `${link.link_id}  ${link.created_at}`);
    }
  },
  revoke: (client, options, _, signal) => {
    if (options.link === undefined) throw usageError('projects', ['--link ID is missing.']);
    return client.projects.revoke(idOf(options), options.link, { signal });
  },
};

/** `tiercut projects ACTION`: the projects of a service. (C76) */
export async function projectsCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: name, second, options } = readArguments('projects', args);
  if (name === 'export' || name === 'import') return move(name, second, options, terminal);
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    throw usageError('projects', [
      `Unknown action ${shownText(name)}. Actions: ${[...Object.keys(ACTIONS), 'export', 'import'].join(', ')}.`,
    ]);
  }
  if (second !== undefined) throw usageError('projects', [`Unexpected argument: ${shownText(second)}.`]);
  await callService(action(serviceClient(), options, terminal, terminal.signal));
  return 0;
}

/** `tiercut projects export DIR` and `import DIR`, for one tenant or for all of them. (C89) */
async function move(
  action: 'export' | 'import',
  folder: string | undefined,
  { id, all }: Options,
  terminal: WorkTerminal,
): Promise<number> {
  if (folder === undefined) throw usageError('projects', ['DIR is missing.']);
  const { exportProjects } = await import('./archives/export-projects.ts');
  const { importProjects } = await import('./archives/import-projects.ts');
  const { signal } = terminal;
  for (const { client, place } of all ? clientsOfAll(folder) : [{ client: serviceClient(), place: folder }]) {
    // A tenant without projects has no folder.
    if (all && action === 'import' && (await stat(place).catch(() => null)) === null) continue;
    await callService(
      action === 'export'
        ? exportProjects(client, place, terminal, { only: id, signal })
        : importProjects(place, { client, terminal, signal, url: serviceUrl() }),
    );
  }
  return 0;
}

/** A client for each tenant, and its folder: some systems reserve names such as `con`, or ignore capitals. */
function clientsOfAll(folder: string): { readonly client: TiercutClient; readonly place: string }[] {
  const keys = new Map(readConfig().apiKeys.map(({ tenant, key }) => [tenant, key]));
  if (keys.size === 0) throw usageError('projects', ['--all needs the keys of all tenants in TIERCUT_API_KEYS.']);
  return [...keys].map(([tenant, key]) => ({
    client: new TiercutClient({ url: serviceUrl(), key }),
    place: join(folder, `tenant-${tenant.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`)}`),
  }));
}

function idOf({ id }: Options): string {
  if (id === undefined) throw usageError('projects', ['--id UUID is missing.']);
  return id;
}

async function readProjectObject(file: string): Promise<Record<string, unknown>> {
  const project = await readJsonFile(file, jsonLimits(readConfig()));
  if (isObject(project)) return project;
  throw new ExportError('malformed', 'project.not_an_object', 'A project file holds one JSON object.');
}

/** Uploads the files that `media` names, lets the service fetch those on the web, and replaces them by references. */
async function withMediaSent(
  { media, ...project }: Record<string, unknown>,
  folder: string,
  client: TiercutClient,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (media === undefined) return project;
  if (!isObject(media)) {
    const message = 'media must be an object from file_field to path or address.';
    throw new ExportError('invalid', 'project.media', message, { path: '/media' });
  }
  const references: Record<string, unknown> = isObject(project.media_refs) ? { ...project.media_refs } : {};
  for (const [field, path] of Object.entries(media)) {
    const stored = readStored(path);
    if (stored !== null) {
      references[field] = stored;
      continue;
    }
    if (typeof path === 'string' && isWebAddress(path)) {
      references[field] = (await client.fetchMedia(path, { signal })).media;
      continue;
    }
    const source = await fileSource(resolve(folder, String(path))).catch((cause: unknown) => {
      const message = `The file ${shownText(String(path))} ${unreadableReason(cause)}.`;
      throw new ExportError('missing', 'project.unreadable', message, { path: `/media/${field}`, cause });
    });
    references[field] = (await client.upload(source, { signal })).media;
  }
  return { ...project, media_refs: references };
}
