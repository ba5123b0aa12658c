import { type ReadonlySignal, signal } from '@preact/signals';
import { startWorker } from '../../kit/assets.ts';
import type { Delays, FromRecorder, RecorderFault, RecorderState, ToRecorder } from './recorder-messages.ts';

/** A recording in progress. Times are those of `performance.now()` and of events. */
export interface Recorder {
  /** Resolves when every device delivers data. */
  readonly ready: Promise<void>;
  readonly state: ReadonlySignal<RecorderState | null>;
  /** Why it has ended by itself. */
  readonly fault: ReadonlySignal<RecorderFault | null>;
  go(at: number): void;
  pause(at: number): void;
  /** Null if nothing was recorded. */
  stop(at: number): Promise<RecorderState | null>;
  /** Releases all resources. */
  close(): void;
}

export interface RecorderOptions {
  readonly name: string;
  readonly delays: Delays;
  readonly videoBitrate: number;
  readonly maxBytes: number;
}

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
