import type { PackedPlan } from '../session/packed-plan.ts';

/** From the page to `device-worker`: first what to render, then answers. */
export type ToDevice =
  | {
      readonly kind: 'render';
      readonly plan: PackedPlan;
      readonly preset: string;
      readonly files: ReadonlyMap<string, Blob>;
      /** Where the sound comes from. */
      readonly sound: MessagePort;
    }
  | { readonly kind: 'drawing'; readonly ask: number; readonly bitmap: ImageBitmap | null };

/** From `device-worker` to the page. */
export type FromDevice =
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly maxPx: number }
  /** Frames that are done. */
  | { readonly kind: 'progress'; readonly frames: number }
  | { readonly kind: 'done'; readonly file: Blob }
  | { readonly kind: 'failed'; readonly fault: DeviceFault };

/** What this browser cannot do; `path` is the entry that asks for it. */
export interface DeviceFault {
  readonly reason: 'encoder' | 'sound' | 'clip' | 'picture' | 'font' | 'denoise' | 'other';
  readonly path?: string;
  readonly detail?: string;
}

/** To `device-sound-worker`. */
export interface SoundOrder {
  readonly plan: PackedPlan;
  readonly files: ReadonlyMap<string, Blob>;
  readonly out: MessagePort;
}

/** From `device-sound-worker` to `device-worker`: packets of 1024 samples; the first is priming. */
export type SoundDone =
  | { readonly config: Uint8Array<ArrayBuffer>; readonly packets: Blob; readonly sizes: Uint32Array<ArrayBuffer> }
  | { readonly fault: DeviceFault };

/** A video that this browser cannot make, or a file that is missing. */
export class DeviceError extends Error {
  readonly fault: DeviceFault;

  constructor(fault: DeviceFault) {
    super(fault.detail ?? fault.reason);
    this.fault = fault;
  }
}
