import { access, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, freemem, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { tryBlobs, tryDatabase, tryDisk } from '../../compose/try-parts.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { type Deployment, deploymentOf } from '../../config/deployment.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../engine/input/media-limits.ts';
import { ExportError } from '../../errors.ts';
import { FONT_FILES } from '../../paint/fonts/font-files.ts';
import { ENGINE_VERSION } from '../../plan/keys/engine-version.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { planRender } from '../../plan/plan-render.ts';
import { sha256 } from '../../platform/sha256.ts';
import { findCgroups } from '../../sandbox/cgroup/cgroup-home.ts';
import { childLimits } from '../../sandbox/host/child-limits.ts';
import { launchRenderChild } from '../../sandbox/render-child.ts';
import { sandboxStatus } from '../../sandbox/sandbox-status.ts';
import { secondsOf } from '../../time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../timeline/limits.ts';
import { parseRequest } from '../../timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../timeline/presets.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', weak: 'weak   ', missing: 'MISSING' };

/** `tiercut doctor`: tests what this machine offers to renders. Exits with 1 if something is missing. */
export async function doctorCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { options } = readArguments('doctor', args);
  const config = readConfig();
  const findings = [
    ...checkMachine(config),
    ...(await checkDisk(config)),
    ...(await checkShared(config)),
    await checkFonts(),
    ...(await checkJail(config)),
    await checkRender(config),
  ];
  const healthy = findings.every(({ state }) => state !== 'missing');
  if (options.json) terminal.out(JSON.stringify({ ok: healthy, findings }, null, 2));
  else {
    const width = Math.max(...findings.map(({ name }) => name.length));
    for (const { name, state, detail } of findings) terminal.out(`${MARKS[state]}  ${name.padEnd(width)}  ${detail}`);
  }
  return healthy ? 0 : 1;
}

/** The result of a check. `missing`: required and absent; `weak`: a warning. */
interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'weak' | 'missing';
  readonly detail: string;
}

type Triple = [string, string, string];

const GIBIBYTE = 2 ** 30;
/** The oldest major version whose releases have everything that we use and test. */
const NODE_MAJOR = 24;

/** Node, cores and memory. */
function checkMachine(config: Config): Finding[] {
  const { node } = process.versions;
  const memory = `${gibibytes(totalmem())}, ${gibibytes(freemem())} free`;
  const roomy = totalmem() > config.childMaxRssBytes;
  return [
    { name: 'node', state: Number.parseInt(node, 10) >= NODE_MAJOR ? 'ok' : 'missing', detail: node },
    { name: 'system', state: 'ok', detail: `${process.platform} ${release()} on ${process.arch}` },
    { name: 'cores', state: 'ok', detail: String(availableParallelism()) },
    {
      name: 'memory',
      state: roomy ? 'ok' : 'weak',
      detail: roomy ? memory : `${memory}; a render may use ${gibibytes(config.childMaxRssBytes)}`,
    },
  ];
}

/** Disk space for stored files, by the limit below which requests are refused, and for deletes. */
async function checkDisk(config: Config): Promise<Finding[]> {
  const { disk, reserve } = await tryDisk(config);
  return [{ name: 'disk', ...disk }, ...(reserve === null ? [] : [{ name: 'reserve', ...reserve }])];
}

/** The fonts that come with the install. */
async function checkFonts(): Promise<Finding> {
  const readable = await Promise.all(FONT_FILES.map(({ path }) => access(path).then(...yesOrNo)));
  const lost = FONT_FILES.filter((_, i) => !readable[i]).map(({ family }) => family);
  if (lost.length === 0) return { name: 'fonts', state: 'ok', detail: `${FONT_FILES.length} families` };
  return { name: 'fonts', state: 'missing', detail: `not there: ${lost.join(', ')}` };
}

/** Database and files that several nodes share: each is tried once. */
async function checkShared(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  let deployment: Deployment;
  try {
    // Settings that a start would refuse are refused here with the same message; the role is unknown.
    deployment = deploymentOf(config, 'serve');
  } catch (error) {
    return [{ name: 'settings', state: 'missing', detail: detailOf(error) }];
  }
  const database = await tryDatabase(deployment);
  if (database !== null) findings.push({ name: 'database', ...database });
  const files = await tryBlobs(deployment, config);
  if (files !== null) findings.push({ name: 'files', ...files });
  return findings;
}

/** The layers of the jail, and attempts to break out from inside. */
async function checkJail({ sandbox, cgroup }: Config): Promise<Finding[]> {
  try {
    // Checks what is possible even if more is required, to list everything that is missing.
    const status = await sandboxStatus(sandbox === 'off' ? 'off' : 'auto');
    const weakness = sandbox === 'required' ? 'missing' : 'weak';
    const broken = status.selfTest.filter(({ passed }) => !passed);
    const passed = `${status.selfTest.length - broken.length} of ${status.selfTest.length} as it should be`;
    return [
      ...status.layers.map(({ name, detail }) => ({ name: `jail: ${name}`, state: 'ok', detail }) as const),
      ...status.missing.map(
        ({ name, reason }) => ({ name: `jail: ${name}`, state: weakness, detail: reason }) as const,
      ),
      // Useful, but never required. The service may have one that this command does not.
      { name: 'jail: cgroup', state: 'ok', detail: findCgroups(sandbox === 'off' ? 'off' : cgroup).detail },
      {
        name: 'jail: self-test',
        state: broken.length === 0 ? 'ok' : status.missing.length === 0 ? 'missing' : weakness,
        detail: [passed, ...broken.map(({ name, expected, outcome }) => `${name} (${expected}): ${outcome}`)].join(
          '; ',
        ),
      },
    ];
  } catch (error) {
    return [{ name: 'jail', state: 'missing', detail: detailOf(error) }];
  }
}

/**
 * A second of text at full size, rendered and read back in the jail: tests the painter, encoders, MP4 writer and
 * decoders.
 */
async function checkRender({ sandbox }: Config): Promise<Finding> {
  const workDir = await mkdtemp(join(tmpdir(), 'tiercut-doctor-'));
  try {
    const plan = samplePlan();
    const [chunk, sound, out] = ['chunk.mp4', 'sound.mp4', 'sample.mp4'].map((name) => join(workDir, name)) as Triple;
    const limits = DEFAULT_MEDIA_LIMITS;
    const startedMs = performance.now();
    await using child = await launchRenderChild({ mode: sandbox, inputs: [], workDir, limits: childLimits(1) });
    const readyMs = performance.now();
    const jobs = plan.chunks.map((range) => ({ range, out: chunk }));
    await child.request('render_chunks', { presets: [{ plan, files: [], jobs }], limits });
    const renderedMs = performance.now();
    await child.request('render_sound', { plan, files: [], limits, out: sound });
    await child.request('assemble', { plan, chunkFiles: [chunk], audioFile: sound, out });
    const { video, audio } = await child.request('probe', { file: out, limits });
    const { width, height } = plan.canvas;
    const right = video?.frames === plan.totalFrames && video.picture.width === width && audio !== null;
    const speed = (secondsOf(plan.totalFrames, plan.rate) * 1000) / (renderedMs - readyMs);
    const detail =
      `${plan.totalFrames} frames of ${width}×${height} as ${video?.codec} and ${audio?.codec}, ${speed.toFixed(1)} times real time; ` +
      `a render starts in ${((readyMs - startedMs) / 1000).toFixed(2)} s`;
    return { name: 'render', state: right ? 'ok' : 'missing', detail };
  } catch (error) {
    return { name: 'render', state: 'missing', detail: detailOf(error) };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

function samplePlan(): RenderPlan {
  const subtitle = { text: 'Tiercut', start: 0, duration: 1 };
  const documents = {
    tier_list: { title: '', rows: [], items: [] },
    timeline_data: { subtitles: [subtitle] },
  };
  const limits = DEFAULT_TIMELINE_LIMITS;
  const request = parseRequest(documents, { limits, presets: DEFAULT_PRESETS, uploads: new Set() });
  const preset = DEFAULT_PRESETS[0];
  return planRender(request, { facts: new Map(), preset, limits, engineVersion: ENGINE_VERSION, sha256 });
}

const yesOrNo = [() => true, () => false] as const;

/** The operator reads this, so the text may contain the cause. */
function detailOf(error: unknown): string {
  if (!(error instanceof ExportError)) return String(error);
  return [error.message, error.cause instanceof Error ? error.cause.message : ''].join(' ').trim();
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`;
}
