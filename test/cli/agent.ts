import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { MAIN, type ScratchFolder } from './tiercut.ts';

/** How `tiercut mcp` is started. */
export interface AgentStart {
  /** The service that it uses, and the key of a tenant. */
  readonly base: string;
  readonly key: string;
  readonly cwd?: string;
  readonly home?: string;
  readonly allow?: readonly string[];
}

/** An agent that has started `tiercut mcp`. The caller closes it. */
export async function startAgent({ base, key, cwd, home, allow = [] }: AgentStart): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const own = process.env as Record<string, string>;
  const env = { ...own, ...(home && { HOME: home }), TIERCUT_URL: base, TIERCUT_KEY: key };
  const args = [MAIN, 'mcp', ...allow.flatMap((dir) => ['--allow', dir])];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, ...(cwd && { cwd }) }));
  return client;
}

/** Calls a tool; its answer is JSON. */
export async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content as { type: string; text: string }[];
  return { isError, shown: JSON.parse(first!.text) };
}

/** A timeline that needs the file `clip`. */
export const CLIP = { videos: [{ file_field: 'clip', start: 0, duration: 1 }] };

/** Folders of a person: a home with secrets, a project in it, and pictures elsewhere. */
export function foldersOfPerson(folder: ScratchFolder) {
  const at = (...names: string[]) => join(folder.path, ...names);
  for (const dir of [
    ['home', '.ssh'],
    ['home', 'project', 'media'],
    ['home', 'work'],
    ['pictures', '.keys'],
  ]) {
    mkdirSync(at(...dir), { recursive: true });
  }
  writeFileSync(at('home', '.ssh', 'id_rsa'), 'SECRET KEY');
  writeFileSync(at('home', 'taxes.pdf'), 'SECRET TAXES');
  writeFileSync(at('home', 'project', '.env'), 'SECRET ENV');
  writeFileSync(at('home', 'project', 'media', 'a.png'), 'a picture');
  writeFileSync(at('pictures', 'b.png'), 'another picture');
  writeFileSync(at('pictures', '.keys', 'c.png'), 'SECRET PICTURE');
  symlinkSync(at('home', '.ssh', 'id_rsa'), at('home', 'project', 'media', 'link.png'));
  symlinkSync(at('home', '.ssh'), at('home', 'project', 'folder-link'));
  symlinkSync(at('home', 'project', 'media', 'a.png'), at('home', 'project', 'good-link.png'));
  assert.equal(spawnSync('mkfifo', [at('home', 'project', 'media', 'pipe.png')]).status, 0);
  const projectOf = (where: string, name = 'project.json') => {
    const file = at('home', 'project', name);
    writeFileSync(file, JSON.stringify({ tier_list: {}, timeline_data: CLIP, media: { clip: where } }));
    return file;
  };
  /** Paths that the project file may not name. */
  const outside = [
    '/etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
    '../taxes.pdf',
    '../../pictures/b.png',
    'media/../../taxes.pdf',
    '~/.ssh/id_rsa',
    at('home', '.ssh', 'id_rsa'),
    'media/link.png',
    'folder-link/id_rsa',
    '.env',
    '../no-such-file',
    '.',
  ];
  return { at, projectOf, outside };
}

/** The content of the files that must never be uploaded. */
export const SECRETS = ['SECRET KEY', 'SECRET TAXES', 'SECRET ENV', 'another picture'];

/** Whether the service has ever received these bytes. */
export async function isStored(
  base: string,
  headers: Readonly<Record<string, string>>,
  bytes: string,
): Promise<boolean> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const { status } = await fetch(`${base}/media/${hash}`, { method: 'HEAD', headers });
  assert.ok([200, 404].includes(status), String(status));
  return status === 200;
}
