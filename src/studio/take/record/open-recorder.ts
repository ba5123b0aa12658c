import { signal } from '@preact/signals';
import { startWorker } from '../../kit/assets.ts';
import type { FromAppender, ToAppender } from './append-worker.ts';
import type { Recorder, RecorderFault, RecorderOptions, RecorderState } from './recorder.ts';
import { TakeSpans, type TakeTimes } from './take-times.ts';

/** The part of the API that we use. Chromium has it. */
interface TrackProcessor {
  new (init: {
    readonly track: MediaStreamTrack;
    readonly maxBufferSize?: number;
  }): {
    readonly readable: ReadableStream<never>;
  };
}

const Processor = (globalThis as unknown as { MediaStreamTrackProcessor?: TrackProcessor }).MediaStreamTrackProcessor;
/** With the default, samples are lost while the recorder is busy. */
const SOUND_BUFFERS = 500;

/** Whether the browser gives access to single frames and samples; otherwise `MediaRecorder` is used. */
export function hasOwnRecorder(): boolean {
  return Processor !== undefined && 'VideoEncoder' in globalThis && 'AudioEncoder' in globalThis;
}

/** Records a stream in a worker, so that a busy page loses nothing. */
export function openRecorder(stream: MediaStream, options: RecorderOptions): Recorder {
  const worker = startWorker('recorder-worker');
  const state = signal<RecorderState | null>(null);
  const fault = signal<RecorderFault | null>(null);
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<RecorderState | null>();
  const send = (message: ToRecorder, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.onmessage = ({ data }: MessageEvent<FromRecorder>) => {
    // A recorder that has failed does not become ready.
    ready.resolve();
    if (data.kind === 'ready') return;
    state.value = data.state;
    if (data.kind === 'state') return;
    ended.resolve(data.state.seconds > 0 ? data.state : null);
    if (data.kind === 'fault') fault.value = data.fault;
  };
  const [video] = stream.getVideoTracks();
  const [audio] = stream.getAudioTracks();
  const picture = video === undefined ? null : new Processor!({ track: video }).readable;
  const sound = audio === undefined ? null : new Processor!({ track: audio, maxBufferSize: SOUND_BUFFERS }).readable;
  const readables = [picture, sound].filter((readable) => readable !== null);
  send({ kind: 'open', origin: performance.timeOrigin, picture, sound, ...options }, readables as Transferable[]);
  return {
    ready: ready.promise,
    state,
    fault,
    go: (at) => send({ kind: 'go', at }),
    pause: (at) => send({ kind: 'pause', at }),
    stop(at) {
      send({ kind: 'stop', at });
      return ended.promise;
    },
    close() {
      send({ kind: 'close' });
      setTimeout(() => worker.terminate(), 1000);
    },
  };
}

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

/** From the page to the recorder. Times are those of the page's `performance.now()`. */
export type ToRecorder =
  | (RecorderOptions & {
      readonly kind: 'open';
      /** The page's `performance.timeOrigin`. */
      readonly origin: number;
      readonly picture: ReadableStream<VideoFrame> | null;
      readonly sound: ReadableStream<AudioData> | null;
    })
  | { readonly kind: 'go' | 'pause' | 'stop'; readonly at: number }
  /** Cancels before anything is recorded. */
  | { readonly kind: 'close' };

export type FromRecorder =
  /** Every device delivers data, and the first file is open. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'state' | 'done'; readonly state: RecorderState }
  /** The recording has ended. What was recorded until then is in the files. */
  | { readonly kind: 'fault'; readonly fault: RecorderFault; readonly state: RecorderState };
