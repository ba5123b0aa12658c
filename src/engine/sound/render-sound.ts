import { rename, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ExportError, type Issue } from '../../errors.ts';
import type { AudioPlan } from '../../plan/model/audio-plan.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { besideModule } from '../../platform/beside-module.ts';
import { LoudnessMeter } from '../../sound/dsp/loudness-meter.ts';
import { OVERSAMPLING } from '../../sound/dsp/oversampler.ts';
import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { TruePeakLimiter } from '../../sound/true-peak-limiter.ts';
import { type Range, SAMPLE_RATE } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import type { AacSearch } from './aac-encoder.ts';
import type { AacJob, AacOrder, AacReply } from './aac-worker.ts';
import { type FoundVoice, findVoice } from './find-voice.ts';
import { Mixer } from './mixer.ts';
import { RateConverter } from './rate-converter.ts';

/** Samples mixed at once: enough that calls into libav cost little, and a few milliseconds of work. */
const BLOCK = 8192;

/** The tolerance of the requested loudness, in LU. */
const LOUDNESS_TOLERANCE = 0.5;
const SILENCE_DB = -120;

/** The inputs of a plan's sound. */
export interface SoundRequest {
  readonly plan: Pick<RenderPlan, 'audio'>;
  /** Absolute paths of the uploads, by index into `RenderPlan.sources`; those without sound may be missing. */
  readonly files: ReadonlyMap<number, string>;
  /** The MP4 to make. It appears when it is complete. */
  readonly out: string;
  /** The known voice of sources, by their index; the rest is searched for. */
  readonly knownVoice?: ReadonlyMap<number, readonly FoundVoice[]>;
  readonly limits: MediaLimits;
  readonly signal: AbortSignal;
  /** Called with the share done, from 0 to 1; it pauses while the writing has to begin again. */
  readonly onProgress?: (share: number) => void;
}

/** The result of a render. */
export interface SoundResult {
  /** The track's length: exactly the plan's. */
  readonly samples: number;
  /** Highest level in front of the encoder, in dB of full scale; −120 means silence. */
  readonly peakDb: number;
  /** Integrated loudness in LUFS, where the plan asks for one and there is something to hear. */
  readonly loudness?: number;
  /** Faults that did not stop the render, each at its entry's path. */
  readonly warnings: readonly Issue[];
}

/**
 * Renders the sound of a whole timeline into an MP4 with one AAC-LC track, silent where nothing sounds. (R15, R16) All
 * or nothing: a failure or an abort leaves no file behind. The same plan and files give the same bytes. (R18)
 *
 * @throws `sound.undecodable` and the errors of `openInput`, at the path of the entry at fault; `sound.unwritable`; the
 * signal's reason.
 */
export async function renderSound(wanted: SoundRequest): Promise<SoundResult> {
  const { audio } = wanted.plan;
  const voice = await findVoice(audio, wanted.files, wanted.limits, wanted.signal, wanted.knownVoice);
  const request: Mixed = { ...wanted, onProgress: onlyRising(wanted.onProgress), voice };
  const partial = `${request.out}.part`;
  try {
    const gain = audio.loudness === null ? 1 : await findGain(request, audio.loudness);
    const result =
      (await writeMix(request, partial, gain, 'fast')) ?? (await writeMix(request, partial, gain, 'careful'))!;
    request.signal.throwIfAborted();
    await rename(partial, request.out);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** A request with the voice that was found. */
interface Mixed extends SoundRequest {
  readonly voice: readonly Range<number>[];
}

/** The first pass: how far the mix has to be raised or lowered. Silence stays silence. */
async function findGain(request: Mixed, target: number): Promise<number> {
  const meter = new LoudnessMeter();
  await using mixer = mixerOf(request);
  await eachBlock(request, { from: 0, to: 0.5 }, mixer, async (block) => {
    meter.push(block);
    return true;
  });
  const loudness = meter.integrated();
  return loudness === null ? 1 : 10 ** ((target - loudness) / 20);
}

/** The pass that writes. Returns null as soon as the fast search turns out to be too inaccurate. */
async function writeMix(request: Mixed, file: string, gain: number, search: AacSearch): Promise<SoundResult | null> {
  const { audio } = request.plan;
  using limiter = new TruePeakLimiter(() => new RateConverter(SAMPLE_RATE, OVERSAMPLING * SAMPLE_RATE));
  const meter = audio.loudness === null ? null : new LoudnessMeter();
  await using mixer = mixerOf(request);
  await using writer = new AacWriter({ file, bitrateKbps: audio.bitrateKbps, search });
  const write = async (sound: Stereo) => {
    meter?.push(sound);
    await writer.write(sound);
    return writer.faithful;
  };
  const done = await eachBlock(request, { from: meter === null ? 0 : 0.5, to: 1 }, mixer, (block) => {
    if (gain !== 1) amplify(block, gain);
    return write(limiter.process(block));
  });
  if (!done || !(await write(limiter.flush()))) return null;
  await writer.finish();
  if (!writer.faithful) return null;

  const loudness = meter?.integrated() ?? null;
  return {
    samples: audio.totalSamples,
    peakDb: Math.max(SILENCE_DB, 20 * Math.log10(limiter.peak)),
    ...(loudness === null ? {} : { loudness }),
    warnings: [...mixer.warnings, ...loudnessWarnings(audio, loudness)],
  };
}

/** Mixes the timeline block by block, to the end or until `use` returns false; a block is valid until `use` returns. */
async function eachBlock(
  { plan, signal, onProgress }: SoundRequest,
  share: { readonly from: number; readonly to: number },
  mixer: Mixer,
  use: (block: Stereo) => Promise<boolean>,
): Promise<boolean> {
  const total = plan.audio.totalSamples;
  const room = silentStereo(BLOCK);
  let reported = 0;
  for (let at = 0; at < total; at += BLOCK) {
    signal.throwIfAborted();
    const block = stereoView(room, 0, Math.min(BLOCK, total - at));
    block.left.fill(0);
    block.right.fill(0);
    await mixer.addTo(block, at);
    if (!(await use(block))) return false;
    // So that an abort is noticed, and other work of this process goes on.
    await setImmediate();
    if (at - reported < SAMPLE_RATE) continue;
    reported = at;
    onProgress?.(share.from + (share.to - share.from) * (at / total));
  }
  onProgress?.(share.to);
  return true;
}

function onlyRising(report: (share: number) => void = () => undefined): (share: number) => void {
  let reported = -1;
  return (share) => {
    if (share <= reported) return;
    reported = share;
    report(share);
  };
}

function mixerOf({ plan, voice, files, limits, signal }: Mixed): Mixer {
  return new Mixer(plan.audio, voice, files, limits, signal);
}

function amplify({ left, right }: Stereo, gain: number): void {
  for (let i = 0; i < left.length; i++) {
    left[i]! *= gain;
    right[i]! *= gain;
  }
}

function loudnessWarnings({ loudness: target }: AudioPlan, reached: number | null): Issue[] {
  if (target === null || (reached !== null && Math.abs(reached - target) <= LOUDNESS_TOLERANCE)) return [];
  const message =
    reached === null
      ? `A loudness of ${target} LUFS was requested, but the video is silent.`
      : `A loudness of ${target} LUFS was requested; with peaks below −1 dB the result is ${reached.toFixed(1)} LUFS.`;
  return [{ path: '/settings/loudness', code: 'sound.loudness_missed', message }];
}

/** Samples sent at once: large enough that the transfer costs nothing, some 10 ms of encoding. */
const BATCH = 32_768;
/** Batches in flight before `write` waits. */
const AHEAD = 2;

/**
 * Writes an AAC-LC track as `AacEncoder` does, in its own thread: encoding costs as much as mixing eight tracks, and a
 * call across libuv's pool for each frame of 21 ms costs as much again.
 */
export class AacWriter implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #answers: { resolve: () => void; reject: (reason: unknown) => void }[] = [];
  readonly #underWay: Promise<void>[] = [];
  #batch = silentStereo(BATCH);
  #filled = 0;
  #faithful = true;
  #crash: unknown = null;
  #over = false;

  constructor(job: AacJob) {
    this.#worker = new Worker(besideModule('./aac-worker', import.meta.url), { workerData: job });
    this.#worker.on('message', ({ failed, faithful }: AacReply) => {
      this.#faithful = faithful;
      const answer = this.#answers.shift()!;
      if (failed === null) answer.resolve();
      else answer.reject(new ExportError(failed.kind, failed.code, failed.message, { cause: failed.cause }));
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = promise;
    this.#worker.on('error', (error) => {
      this.#crash = error;
    });
    this.#worker.on('exit', () => {
      this.#over = true;
      this.#crash ??= new Error('the encoding thread ended');
      for (const answer of this.#answers.splice(0)) answer.reject(this.#crash);
      resolve();
    });
  }

  /** Whether the output so far sounds like the input; after `finish`, all of it. */
  get faithful(): boolean {
    return this.#faithful;
  }

  /**
   * Appends `sound`, whose samples are copied.
   * @throws `sound.unwritable`, also for errors of earlier calls.
   */
  async write(sound: Stereo): Promise<void> {
    for (let from = 0; from < sound.left.length; ) {
      const part = stereoView(sound, from, from + BATCH - this.#filled);
      this.#batch.left.set(part.left, this.#filled);
      this.#batch.right.set(part.right, this.#filled);
      this.#filled += part.left.length;
      from += part.left.length;
      if (this.#filled === BATCH) await this.#send();
    }
  }

  /** Encodes the rest and completes the file. @throws `sound.unwritable` */
  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#underWay);
    await this.#order({ do: 'finish' });
    await this.#exited;
  }

  /** Ends the thread; unless `finish` went before, the file is left incomplete. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#over) this.#order({ do: 'abandon' }).catch(() => undefined);
    await this.#exited;
  }

  async #send(): Promise<void> {
    while (this.#underWay.length >= AHEAD) await this.#underWay.shift();
    const sound = stereoView(this.#batch, 0, this.#filled);
    this.#batch = silentStereo(BATCH);
    this.#filled = 0;
    const sent = this.#order({ do: 'encode', sound }, [
      sound.left.buffer as ArrayBuffer,
      sound.right.buffer as ArrayBuffer,
    ]);
    // The next caller that awaits it gets the error; until then it must not count as unhandled.
    sent.catch(() => undefined);
    this.#underWay.push(sent);
  }

  #order(order: AacOrder, transfer: ArrayBuffer[] = []): Promise<void> {
    if (this.#over) return Promise.reject(this.#crash);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#answers.push({ resolve, reject });
    this.#worker.postMessage(order, transfer);
    return promise;
  }
}
