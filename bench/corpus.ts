import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { childAllowance, mediaLimits, readConfig } from '../src/config/config.ts';
import { ExportError } from '../src/errors.ts';
import { RenderHost } from '../src/sandbox/render-host.ts';
import { comparePicture, compareSound, type Finding } from './corpus/compare.ts';
import { describeFile, ffmpegDecodes, findFfmpeg } from './corpus/ffmpeg.ts';
import { renderSample, type Sample, SOUND_SECONDS } from './corpus/sample.ts';

/** The result for a file. The last three need a review. */
const OUTCOMES = ['same', 'rendered', 'refused', 'refused, ffmpeg decodes it', 'differs', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface Result {
  readonly outcome: Outcome;
  readonly words: string;
}

/** What an accepted file must never end in. */
const FAILURES = /^render\./;

/** Files that share a render child: starting one takes longer than most files do. */
const AT_A_TIME = 20;

/**
 * `npm run corpus -- FOLDER…`: probes every file of the folders, renders a frame and the sound of each in render children, and
 * compares both with the ffmpeg program if it is installed. Exits with 1 if a render failed or something differs.
 */
export async function run(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) throw new Error('npm run corpus -- FOLDER…');
  const hasFfmpeg = await findFfmpeg();
  if (!hasFfmpeg) console.log('ffmpeg is not installed: files are rendered, and compared with nothing\n');
  const config = readConfig();
  const host = new RenderHost({
    mode: config.sandbox,
    allowance: childAllowance(config),
    mediaLimits: mediaLimits(config),
  });
  const tally = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  for (const folder of folders.map((name) => resolve(name))) {
    for await (const [file, { outcome, words }] of examine(await filesIn(folder), host, hasFfmpeg)) {
      tally.set(outcome, tally.get(outcome)! + 1);
      console.log(`${outcome.padEnd(8)}  ${relative(folder, file)}  ${words}`);
    }
  }
  console.log(`\n${[...tally].map(([outcome, count]) => `${outcome}: ${count}`).join('\n')}`);
  if (tally.get('failed')! + tally.get('differs')! > 0) process.exitCode = 1;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function* examine(
  files: readonly string[],
  host: RenderHost,
  hasFfmpeg: boolean,
): AsyncGenerator<[file: string, result: Result]> {
  for (let at = 0; at < files.length; ) {
    const inputs = files.slice(at, at + AT_A_TIME);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'tiercut-corpus-'));
    await using child = await host.open({ inputs, workDir: folder.path, duration: inputs.length * SOUND_SECONDS });
    for (const file of inputs) {
      at += 1;
      const sample = await renderSample(file, child, folder.path, host.mediaLimits);
      const failed = failure(sample);
      yield [file, failed ?? (await judge(file, sample, hasFfmpeg))];
      // The child may have ended.
      if (failed !== null) break;
    }
  }
}

/** A render that did not come to an end, or a file that was accepted and then could not be rendered. */
function failure({ probed, frame, sound }: Sample): Result | null {
  const steps = Object.entries({ probe: probed, frame, sound });
  const failed = steps.flatMap(([step, result]) => {
    const isFailure = result instanceof ExportError && (step !== 'probe' || FAILURES.test(result.code));
    return isFailure ? [`${step}: ${result.code}: ${result.message}`] : [];
  });
  return failed.length === 0 ? null : { outcome: 'failed', words: failed.join('; ') };
}

async function judge(file: string, { probed, frame, sound }: Sample, hasFfmpeg: boolean): Promise<Result> {
  if (probed instanceof ExportError || probed.kind === 'unreadable') {
    const reason = probed instanceof ExportError ? `${probed.code}: ${probed.message}` : 'nothing in it can be decoded';
    const described = hasFfmpeg ? await describeFile(file) : null;
    const decodes = described !== null && (await ffmpegDecodes(file));
    const outcome = decodes ? 'refused, ffmpeg decodes it' : 'refused';
    return { outcome, words: `${reason} (ffprobe: ${described ?? 'nothing'})` };
  }
  const findings: Finding[] = [];
  if (hasFfmpeg && frame !== null && !(frame instanceof ExportError)) {
    findings.push(await comparePicture(file, probed, frame));
  }
  if (hasFfmpeg && sound !== null && !(sound instanceof ExportError)) {
    findings.push(await compareSound(file, probed, sound));
  }
  const words = findings.map((finding) => finding.words).join('; ');
  if (findings.length === 0) return { outcome: 'rendered', words: probed.kind };
  return { outcome: findings.some(({ differs }) => differs) ? 'differs' : 'same', words };
}

if (import.meta.main) await run(process.argv.slice(2));
