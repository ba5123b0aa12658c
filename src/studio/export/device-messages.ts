import type { FrameRate } from '../../time.ts';
import type { PackedPlan } from '../session/packed-plan.ts';

/** How a browser is asked to encode. */
export interface EncoderChoice {
  readonly hardwareAcceleration: 'prefer-hardware' | 'prefer-software';
  readonly bitrateMode: 'quantizer' | 'variable';
}

/** What the test card checks, in the order of its report. */
export const CARD_CHECKS = ['codec', 'frames', 'references', 'parts', 'range', 'colors', 'likeness', 'sound'] as const;

/** How a browser encodes a test card. */
export interface CardResult {
  /** The first encoder that is right; null if none is. */
  readonly encoder: UsedEncoder | null;
  readonly checks: readonly CardCheck[];
}

/** An encoder, as far as a browser tells it. */
export interface UsedEncoder extends EncoderChoice {
  /** Of what it writes in front of its streams: another version may differ. */
  readonly identity: string;
  readonly framesASecond: number;
}

export interface CardCheck extends Found {
  readonly name: (typeof CARD_CHECKS)[number];
}

/** What was found of a property, and whether it is as it must be. */
export interface Found {
  readonly ok: boolean;
  /** What was measured, for a report. */
  readonly detail: string;
}

/** To `test-card-worker`, which loads the fonts of every video and answers with what it found. */
export const FONTS_ORDER = 'fonts';

/** To `test-card-worker`, which answers with a `CardResult`. */
export interface CardOrder {
  readonly width: number;
  readonly height: number;
  readonly rate: FrameRate;
}

/** From the page to `device-worker`: first what to check, then that it is rendered; and answers. */
export type ToDevice =
  | {
      readonly kind: 'check';
      readonly plan: PackedPlan;
      readonly preset: string;
      readonly files: ReadonlyMap<string, Blob>;
      /** How much may be stored. */
      readonly freeBytes: number;
      /** The path of `device-sound-worker`, which names the sound that it stored. */
      readonly soundProgram: string;
      readonly encoder: UsedEncoder;
      /** The number of the short that is rendered, from 1; null: the whole video. */
      readonly short: number | null;
    }
  /** `sound`: where the sound comes from. */
  | { readonly kind: 'render'; readonly sound: MessagePort }
  | { readonly kind: 'drawing'; readonly ask: number; readonly bitmap: ImageBitmap | null };

/** From `device-worker` to the page. */
export type FromDevice =
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly maxPx: number }
  /** What is in the way; empty: it can be rendered. */
  | { readonly kind: 'checked'; readonly faults: readonly DeviceFault[] }
  /** It uses parts from now on, and the sound may begin. */
  | { readonly kind: 'begins' }
  /** The share that is done; `isFound`: the last of it was there already. */
  | { readonly kind: 'progress'; readonly share: number; readonly isFound: boolean }
  /** `spentMs`: by kind of work, for measurements. */
  | { readonly kind: 'done'; readonly file: Blob; readonly spentMs: Readonly<Record<string, number>> }
  | { readonly kind: 'failed'; readonly fault: DeviceFault };

/** What this browser cannot do; `path` is the entry that asks for it, `field` the file, `bytes` the space that is needed. */
export interface DeviceFault {
  readonly reason:
    | 'encoder'
    | 'card'
    | 'changed'
    | 'sound'
    | 'clip'
    | 'picture'
    | 'font'
    | 'denoise'
    | 'storage'
    | 'filled'
    | 'other';
  readonly path?: string;
  readonly field?: string;
  readonly bytes?: number;
  readonly detail?: string;
}

/** To `device-sound-worker`: first what to check, which it answers with faults, then that it is rendered. */
export type ToDeviceSound =
  | { readonly kind: 'check'; readonly plan: PackedPlan; readonly files: ReadonlyMap<string, Blob> }
  | { readonly kind: 'render'; readonly out: MessagePort };

/** A video that this browser cannot make, with all the reasons that are known. */
export class DeviceError extends Error {
  readonly faults: readonly [DeviceFault, ...DeviceFault[]];

  constructor(...faults: readonly DeviceFault[]) {
    const [first = { reason: 'other' }, ...others] = faults;
    super(first.detail ?? first.reason);
    this.faults = [first, ...others];
  }

  get fault(): DeviceFault {
    return this.faults[0];
  }
}
