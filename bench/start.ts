import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../build/built.ts';
import { type CreateRequest, TiercutClient } from '../packages/client/src/client.ts';
import { fileSource } from '../packages/client/src/node.ts';
import { endWithMe } from '../test/service/end-with-me.ts';
import { cpuSeconds, descendantsOf, isRunning } from '../test/service/process-tree.ts';
import { writeProject } from './render/project.ts';

/** What a fresh clone does not have. Packages are installed: they are linked to. */
const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', 'built', 'dist', 'data', 'out', '.git']);
const LOOK_EVERY_MS = 30;
const LONGEST_MS = 300_000;

/** Seconds since `npm start`, and the seconds of processor time that it and all that it started took until then. */
interface Step {
  readonly what: string;
  readonly seconds: number;
  readonly cpu: number;
}

/**
 * `npm run bench -- start [--rounds 3] [--seconds 60]`: from `npm start` in a copy of this clone with nothing built, on an
 * empty data folder, to the first response, to a frame of a project (C38), and to the first segment of the first
 * export (C49); its clips in 1080p, each on a service of its own. Programs and packages may be in the memory of the system.
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '60' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const rounds = Number(values.rounds);
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; ${rounds} rounds\n`);
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-bench-start-'));
  try {
    const project = JSON.parse(await readFile(await writeProject(folder, Number(values.seconds)), 'utf8'));
    for (const [what, act] of [
      ['a frame', firstFrame],
      ['an export', firstExport],
    ] as const) {
      const all: Step[][] = [];
      for (let round = 0; round < rounds; round++) all.push(await fromStart(project, act));
      console.log(`| ${what} | seconds: least, median | CPU: least, median |\n|---|---|---|`);
      for (const [n, step] of all[0]!.entries()) {
        const [seconds, cpu] = [all.map((steps) => steps[n]!.seconds), all.map((steps) => steps[n]!.cpu)];
        console.log(`| ${step.what} | ${leastAndMedian(seconds)} | ${leastAndMedian(cpu)} |`);
      }
      console.log('');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function leastAndMedian(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!].map((value) => value.toFixed(2)).join(', ');
}

type Project = Pick<CreateRequest, 'tier_list' | 'timeline_data'> & {
  readonly media: Readonly<Record<string, string>>;
};
type Act = (url: string, project: Project, reached: (what: string) => void) => Promise<void>;

/** Uploads the clips, and asks for one picture. */
async function firstFrame(url: string, { media, ...documents }: Project, reached: (what: string) => void) {
  const client = new TiercutClient({ url });
  const request = { ...documents, media: await uploaded(client, media) };
  reached('its clips are there');
  await client.frame({ ...request, at: 1 });
  reached('the first frame');
}

/** Uploads the clips, and watches the export while it renders. */
async function firstExport(url: string, { media, ...documents }: Project, reached: (what: string) => void) {
  const client = new TiercutClient({ url });
  const request = { ...documents, media: await uploaded(client, media) };
  reached('its clips are there');
  const { export_id, settings } = await client.create(request);
  reached('accepted');
  const address = `${url}/video/exports/${export_id}/hls/${settings.preset}/video/index.m3u8`;
  await until('the first segment', async () => (await (await fetch(address)).text()).includes('.m4s'));
  reached('the first segment');
}

async function uploaded(client: TiercutClient, media: Project['media']) {
  const all = Object.entries(media).map(async ([field, path]) => {
    return [field, { media: (await client.upload(await fileSource(path))).media }] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

/** One start in a clone of its own, which is gone afterwards. */
async function fromStart(project: Project, act: Act): Promise<Step[]> {
  const clone = await mkdtemp(join(tmpdir(), 'tiercut-bench-clone-'));
  for (const name of (await readdir(ROOT)).filter((each) => !NOT_COPIED.has(each)))
    await cp(join(ROOT, name), join(clone, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'junction');
  const url = `http://127.0.0.1:${await freePort()}`;
  const begun = performance.now();
  const service = startIn(clone, new URL(url).port);
  try {
    const steps: Step[] = [];
    const reached = (what: string) => {
      steps.push({ what, seconds: (performance.now() - begun) / 1000, cpu: cpuSeconds(service.pid!) });
    };
    await until('the first response', async () => {
      if (service.exitCode !== null) throw new Error(`npm start ended with ${service.exitCode}`);
      const response = await fetch(`${url}/healthz`).catch(() => null);
      return response?.ok === true;
    });
    reached('the first response');
    // npm would end alone.
    for (const pid of descendantsOf(service.pid!)) endWithMe({ pid, once: service.once.bind(service) });
    await act(url, project, reached);
    return steps;
  } finally {
    await end(service);
    await rm(clone, { recursive: true, force: true, maxRetries: 5 });
  }
}

function startIn(clone: string, port: string): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TIERCUT_|npm_|NODE_)/i.test(name));
  const service = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      ...Object.fromEntries(inherited),
      HOST: '127.0.0.1',
      PORT: port,
      TIERCUT_DATA_DIR: join(clone, 'data'),
      TIERCUT_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithMe(service);
  return service;
}

/** npm passes no signal on to all that it started. */
async function end(service: ChildProcess): Promise<void> {
  const all = descendantsOf(service.pid!);
  for (const pid of all) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  if (service.exitCode === null && service.signalCode === null) {
    service.kill('SIGKILL');
    await once(service, 'exit');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isSo()); await delay(LOOK_EVERY_MS))
    if (performance.now() - begun > LONGEST_MS) throw new Error(`${what} does not come`);
}
