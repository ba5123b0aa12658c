import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { CHILD_FLAGS, CHILD_MEMORY } from '../src/sandbox/jail/resource-limits.ts';
import { ffmpegArguments } from './peers/ffmpeg.ts';
import { ffmpegStillsArguments } from './peers/ffmpeg-stills.ts';
import { type Cost, measureProcess } from './peers/measured-process.ts';
import { meltArguments } from './peers/melt.ts';
import { findRemotion, remotionArguments } from './peers/remotion.ts';
import { paintStills } from './peers/stills.ts';
import { WORKLOADS } from './render/timelines.ts';

const exec = promisify(execFile);

/** Another program that makes the same video. */
interface Peer {
  readonly name: string;
  readonly version: string;
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
  arguments(out: string): Promise<readonly string[]>;
}

/**
 * `npm run bench -- peers [clips] [board] [--rounds N] [--keep FOLDER] [--only NAMES] [--remotion FOLDER [--browser
 * FILE]]`: a minute of tier-list video in 1080p, made by us and by the alternatives installed on this machine; once
 * with clips below the board, once a board that is mostly still. In turns, in fresh processes, all with the same
 * encoder settings.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      keep: { type: 'string' },
      only: { type: 'string' },
      remotion: { type: 'string' },
      browser: { type: 'string' },
    },
  });
  for (const workload of positionals.length === 0 ? Object.keys(WORKLOADS) : positionals) {
    console.log(`\n## ${workload}\n`);
    await compare(workload as Workload, values);
  }
}

type Workload = keyof typeof WORKLOADS;

interface Options extends Places {
  readonly rounds: string;
  readonly keep?: string | undefined;
}

async function compare(workload: Workload, values: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-peers-'));
  try {
    const { present, missing } = await findPeers(workload, folder, values);
    if (values.keep !== undefined) await mkdir(values.keep, { recursive: true });
    const costs = new Map<Peer, (Cost & { readonly bytes: number; readonly load: number })[]>();
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const peer of present) {
        const out = join(values.keep ?? folder, `${workload}-${peer.name.split(' ')[0]!.toLowerCase()}.mp4`);
        const load = loadavg()[0]!;
        const cost = await measureProcess(peer.command, await peer.arguments(out), peer.environment);
        const { size: bytes } = await stat(out);
        costs.set(peer, [...(costs.get(peer) ?? []), { ...cost, bytes, load }]);
        console.error(
          `${peer.name}: ${cost.wallSeconds.toFixed(1)} s, CPU ${cost.cpuSeconds.toFixed(1)} s, load ${load.toFixed(1)}`,
        );
      }
    }
    print(costs, missing);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where Remotion is, and its browser: it is a project's dependency, not a program of the machine. */
interface Places {
  readonly remotion?: string | undefined;
  readonly browser?: string | undefined;
  /** Names of peers, with commas; the others are left out. */
  readonly only?: string | undefined;
}

async function findPeers(
  workload: Workload,
  folder: string,
  { remotion: install, browser, only }: Places,
): Promise<{ present: readonly Peer[]; missing: readonly string[] }> {
  const render = await WORKLOADS[workload]();
  const stills = await paintStills(render.plan, folder);
  const ffmpeg = await firstLine('ffmpeg', ['-version']);
  // There is no tuned setup of the others for pictures alone.
  const melt = workload === 'board' ? null : await firstLine('melt', ['--version']);
  const remotion = workload === 'board' ? null : await findRemotion(install);
  // As after a first render, in the command line and the service.
  const compiled = { ...CHILD_MEMORY, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const program = [...CHILD_FLAGS, join(import.meta.dirname, 'peers', 'tiercut.ts'), workload];
  await measureProcess(process.execPath, program, compiled);
  const peers: readonly (Omit<Peer, 'version'> & { readonly version: string | null })[] = [
    {
      name: 'Tiercut',
      version: `on Node ${process.version}`,
      command: process.execPath,
      // As in the jailed child.
      environment: compiled,
      arguments: async (out) => [...program, out],
    },
    {
      name: 'ffmpeg program, graph by hand',
      version: ffmpeg,
      command: 'ffmpeg',
      arguments: async (out) =>
        workload === 'board' ? ffmpegStillsArguments(render, folder, out) : ffmpegArguments(render, stills, out),
    },
    {
      name: 'melt',
      version: melt,
      command: 'melt',
      arguments: (out) => meltArguments(render, stills, folder, out),
    },
    {
      name: 'Remotion',
      version: remotion === null ? null : await versionOf(install!),
      command: remotion ?? '',
      arguments: (out) => remotionArguments(render, stills, install!, folder, out, browser),
    },
  ];
  const wanted = only?.split(',').map((name) => name.toLowerCase());
  const isWanted = ({ name }: Pick<Peer, 'name'>) => wanted?.includes(name.split(' ')[0]!.toLowerCase()) ?? true;
  return {
    present: peers.filter((peer): peer is Peer => peer.version !== null && isWanted(peer)),
    missing: peers.filter(({ version }) => version === null).map(({ name }) => `${name} was not asked`),
  };
}

async function versionOf(install: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(install, 'node_modules', 'remotion', 'package.json'), 'utf8'));
  return version;
}

/** null if the program is not installed. */
async function firstLine(command: string, args: readonly string[]): Promise<string | null> {
  const said = await exec(command, args).then(
    ({ stdout, stderr }) => stdout || stderr,
    () => null,
  );
  return said === null ? null : said.split('\n')[0]!.replace(/ Copyright.*/, '');
}

function print(costs: Map<Peer, (Cost & { bytes: number; load: number })[]>, missing: readonly string[]): void {
  const rounds = [...costs.values()][0] ?? [];
  const loads = [...costs.values()].flat().map(({ load }) => load);
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim()}, medians of ${rounds.length} rounds, load before a run ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}\n`,
  );
  console.log('| | wall s | CPU s | peak MB | file MB | wall, of ours | CPU, of ours |\n|---|---|---|---|---|---|---|');
  const ours = [...costs.values()][0]!;
  for (const [{ name, version }, theirs] of costs) {
    const figure = (of: (cost: (typeof theirs)[number]) => number, digits = 1) =>
      median(theirs.map(of)).toFixed(digits);
    const ratio = (of: (cost: Cost) => number) =>
      median(theirs.map((cost, round) => of(cost) / of(ours[round]!))).toFixed(2);
    const cells = [
      `${name} (${version})`,
      figure(({ wallSeconds }) => wallSeconds),
      figure(({ cpuSeconds }) => cpuSeconds),
      figure(({ peakMegabytes }) => peakMegabytes, 0),
      figure(({ bytes }) => bytes / 1e6),
      ratio(({ wallSeconds }) => wallSeconds),
      ratio(({ cpuSeconds }) => cpuSeconds),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  for (const line of missing) console.log(`\n${line}.`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
