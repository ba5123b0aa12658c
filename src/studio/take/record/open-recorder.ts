import { type ReadonlySignal, signal } from '@preact/signals';
import { startWorker } from '../../kit/assets.ts';
import type { Delays, FromRecorder, RecorderFault, RecorderState, ToRecorder } from './recorder-messages.ts';

/** A recording that is under way. Times are those of `performance.now()` and of events. */
export interface Recorder {
  /** Whether every device gives something. */
  readonly ready: Promise<void>;
  readonly state: ReadonlySignal<RecorderState | null>;
  /** Why it has ended by itself. */
  readonly fault: ReadonlySignal<RecorderFault | null>;
  go(at: number): void;
  pause(at: number): void;
  /** Null where nothing was recorded. */
  stop(at: number): Promise<RecorderState | null>;
  /** Lets go of everything. */
  close(): void;
}

export interface RecorderOptions {
  readonly name: string;
  readonly delays: Delays;
  readonly videoBitrate: number;
  readonly mostBytes: number;
}

/** As far as we use it; Chromium has it. */
interface TrackProcessor {
  new (init: {
    readonly track: MediaStreamTrack;
    readonly maxBufferSize?: number;
  }): {
    readonly readable: ReadableStream<never>;
  };
}

const Processor = (globalThis as unknown as { MediaStreamTrackProcessor?: TrackProcessor }).MediaStreamTrackProcessor;
/** With the default, samples are lost when the recorder is busy. */
const SOUND_BUFFERS = 500;

/** Whether frames and samples can be had one by one; else the browser's own recorder is used. */
export function hasOwnRecorder(): boolean {
  return Processor !== undefined && 'VideoEncoder' in globalThis && 'AudioEncoder' in globalThis;
}

/** Records a stream in a worker: a page that is busy loses nothing. */
export function openRecorder(stream: MediaStream, options: RecorderOptions): Recorder {
  const worker = startWorker('recorder-worker');
  const state = signal<RecorderState | null>(null);
  const fault = signal<RecorderFault | null>(null);
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<RecorderState | null>();
  const send = (message: ToRecorder, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.onmessage = ({ data }: MessageEvent<FromRecorder>) => {
    if (data.kind === 'ready') {
      ready.resolve();
      return;
    }
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
