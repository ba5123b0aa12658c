import { type FoundSpeech, speechSpans } from '../../speech/find-pauses.ts';
import weightsFile from '../../speech/silero-vad-16k.bin';
import { readVoiceWeights, STEP_SAMPLES } from '../../speech/voice-model.ts';
import { VoiceSteps } from '../../speech/voice-steps.ts';
import { workerScope } from '../kit/worker-scope.ts';
import { SPEECH_RATE, VoiceResampler } from './voice-resampler.ts';

/** To the page: the share that is done, then the speech. `none`: no sound, or none that this browser decodes. */
export type SpeechReply = { readonly share: number } | { readonly found: FoundSpeech | 'none' };

/** Seconds between two messages about the progress. */
const REPORT_EVERY = 5;

/** Finds the speech in the one file that it is sent. Nothing leaves the browser. (C78) */
workerScope.onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  const reply = (message: SpeechReply) => workerScope.postMessage(message);
  try {
    reply({ found: (await speechIn(file, (share) => reply({ share }))) ?? 'none' });
  } catch {
    reply({ found: 'none' });
  }
};

async function speechIn(file: Blob, onProgress: (share: number) => void): Promise<FoundSpeech | null> {
  const { ALL_FORMATS, AudioSampleSink, BlobSource, Input } = await import('mediabunny');
  using input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (track === null || !(await track.canDecode())) return null;
  const [duration, reply] = await Promise.all([input.computeDuration(), fetch(weightsFile)]);
  if (!reply.ok) return null;
  const steps = new VoiceSteps(readVoiceWeights(new Uint8Array(await reply.arrayBuffer())));
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
