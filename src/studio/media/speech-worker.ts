import { type FoundSpeech, speechSpans } from '../../speech/find-pauses.ts';
import weightsFile from '../../speech/silero-vad-16k.bin';
import { readVoiceWeights, STEP_SAMPLES } from '../../speech/voice-model.ts';
import { VoiceSteps } from '../../speech/voice-steps.ts';
import { workerScope } from '../kit/worker-scope.ts';
import { SPEECH_RATE, VoiceResampler } from './voice-resampler.ts';

/** Why there is no answer. `silent`: the file has no sound. `undecodable`: this browser does not decode it. `not_loaded`: a program or the model. */
export type NoSpeech = 'silent' | 'undecodable' | 'not_loaded';

/** To the page: the share that is done, then the speech. */
export type SpeechReply = { readonly share: number } | { readonly found: FoundSpeech | NoSpeech };

/** Seconds between two messages about the progress. */
const REPORT_EVERY = 5;

/** Finds the speech in the one file that it is sent. Nothing leaves the browser. (C78) */
workerScope.onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  const reply = (message: SpeechReply) => workerScope.postMessage(message);
  try {
    const loaded = await load().catch(() => null);
    reply({ found: loaded === null ? 'not_loaded' : await speechIn(file, loaded, (share) => reply({ share })) });
  } catch {
    reply({ found: 'undecodable' });
  }
};

type Loaded = Awaited<ReturnType<typeof load>>;

async function load() {
  const [media, model] = await Promise.all([import('mediabunny'), fetch(weightsFile)]);
  if (!model.ok) throw new Error(`The voice model did not load: ${model.status}.`);
  return { media, weights: readVoiceWeights(new Uint8Array(await model.arrayBuffer())) };
}

async function speechIn(
  file: Blob,
  { media, weights }: Loaded,
  onProgress: (share: number) => void,
): Promise<FoundSpeech | NoSpeech> {
  const { ALL_FORMATS, AudioSampleSink, BlobSource, Input } = media;
  using input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) return 'silent';
  if (!(await track.canDecode())) return 'undecodable';
  const duration = await input.computeDuration();
  const steps = new VoiceSteps(weights);
  const sound = new VoiceResampler((piece) => steps.push(piece));
  let reported = 0;
  for await (const sample of new AudioSampleSink(track).samples()) {
    using held = sample;
    const planes = Array.from({ length: held.numberOfChannels }, (_, planeIndex) => {
      const samples = new Float32Array(held.numberOfFrames);
      held.copyTo(samples, { planeIndex, format: 'f32-planar' });
      return samples;
    });
    sound.push(planes, held.sampleRate, held.timestamp);
    if (held.timestamp - reported < REPORT_EVERY) continue;
    reported = held.timestamp;
    onProgress(Math.min(1, reported / duration));
  }
  const spans = speechSpans(steps.voice().likely, STEP_SAMPLES / SPEECH_RATE);
  return { duration, speech: spans.map(({ start, end }) => ({ start, end: Math.min(end, duration) })) };
}
