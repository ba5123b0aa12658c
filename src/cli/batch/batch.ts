import { rename } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { jsonLimits, readConfig, timelineLimits } from '../../config/config.ts';
import { ExportError } from '../../errors.ts';
import { frameAtTime } from '../../plan/frame-plan.ts';
import { makeFolders } from '../../platform/make-folders.ts';
import { sha256 } from '../../platform/sha256.ts';
import { memoryLimitBytes } from '../../sandbox/host/memory-limit.ts';
import { rendersAtOnce } from '../../sandbox/host/render-memory.ts';
import type { Frames } from '../../time.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { fileEnding, type Presets } from '../../timeline/presets.ts';
import { requireNoWarnings, STRICT } from '../../timeline/request-documents.ts';
import { readArguments, secondsOption, usageError } from '../command-line/read-arguments.ts';
import { errorLines, type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { KnownMedia } from '../project/known-media.ts';
import { beside, formatByEnding, requireNoFolder, workFolderBeside } from '../project/output-file.ts';
import { type PlannedProject, planProject } from '../project/plan-project.ts';
import { type ProjectFile, readTemplate, withAddresses } from '../project/project-file.ts';
import { WebMedia } from '../project/web-media.ts';
import { LocalChunkCache } from '../watch/local-chunk-cache.ts';
import { renderChanged } from '../watch/render-changed.ts';
import { CACHE } from '../watch/watch.ts';
import { BatchJournal } from './batch-journal.ts';
import { type BatchRow, chosenRows, readRows } from './batch-rows.ts';

const STILLS = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' } as const;

/**
 * `tiercut batch PROJECT.json ROWS.csv -o 'out/{{video}}.mp4'`: a video of each row, on this machine. All rows are
 * checked first. What rows share is rendered once, and a run that was stopped continues where it was. (C85)
 */
export async function batchCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, second: table, options } = readArguments('batch', args);
  const config = readConfig();
  const template = await readTemplate(file, jsonLimits(config), timelineLimits(config));
  if (template.project.fields.size === 0) {
    const message = `${shownText(file)} is no template: it has no "fields" that rows could fill in.`;
    throw new ExportError('invalid', 'batch.no_fields', message, { path: '/fields' });
  }
  const still = stillOf(options);
  await using web = new WebMedia('batch', options['media-url'], terminal.status);
  const placed = withAddresses(template, web.named);
  const chosen = chosenRows(await readRows(table!, placed, outputPattern(options.out, still !== null)), options.only);
  const rows = options.preset === 'all' ? chosen.flatMap((row) => inAllPresets(row, config.presets)) : chosen;
  for (const { place, out } of rows) {
    await requireNoFolder(place);
    await makeFolders(dirname(out));
  }
  const cacheFolder = options.cache ?? join(dirname(file), CACHE);
  const cache = await LocalChunkCache.open(cacheFolder, config.chunkCacheBytes);
  const { signal } = terminal;
  const local = await withMediaHere(rows, web, signal);
  const batch = new Batch(rows.length, terminal, options);
  const journal = await BatchJournal.open(cacheFolder);
  const known = new KnownMedia();

  const make = async (row: BatchRow): Promise<void> => {
    signal.throwIfAborted();
    try {
      const planned = await planProject(local.get(row)!, { preset: row.preset ?? options.preset, web, signal, known });
      requireNoWarnings(new Map([[STRICT, String(options.strict)]]), planned.plan.warnings);
      if (still !== null) await drawStill(row, planned, still, batch, signal);
      else await renderRow(row, planned, { cache, journal, batch, signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof ExportError)) throw error;
      batch.failed(row, error);
    }
  };
  try {
    const [first, ...others] = rows;
    // What all rows share is in the cache after the first one.
    if (first !== undefined) await make(first);
    const waiting = others.values();
    const jobs = Array.from({ length: jobsOf(options.jobs) }, async () => {
      for (const row of waiting) await make(row);
    });
    await Promise.all(jobs);
  } finally {
    terminal.status.end();
  }
  return batch.end();
}

/** A video for each preset, in files such as `out/a-portrait.mp4`. */
function inAllPresets(row: BatchRow, presets: Presets): readonly BatchRow[] {
  return presets.map(({ name }) => {
    const ending = fileEnding(presets, name);
    return { ...row, preset: name, place: beside(row.place, ending), out: beside(row.out, ending) };
  });
}

interface Options {
  readonly out: string;
  readonly frame: string | undefined;
  readonly at: string | undefined;
}

/** Which still of each video is wanted. */
type Still = { readonly frame: number } | { readonly at: number };

function stillOf({ frame, at }: Pick<Options, 'frame' | 'at'>): Still | null {
  if (frame !== undefined && at !== undefined) throw usageError('batch', ['Use either --frame or --at.']);
  if (at !== undefined) return { at: secondsOption(at) };
  if (frame === undefined) return null;
  if (/^\d{1,9}$/.test(frame)) return { frame: Number(frame) };
  throw usageError('batch', [`--frame must be a number of a frame, from 0, not ${shownText(frame)}.`]);
}

/** Stills are written where the videos would be, as PNG, unless the pattern names a picture. */
function outputPattern(out: string, isStill: boolean): string {
  if (!/\{\{[^{}]*\}\}/.test(out)) {
    throw usageError('batch', [`-o needs a placeholder, such as 'out/{{video}}.mp4', not ${shownText(out)}.`]);
  }
  if (!isStill) {
    formatByEnding(out, { mp4: 'mp4' });
    return out;
  }
  if (extname(out).toLowerCase() === '.mp4') return `${out.slice(0, -4)}.png`;
  formatByEnding(out, STILLS);
  return out;
}

function jobsOf(given: string | undefined): number {
  if (given === undefined) {
    const { rendersAtOnce: wanted } = readConfig();
    return wanted > 0 ? wanted : rendersAtOnce({ cores: availableParallelism(), memoryBytes: memoryLimitBytes() }, []);
  }
  const jobs = Number(given);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 64) return jobs;
  throw usageError('batch', [`--jobs must be a whole number from 1 to 64, not ${shownText(given)}.`]);
}

/** The rows with the paths of all their media: a file that several rows have is fetched once. */
async function withMediaHere(
  rows: readonly BatchRow[],
  web: WebMedia,
  signal: AbortSignal,
): Promise<ReadonlyMap<BatchRow, ProjectFile>> {
  const urls = new Set(rows.flatMap(({ file }) => [...file.addresses.values()]));
  const fetched = await web.fetch(new Map([...urls].map((url) => [url, url])), signal);
  const stored = new Map(rows.flatMap(({ file }) => [...file.stored.values()].map((place) => [place.sha256, place])));
  const read = await web.stored.fetch(stored, signal);
  const here = ({ file }: BatchRow): ProjectFile => {
    const media = new Map([
      ...file.media,
      ...[...file.addresses].map(([field, url]) => [field, fetched.get(url)!] as const),
      ...[...file.stored].map(([field, { sha256: hash }]) => [field, read.get(hash)!] as const),
    ]);
    return { ...file, media, addresses: new Map(), stored: new Map() };
  };
  return new Map(rows.map((row) => [row, here(row)]));
}

interface RowRender {
  readonly cache: LocalChunkCache;
  readonly journal: BatchJournal;
  readonly batch: Batch;
  readonly signal: AbortSignal;
}

async function renderRow(row: BatchRow, planned: PlannedProject, { cache, journal, batch, signal }: RowRender) {
  const { plan } = planned;
  const made = sha256(JSON.stringify(plan));
  if (await journal.has(row.out, made)) {
    batch.kept(row);
    return;
  }
  for (const issue of plan.warnings) batch.warn(row, issue);
  const { chunks, kept } = await renderChanged(planned, row.out, cache, {
    signal,
    warn: (issue) => batch.warn(row, issue),
    progress: (done, total) => batch.progress(row, total === 0 ? 1 : done / total),
  });
  await journal.add(row.out, made);
  batch.done(row, `${chunks - kept} of ${chunks} chunks rendered`);
}

async function drawStill(
  row: BatchRow,
  { plan, files, host }: PlannedProject,
  still: Still,
  batch: Batch,
  signal: AbortSignal,
) {
  const frame = 'at' in still ? frameAtTime(plan, still.at, { name: '--at' }) : requireFrame(still.frame, plan);
  for (const issue of plan.warnings) batch.warn(row, issue);
  const format = formatByEnding(row.out, STILLS);
  await using folder = await workFolderBeside(row.out);
  const inputs = files.map(([, path]) => path);
  await using child = await host.open({ inputs, workDir: folder.path, duration: 0, signal });
  const picture = join(folder.path, `frame.${format}`);
  const params = { plan, files, limits: host.mediaLimits, frame, out: picture, format } as const;
  const onWarning = (issue: Parameters<typeof warningText>[0]) => batch.warn(row, issue);
  const { width, height } = await child.request('render_still', params, { signal, onWarning });
  await rename(picture, row.out);
  batch.done(row, `frame ${frame}, ${width}×${height}`);
}

function requireFrame(frame: number, { totalFrames }: PlannedProject['plan']): Frames {
  if (frame < totalFrames) return frame as Frames;
  const message = `--frame ${frame} is after the end: the video has ${totalFrames} frames, from 0.`;
  throw new ExportError('invalid', 'frame.outside', message);
}

const BAR = 24;

/** What is done of a batch, for a person or a program. */
class Batch {
  readonly #total: number;
  readonly #terminal: WorkTerminal;
  readonly #json: boolean;
  readonly #running = new Map<BatchRow, number>();
  readonly #startedAtMs = performance.now();
  #ended = 0;
  #kept = 0;
  #failures = 0;

  constructor(total: number, terminal: WorkTerminal, { json }: { readonly json: boolean }) {
    this.#total = total;
    this.#terminal = terminal;
    this.#json = json;
  }

  progress(row: BatchRow, share: number): void {
    this.#running.set(row, share);
    if (this.#json) return;
    const running = this.#running.values().reduce((sum, one) => sum + one, 0);
    const all = (this.#ended + running) / this.#total;
    const bar = '█'.repeat(Math.round(all * BAR)).padEnd(BAR, '░');
    const percent = String(Math.floor(all * 100)).padStart(3);
    this.#terminal.status.show(`${bar} ${percent} %  ${this.#ended} of ${this.#total}  ${row.name}`);
  }

  warn(row: BatchRow, issue: Parameters<typeof warningText>[0]): void {
    if (this.#json) this.#event('warning', row, issue);
    else this.#terminal.err(`${row.place}: ${warningText(issue)}`);
  }

  done(row: BatchRow, what: string): void {
    this.#end(row);
    if (this.#json) this.#event('done', row, {});
    else this.#line(`${row.place}: ${what}`);
  }

  kept(row: BatchRow): void {
    this.#end(row);
    this.#kept += 1;
    if (this.#json) this.#event('kept', row, {});
  }

  failed(row: BatchRow, error: ExportError): void {
    this.#end(row);
    this.#failures += 1;
    const { code, message, issues } = error;
    if (this.#json) this.#event('failed', row, { code, message, errors: issues });
    else for (const line of errorLines(error)) this.#terminal.err(`${row.place}: ${line}`);
  }

  /** The last line, and the exit code. */
  end(): number {
    const made = this.#ended - this.#kept - this.#failures;
    const seconds = ((performance.now() - this.#startedAtMs) / 1000).toFixed(1);
    const parts = [`${made} made in ${seconds} s`];
    if (this.#kept > 0) parts.push(`${this.#kept} were there`);
    if (this.#failures > 0) parts.push(`${this.#failures} failed`);
    if (this.#json)
      this.#terminal.out(JSON.stringify({ event: 'end', made, kept: this.#kept, failed: this.#failures }));
    else this.#terminal.out(`${this.#total} rows: ${parts.join(', ')}`);
    return this.#failures > 0 ? 1 : 0;
  }

  #end(row: BatchRow): void {
    this.#running.delete(row);
    this.#ended += 1;
  }

  #line(text: string): void {
    this.#terminal.status.end();
    this.#terminal.out(text);
  }

  #event(event: string, { number, name, place }: BatchRow, detail: object): void {
    this.#terminal.out(JSON.stringify({ event, row: number, video: name, out: place, ...detail }));
  }
}
