import { freeBytes, useParts } from '../keeping/part-folder.ts';
import { startWorker } from '../kit/assets.ts';
import { drawSvg } from '../media/draw-svg.ts';
import { typedFile } from '../media/typed-file.ts';
import { type PackedPlan, unpacked } from '../session/packed-plan.ts';
import { DeviceError, type FromDevice, type SoundOrder, type ToDevice } from './device-messages.ts';

/** A file of the plan is not in this browser. */
export class MissingFile extends Error {
  readonly field: string;

  constructor(field: string) {
    super(field);
    this.field = field;
  }
}

interface HereOrder {
  readonly preset: string;
  readonly plan: PackedPlan;
  readonly signal: AbortSignal;
  /** Receives the share that is done; `isFound`: the last of it was there already. */
  readonly onProgress: (share: number, isFound: boolean) => void;
}

/** A finished file. It reads stored parts, so it can be read until it is released. */
interface HereFile {
  readonly file: Blob;
  release(): void;
}

/**
 * Renders the video of a plan in this browser: pictures in one worker, sound in another. Nothing leaves the browser.
 *
 * @throws DeviceError, MissingFile, or the reason of the signal.
 */
export async function renderHere({ preset, plan, signal, onProgress }: HereOrder): Promise<HereFile> {
  if (!('VideoEncoder' in globalThis)) throw new DeviceError({ reason: 'encoder' });
  const files = new Map<string, Blob>();
  for (const { hash, field } of unpacked(plan).sources) {
    const file = await typedFile(hash);
    if (file === null) throw new MissingFile(field);
    files.set(hash, file);
  }
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  const [pictures, sound] = [startWorker('device-worker'), startWorker('device-sound-worker')];
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  const send = (message: ToDevice, transfer: Transferable[] = []) => pictures.postMessage(message, transfer);
  pictures.onmessage = async ({ data }: MessageEvent<FromDevice>) => {
    if (data.kind === 'done') resolve(data.file);
    else if (data.kind === 'failed') reject(new DeviceError(data.fault));
    else if (data.kind === 'progress') onProgress(data.frames / plan.totalFrames, data.isFound);
    else if (data.kind === 'begins') sound.postMessage({ plan, files, out: port1 } satisfies SoundOrder, [port1]);
    else {
      const bitmap = await drawSvg(data.hash, files.get(data.hash) ?? null, data.maxPx);
      send({ kind: 'drawing', ask: data.ask, bitmap }, bitmap === null ? [] : [bitmap]);
    }
  };
  for (const worker of [pictures, sound]) {
    worker.onerror = ({ message }) => reject(new DeviceError({ reason: 'other', detail: message }));
  }
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    send({ kind: 'render', plan, preset, files, freeBytes: await freeBytes(), sound: port2 }, [port2]);
    // The workers hold the parts until the page does.
    const file = await promise;
    return { file, release: await useParts() };
  } finally {
    signal.removeEventListener('abort', stop);
    pictures.terminate();
    sound.terminate();
  }
}
