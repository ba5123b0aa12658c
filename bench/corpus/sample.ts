import { join } from 'node:path';
import type { MediaLimits } from '../../src/engine/input/media-limits.ts';
import type { ProbedMedia } from '../../src/engine/probe/probed-media.ts';
import { ExportError } from '../../src/errors.ts';
import { clipTime } from '../../src/plan/frame/clip-at-frame.ts';
import { ENGINE_VERSION } from '../../src/plan/keys/engine-version.ts';
import { planRender } from '../../src/plan/plan-render.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import type { RenderChild } from '../../src/sandbox/render-child.ts';
import { frames, type Micros, type Seconds } from '../../src/time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';

/** The rendered part of a file: this much of its beginning, and the frame in its middle. */
export const SECONDS = 1;
/** Of its sound, all of it up to this length. */
export const SOUND_SECONDS = 600;
/** The sound after a seek: how far into the sound, and how much. */
const SEEK_PART = 0.6;
const SEEK_SECONDS = 2;
const FPS = 30;
/** The longer side of the rendered frame; the shorter one is at least what a canvas may have. */
const LONG_SIDE = 320;
const SHORT_SIDE = 64;

/** A frame that the product rendered. */
export interface SampleFrame {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** The moment of the source that it shows. */
  readonly at: Micros;
}

/** What the product makes of a file. A step that fails has its error instead of a result. */
export interface Sample {
  readonly probed: ProbedMedia | ExportError;
  /** Null if the file has neither video nor a still. */
  readonly frame: SampleFrame | ExportError | null;
  /** Null if the file has no sound. */
  readonly sound: SampleSound | ExportError | null;
}

/** AAC files of a file's sound. */
export interface SampleSound {
  /** From its beginning. */
  readonly whole: string;
  /** A part of it, rendered alone. */
  readonly sought: { readonly file: string; readonly from: Seconds };
}

/** Probes and renders one file, an input of the child. */
export async function renderSample(
  file: string,
  child: RenderChild,
  workDir: string,
  limits: MediaLimits,
): Promise<Sample> {
  const probed = await attempt(() => child.request('probe', { file, limits }));
  if (probed instanceof ExportError) return { probed, frame: null, sound: null };
  const { kind, facts } = probed;
  if (kind === 'unreadable' || kind === 'drawing' || kind === 'font') return { probed, frame: null, sound: null };
  const [width, height] = canvasFor(facts);
  const length = facts.duration === 0 ? SECONDS : Math.min(SECONDS, facts.duration);
  const frame = kind === 'audio' ? null : await attempt(renderFrame);
  const sound = facts.sound && facts.duration > 0 ? await attempt(renderSound) : null;
  return { probed, frame, sound };

  async function renderFrame(): Promise<SampleFrame> {
    const plan = planOf('videos', length);
    const n = frames(Math.floor((plan.totalFrames - 1) / 2));
    const out = join(workDir, 'frame.png');
    await child.request('render_still', { plan, files: [[0, file]], limits, frame: n, out, format: 'png' });
    return { file: out, width, height, at: clipTime(plan.clips[0]!, n, plan.rate) };
  }

  async function renderSound(): Promise<SampleSound> {
    const seconds = Math.min(SOUND_SECONDS, facts.duration);
    const from = Math.floor(seconds * SEEK_PART * 1000) / 1000;
    const whole = await soundOf('whole.m4a', 0, seconds);
    const sought = await soundOf('sought.m4a', from, Math.min(SEEK_SECONDS, seconds - from));
    return { whole, sought: { file: sought, from } };
  }

  async function soundOf(name: string, from: Seconds, duration: Seconds): Promise<string> {
    const out = join(workDir, name);
    await child.request('render_sound', { plan: planOf('audios', duration, from), files: [[0, file]], limits, out });
    return out;
  }

  function planOf(lane: 'videos' | 'audios', duration: Seconds, trimStart: Seconds = 0) {
    const entry = { file_field: 'media', start: 0, duration, trim_start: trimStart };
    const settings = { width, height, fps: FPS, fit: 'cover', audio_bitrate: 320 };
    const documents = { tier_list: {}, timeline_data: { [lane]: [entry] }, settings };
    const uploads = new Set(['media']);
    const request = parseRequest(documents, { limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, uploads });
    const known = new Map([['media', { hash: '0'.repeat(64), ...facts }]]);
    const preset = DEFAULT_PRESETS.find(({ name }) => name === request.settings.preset)!;
    return planRender(request, {
      facts: known,
      preset,
      limits: DEFAULT_TIMELINE_LIMITS,
      engineVersion: ENGINE_VERSION,
      sha256,
    });
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T | ExportError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExportError) return error;
    throw error;
  }
}

/** The aspect ratio of the picture, in a size that is quick to compare. A file with only sound gets a small canvas. */
function canvasFor({ width, height }: { width: number; height: number }): [width: number, height: number] {
  const scale = LONG_SIDE / Math.max(width, height, 1);
  const side = (length: number) => Math.max(SHORT_SIDE, 2 * Math.round((length * scale) / 2));
  return [side(width), side(height)];
}
