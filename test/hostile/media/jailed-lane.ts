import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { ExportError } from '../../../src/errors.ts';
import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import { processLoad } from '../../../src/sandbox/host/process-load.ts';
import { launchRenderChild, type RenderChild } from '../../../src/sandbox/render-child.ts';
import { frames } from '../../../src/time.ts';
import { plan } from '../../request-builder.ts';

const limits = DEFAULT_MEDIA_LIMITS;
const SECONDS = 0.2;
const SETTINGS = { width: 64, height: 64, quality: 'draft' };
/** The longest time that a small file may keep a child busy without progress; on a loaded machine too. */
const STALL_MS = 30_000;

/** What became of one file. */
export interface Outcome {
  readonly file: string;
  /** `rendered`, `unreadable`, or why not. */
  readonly result: 'rendered' | 'unreadable' | ExportError;
}

/** Errors after which the child is gone. */
const ENDINGS: ReadonlySet<string> = new Set([
  'render.crashed',
  'render.misbehaved',
  'render.out_of_memory',
  'render.over_budget',
  'render.stalled',
]);

/** Jailed children, one after the other, that probe files and render a little of each. */
export class JailedLane implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tiercut-lane-'));
  #peakRssBytes = 0;
  #childrenLost = 0;

  /** The most memory any of the children held. */
  get peakRssBytes(): number {
    return this.#peakRssBytes;
  }

  /** How many children did not survive a file. */
  get childrenLost(): number {
    return this.#childrenLost;
  }

  /** Every file's outcome, in order. A child that is lost costs its file only. */
  async run(files: readonly string[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    while (outcomes.length < files.length) {
      const workDir = mkdtempSync(join(this.#folder, 'work-'));
      await using child = await launchRenderChild({
        mode: 'auto',
        inputs: files.slice(outcomes.length),
        workDir,
        limits: { ...childLimits(0), rssBytes: 2 ** 30, stallMs: STALL_MS, budgetMs: 3_600_000, fileBytes: 2 ** 26 },
      });
      for (let alive = true; alive && outcomes.length < files.length; ) {
        const file = files[outcomes.length]!;
        const result = await renderSome(child, file, workDir, outcomes.length).catch(foreseen);
        outcomes.push({ file, result });
        await this.#measure(child);
        alive = !(result instanceof ExportError && ENDINGS.has(result.code));
        if (!alive) this.#childrenLost += 1;
      }
    }
    return outcomes;
  }

  /** The kernel knows the highest mark, and the watchdog has seen it where the child is gone. */
  async #measure({ pid, peakRssBytes }: RenderChild): Promise<void> {
    const memory = pid === undefined ? null : await processLoad(pid);
    this.#peakRssBytes = Math.max(this.#peakRssBytes, peakRssBytes, memory?.peakRssBytes ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** As an export would: a probe, then the last frame of a short clip, or its sound. Pictures are items of a board as well. */
async function renderSome(
  child: RenderChild,
  file: string,
  workDir: string,
  n: number,
): Promise<'rendered' | 'unreadable'> {
  const { facts } = await child.request('probe', { file, limits });
  if (facts.kind === 'unreadable') return 'unreadable';
  const media = { media: { hash: '0'.repeat(64), ...facts } };
  const entry = { file_field: 'media', start: 0, duration: SECONDS };
  if (facts.kind !== 'audio') {
    const onBoard = facts.kind !== 'video';
    const seen = plan(
      {
        tier_list: { items: onBoard ? [{ id: 'a', file_field: 'media' }] : [] },
        timeline_data: {
          videos: facts.kind === 'drawing' ? [] : [entry],
          tier_blocks: onBoard ? [{ start: 0, duration: SECONDS, width_percent: 50 }] : [],
        },
        settings: SETTINGS,
      },
      media,
    );
    const frame = frames(seen.totalFrames - 1);
    const out = join(workDir, 'still.jpg');
    await child.request('render_still', { plan: seen, files: [[0, file]], limits, frame, out, format: 'jpeg' });
  }
  // Encoding is the dearest part of a sound: one in four is enough to have every decoder run.
  if (facts.sound && n % 4 === 0) {
    const timeline_data = facts.kind === 'audio' ? { soundtracks: [entry] } : { audios: [entry] };
    const heard = plan({ tier_list: {}, timeline_data, settings: SETTINGS }, media);
    const out = join(workDir, 'sound.m4a');
    await child.request('render_sound', { plan: heard, files: [[0, file]], limits, out });
  }
  return 'rendered';
}

function foreseen(error: unknown): ExportError {
  if (error instanceof ExportError) return error;
  throw error;
}
