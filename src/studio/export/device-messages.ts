import type { PackedPlan } from '../session/packed-plan.ts';

/** From the page to `device-worker`: first what to render, then answers. */
export type ToDevice =
  | {
      readonly kind: 'render';
      readonly plan: PackedPlan;
      readonly preset: string;
      readonly files: ReadonlyMap<string, Blob>;
      /** How much may be stored. */
      readonly freeBytes: number;
      /** Where the sound comes from. */
      readonly sound: MessagePort;
    }
  | { readonly kind: 'drawing'; readonly ask: number; readonly bitmap: ImageBitmap | null };

/** From `device-worker` to the page. */
export type FromDevice =
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly maxPx: number }
  /** It uses parts from now on, and the sound may begin. */
  | { readonly kind: 'begins' }
  /** Frames that are done; `isFound`: the last of them were there already. */
  | { readonly kind: 'progress'; readonly frames: number; readonly isFound: boolean }
  | { readonly kind: 'done'; readonly file: Blob }
  | { readonly kind: 'failed'; readonly fault: DeviceFault };

/** What this browser cannot do; `path` is the entry that asks for it, `bytes` the space that is needed. */
export interface DeviceFault {
  readonly reason: 'encoder' | 'sound' | 'clip' | 'picture' | 'font' | 'denoise' | 'storage' | 'filled' | 'other';
  readonly path?: string;
  readonly bytes?: number;
  readonly detail?: string;
}

/** To `device-sound-worker`. */
export interface SoundOrder {
  readonly plan: PackedPlan;
  readonly files: ReadonlyMap<string, Blob>;
  readonly out: MessagePort;
}

/** A video that this browser cannot make, or a file that is missing. */
export class DeviceError extends Error {
  readonly fault: DeviceFault;

  constructor(fault: DeviceFault) {
    super(fault.detail ?? fault.reason);
    this.fault = fault;
  }
}
