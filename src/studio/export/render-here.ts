import type { Project } from '../document/project.ts';
import { freeBytes, useParts } from '../keeping/part-folder.ts';
import { startWorker, workerAddress } from '../kit/assets.ts';
import { drawSvg } from '../media/draw-svg.ts';
import { typedFile } from '../media/typed-file.ts';
import { type PackedPlan, unpacked } from '../session/packed-plan.ts';
import {
  DeviceError,
  type DeviceFault,
  type FromDevice,
  type ToDevice,
  type ToDeviceSound,
} from './device-messages.ts';
import { forgetCards, testCard } from './run-test-card.ts';

const SOUND_WORKER = 'device-sound-worker';

/** A file of the plan is not in this browser. */
export class MissingFile extends Error {
  readonly field: string;

  constructor(field: string) {
    super(field);
    this.field = field;
  }
}

interface HereOrder {
  readonly project: Project;
  readonly preset: string;
  readonly plan: PackedPlan;
  readonly signal: AbortSignal;
  /** The number of a short of the plan, from 1; null: the whole video. */
  readonly short: number | null;
}

/** Receives the share that is done; `isFound`: the last of it was there already. */
type OnProgress = (share: number, isFound: boolean) => void;

/** A finished file. It reads stored parts, so it can be read until it is released. */
interface HereFile {
  readonly file: Blob;
  release(): void;
}

/**
 * Renders the video of a plan in this browser. Nothing leaves the browser.
 *
 * @throws DeviceError with all that is in the way, before anything is rendered, or with what failed; MissingFile, or the reason of the
 * signal.
 */
export async function renderHere(order: HereOrder, onProgress: OnProgress): Promise<HereFile> {
  const workers = new DeviceWorkers(order);
  try {
    const faults = await workers.check();
    if (faults.length > 0) throw new DeviceError(...faults);
    // The workers hold the parts until the page does.
    const file = await workers.render(onProgress);
    return { file, release: await useParts() };
  } catch (error) {
    if (error instanceof DeviceError && error.fault.reason === 'changed') forgetCards();
    throw error;
  } finally {
    workers.end();
  }
}

/** What is in the way of rendering a plan in this browser; empty: nothing. @throws MissingFile, or the reason of the signal. */
export async function faultsHere(order: HereOrder): Promise<readonly DeviceFault[]> {
  const workers = new DeviceWorkers(order);
  try {
    return await workers.check();
  } finally {
    workers.end();
  }
}

/** The workers of one video: pictures in one, sound in the other. */
class DeviceWorkers {
  readonly #order: HereOrder;
  readonly #pictures = startWorker('device-worker');
  readonly #sound = startWorker(SOUND_WORKER);
  readonly #ended = Promise.withResolvers<never>();
  readonly #stop = () => this.#ended.reject(this.#order.signal.reason);
  #files: ReadonlyMap<string, Blob> = new Map();

  constructor(order: HereOrder) {
    this.#order = order;
    this.#ended.promise.catch(() => {});
    for (const worker of [this.#pictures, this.#sound]) {
      worker.onerror = ({ message }) => this.#ended.reject(new DeviceError({ reason: 'other', detail: message }));
    }
    order.signal.addEventListener('abort', this.#stop);
  }

  async check(): Promise<readonly DeviceFault[]> {
    const { project, preset, plan, signal, short } = this.#order;
    const { sources, canvas, rate } = unpacked(plan);
    const { width, height } = canvas;
    const { encoder, checks } = await testCard({ width, height, rate }, signal);
    if (encoder === null) {
      const { name, detail } = checks.find(({ ok }) => !ok)!;
      return [name === 'codec' ? { reason: 'encoder', detail } : { reason: 'card', detail: `${name}: ${detail}` }];
    }
    const files = await filesOf(sources, project);
    const room = await freeBytes();
    signal.throwIfAborted();
    this.#files = files;
    const ofPictures = this.#fromPictures((message) => (message.kind === 'checked' ? message.faults : null));
    const ofSound = new Promise<readonly DeviceFault[]>((resolve) => {
      this.#sound.onmessage = ({ data }) => resolve(data);
    });
    const soundProgram = new URL(workerAddress(SOUND_WORKER), location.href).pathname;
    this.#tell({ kind: 'check', plan, preset, files, freeBytes: room, soundProgram, encoder, short });
    this.#tellSound({ kind: 'check', plan, files });
    return (await this.#unlessEnded(Promise.all([ofPictures, ofSound]))).flat();
  }

  /** Call it once nothing is in the way. */
  render(onProgress: OnProgress): Promise<Blob> {
    const { port1, port2 } = new MessageChannel();
    const made = this.#fromPictures((message) => {
      if (message.kind === 'progress') onProgress(message.share, message.isFound);
      if (message.kind === 'begins') this.#tellSound({ kind: 'render', out: port1 }, [port1]);
      return message.kind === 'done' ? message.file : null;
    });
    this.#tell({ kind: 'render', sound: port2 }, [port2]);
    return this.#unlessEnded(made);
  }

  end(): void {
    this.#order.signal.removeEventListener('abort', this.#stop);
    this.#pictures.terminate();
    this.#sound.terminate();
  }

  /** The first result of a message of the pictures' worker. Drawings that it asks for are made meanwhile. */
  #fromPictures<T>(resultOf: (message: FromDevice) => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pictures.onmessage = async ({ data }: MessageEvent<FromDevice>) => {
        if (data.kind === 'failed') return reject(new DeviceError(data.fault));
        if (data.kind === 'ask_drawing') {
          const { ask, hash, maxPx } = data;
          const bitmap = await drawSvg(hash, this.#files.get(hash) ?? null, maxPx);
          return this.#tell({ kind: 'drawing', ask, bitmap }, bitmap === null ? [] : [bitmap]);
        }
        const result = resultOf(data);
        if (result !== null) resolve(result);
      };
    });
  }

  #unlessEnded<T>(result: Promise<T>): Promise<T> {
    return Promise.race([this.#ended.promise, result]);
  }

  #tell(message: ToDevice, transfer: Transferable[] = []): void {
    this.#pictures.postMessage(message, transfer);
  }

  #tellSound(message: ToDeviceSound, transfer: Transferable[] = []): void {
    this.#sound.postMessage(message, transfer);
  }
}

async function filesOf(
  sources: readonly { readonly hash: string; readonly field: string }[],
  project: Project,
): Promise<ReadonlyMap<string, Blob>> {
  const files = new Map<string, Blob>();
  for (const { hash, field } of sources) {
    const file = await typedFile(hash, project);
    if (file === null) throw new MissingFile(field);
    files.set(hash, file);
  }
  return files;
}
