import { signal } from '@preact/signals';
import { startWorker } from '../../kit/assets.ts';
import { TakeSpans, type TakeTimes } from '../clock/take-times.ts';
import type { FromAppender, ToAppender } from './append-worker.ts';
import type { Recorder, RecorderOptions } from './open-recorder.ts';
import type { RecorderFault, RecorderState } from './recorder-messages.ts';

const TYPES = ['video/mp4;codecs=avc1,opus', 'video/webm;codecs=vp9,opus', 'video/webm'];
const SOUND_TYPES = ['audio/mp4;codecs=opus', 'audio/webm;codecs=opus'];
const CHUNK_MS = 1000;
const SOUND_BITRATE = 128_000;

function typeFor(stream: MediaStream): string | undefined {
  const types = stream.getVideoTracks().length > 0 ? TYPES : SOUND_TYPES;
  return types.find((type) => MediaRecorder.isTypeSupported(type));
}

/** The extension of its files: `.mp4`, `.webm`. */
export function browserEnding(stream: MediaStream): string {
  return typeFor(stream)?.includes('webm') ? '.webm' : '.mp4';
}

/** Records with `MediaRecorder`, for browsers that do not give access to single frames. Its times are those of the page, from its start. */
export function openBrowserRecorder(stream: MediaStream, { name, videoBitrate, maxBytes }: RecorderOptions): Recorder {
  const state = signal<RecorderState | null>(null);
  const fault = signal<RecorderFault | null>(null);
  const ended = Promise.withResolvers<RecorderState | null>();
  const spans = new TakeSpans();
  const worker = startWorker('append-worker');
  const send = (message: ToAppender) => worker.postMessage(message, message instanceof ArrayBuffer ? [message] : []);
  const mimeType = typeFor(stream);
  const recorder = new MediaRecorder(stream, {
    ...(mimeType !== undefined && { mimeType }),
    videoBitsPerSecond: videoBitrate,
    audioBitsPerSecond: SOUND_BITRATE,
  });
  let bytes = 0;
  /** Chunks are read one after the other. */
  let writing = Promise.resolve();

  const now = (): RecorderState => {
    const times: TakeTimes = { line: { rate: 1, offset: 0 }, ticksPerSecond: 1000, delayMs: 0, spans: spans.spans };
    const ms = spans.spans.reduce((sum, { from, to }) => sum + (to ?? performance.now()) - from, 0);
    return { times, seconds: ms / 1000, files: [{ name, from: 0 }], isBehind: false, dropped: 0, isReduced: false };
  };
  const fail = (why: RecorderFault) => {
    fault.value ??= why;
    if (recorder.state !== 'inactive') recorder.stop();
  };
  worker.onmessage = ({ data }: MessageEvent<FromAppender>) => {
    if (data.bytes === null) fail('disk_full');
    bytes = data.bytes ?? bytes;
    if (bytes > maxBytes) fail('file_full');
    state.value = now();
    if (data.closed) ended.resolve(now().seconds > 0 && bytes > 0 ? now() : null);
  };
  recorder.onstart = () => spans.go(performance.now());
  recorder.onpause = () => spans.pause(performance.now());
  recorder.onresume = () => spans.go(performance.now());
  recorder.onerror = () => fail('failed');
  recorder.ondataavailable = ({ data }) => {
    writing = writing.then(async () => send(await data.arrayBuffer()));
  };
  recorder.onstop = () => {
    spans.pause(performance.now());
    writing = writing.then(() => send(null));
  };
  for (const track of stream.getTracks()) {
    track.addEventListener('ended', () => fail(track.kind === 'audio' ? 'sound_ended' : 'picture_ended'));
  }
  send(name);
  return {
    ready: Promise.resolve(),
    state,
    fault,
    go: () => (recorder.state === 'paused' ? recorder.resume() : recorder.start(CHUNK_MS)),
    pause: () => recorder.pause(),
    stop() {
      if (recorder.state !== 'inactive') recorder.stop();
      return ended.promise;
    },
    close: () => setTimeout(() => worker.terminate(), 1000),
  };
}
