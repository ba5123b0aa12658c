import '../kit/no-eval.ts';
import { ExportError, messageOf } from '../../errors.ts';
import type { AudioPlan } from '../../plan/model/audio-plan.ts';
import { voicePlan } from '../../plan/plan-audio.ts';
import { captionWarnings } from '../../speech/captions/language-clarity.ts';
import { Moonshine, type OnnxRuntime } from '../../speech/captions/moonshine.ts';
import tokensFile from '../../speech/captions/moonshine-tokens.bin';
import { SPEECH_RATE } from '../../speech/captions/speech-engine.ts';
import { transcriptOf } from '../../speech/captions/transcript.ts';
import { CAPTION_MODELS } from '../../speech/models/caption-models.ts';
import weightsFile from '../../speech/silero-vad-16k.bin';
import { readVoiceWeights } from '../../speech/voice-model.ts';
import { VoiceSteps } from '../../speech/voice-steps.ts';
import { type Range, SAMPLE_RATE, type Seconds } from '../../time.ts';
import type { ExportRequest } from '../../timeline/export-request.ts';
import type { CaptionsOrder, CaptionsReply } from '../captions/device-captions.ts';
import type { SpeechFiles } from '../kit/assets.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { planDocuments } from '../preview/plan/plan-documents.ts';
import { PcmSource } from '../preview/sound/pcm-source.ts';
import { PreviewMixer } from '../preview/sound/preview-mixer.ts';
import { ThirdRate } from './third-rate.ts';

reportRejections();

/** The model writes English only. */
const LANGUAGE = 'en';
/** Samples that are mixed at once: a second. */
const BLOCK = SAMPLE_RATE;
/** Finding speech takes this share of the time, writing it down the rest. */
const LISTENING_SHARE = 0.15;

class ModelMissing extends Error {}
class NoSound extends Error {}

/** Transcribes the voice of a timeline. Nothing leaves the browser; the page ends the worker to cancel. (C77, C97) */
workerScope.onmessage = async ({ data }: MessageEvent<CaptionsOrder>) => {
  const reply = (message: CaptionsReply) => workerScope.postMessage(message);
  try {
    const { audio, sources } = planned(data);
    const fileOf = new Map(sources.map(([index, hash]) => [index, data.files.get(hash)]));
    const engine = await openModel(data.model, (share) => reply({ step: 'loading', share }));
    const onProgress = (share: number) => reply({ step: 'transcribing', share });
    const duration = audio.totalSamples / SAMPLE_RATE;
    const steps = new VoiceSteps(readVoiceWeights(await bytesOf(weightsFile)));
    for await (const { sound, until } of voiceOf(audio, fileOf)) {
      steps.push(sound);
      onProgress(LISTENING_SHARE * Math.min(1, until / duration));
    }
    const reader = new RangeReader(voiceOf(audio, fileOf));
    const listened = { duration, voice: steps.voice(), soundOf: (chunk: Range<Seconds>) => reader.read(chunk) };
    const { signal } = new AbortController();
    const transcript = await transcriptOf(listened, engine, signal, (share) =>
      onProgress(LISTENING_SHARE + (1 - LISTENING_SHARE) * share),
    );
    const warnings = captionWarnings(transcript, LANGUAGE);
    reply({ transcript, isUnclear: warnings.some(({ code }) => code === 'captions.language_unclear') });
  } catch (error) {
    const fault = error instanceof ModelMissing ? 'model' : error instanceof NoSound ? 'sound' : 'other';
    reply({ fault, detail: messageOf(error) });
  }
};

/** The voice as the service plans it. */
function planned({ documents, facts, presets, limits }: CaptionsOrder) {
  let request: ExportRequest | null = null;
  const name = presets[0].name;
  const order = { documents, facts, subtitleTexts: new Map(), presets, limits, presetNames: [name] };
  for (const { plans, errors } of planDocuments(order, (read) => {
    request = read;
  })) {
    if (errors.length > 0) throw new ExportError('invalid', errors[0]!.code, errors[0]!.message);
    const plan = plans.get(name);
    // Keys are not needed: what is heard here is not stored.
    if (plan !== undefined) return voicePlan(plan, request!, '', () => '');
  }
  throw new Error('nothing was planned');
}

/** Opens the model. It is asked for now, and never before. */
async function openModel({ name, files }: SpeechFiles, onProgress: (share: number) => void): Promise<Moonshine> {
  const all = ['wasm', 'encoder', 'decoder'] as const;
  onProgress(0);
  let done = 0;
  const [wasm, encoder, decoder] = await Promise.all(
    all.map(async (file) => {
      const bytes = await bytesOf(files[file]);
      done += 1;
      onProgress(done / all.length);
      return bytes;
    }),
  );
  const runtime = (await import(files.runtime)) as OnnxRuntime;
  runtime.env.wasm.wasmPaths = { mjs: files.loader };
  runtime.env.wasm.wasmBinary = wasm!.buffer;
  return Moonshine.open(runtime, CAPTION_MODELS[name], {
    encoder: async () => encoder!,
    decoder: async () => decoder!,
    tokens: () => bytesOf(tokensFile),
  });
}

/** @throws ModelMissing */
async function bytesOf(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address).catch((cause: unknown) => {
    throw new ModelMissing(address, { cause });
  });
  if (!response.ok) throw new ModelMissing(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

interface Piece {
  /** Mono at `SPEECH_RATE`. */
  readonly sound: Float32Array;
  /** Where it ends. */
  readonly until: Seconds;
}

/** The voice from its start, a second at a time. @throws NoSound */
async function* voiceOf(
  audio: Pick<AudioPlan, 'clips' | 'totalSamples'>,
  fileOf: ReadonlyMap<number, Blob | undefined>,
): AsyncGenerator<Piece> {
  const open = new Map<number, Promise<PcmSource>>();
  const sourceOf = (index: number) => {
    const source = open.get(index) ?? opened(fileOf.get(index));
    open.set(index, source);
    return source;
  };
  const mixer = new PreviewMixer({ clips: audio.clips, duckDb: 0 }, 0, sourceOf, Promise.resolve([]));
  const rate = new ThirdRate();
  let made = 0;
  const piece = (sound: Float32Array): Piece => {
    made += sound.length;
    return { sound, until: made / SPEECH_RATE };
  };
  try {
    for (let at = 0; at < audio.totalSamples; at += BLOCK) {
      const { left, right } = await mixer.next(Math.min(BLOCK, audio.totalSamples - at));
      yield piece(rate.push(left.map((sample, n) => (sample + right[n]!) / 2)));
    }
    // What the low pass still holds.
    yield piece(rate.push(new Float32Array(BLOCK / 100)));
  } finally {
    for (const source of open.values()) void source.then((found) => found.end()).catch(() => {});
  }
}

async function opened(file: Blob | undefined): Promise<PcmSource> {
  const source = file === undefined ? null : await PcmSource.open(file);
  if (source === null) throw new NoSound('this browser does not decode it');
  return source;
}

/** Reads ranges of a sound that goes forward only, in order. */
class RangeReader {
  readonly #pieces: AsyncGenerator<Piece>;
  #held = new Float32Array();
  #heldAt = 0;

  constructor(pieces: AsyncGenerator<Piece>) {
    this.#pieces = pieces;
  }

  async read({ start, end }: Range<Seconds>): Promise<Float32Array> {
    const [from, to] = [Math.round(start * SPEECH_RATE), Math.round(end * SPEECH_RATE)];
    while (this.#heldAt + this.#held.length < to) {
      const { value, done } = await this.#pieces.next();
      if (done) break;
      const kept = this.#held.subarray(Math.max(0, from - this.#heldAt));
      this.#heldAt += this.#held.length - kept.length;
      const held = new Float32Array(kept.length + value.sound.length);
      held.set(kept);
      held.set(value.sound, kept.length);
      this.#held = held;
    }
    return this.#held.slice(Math.max(0, from - this.#heldAt), Math.max(0, to - this.#heldAt));
  }
}
