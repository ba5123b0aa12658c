import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorKind, ExportError } from '../../errors.ts';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import { AacEncoder, type AacSearch } from './aac-encoder.ts';

/** The parameters of the encoding thread. */
export interface AacJob {
  readonly file: string;
  readonly bitrateKbps: number;
  readonly search: AacSearch;
}

/** Messages to the worker. The last one is `finish` or `abandon`. */
export type AacOrder = { readonly do: 'encode'; readonly sound: Stereo } | { readonly do: 'finish' | 'abandon' };

/** Its answer to each order. */
export interface AacReply {
  readonly failed: {
    readonly kind: ErrorKind;
    readonly code: string;
    readonly message: string;
    readonly cause: unknown;
  } | null;
  /** The value of `AacEncoder` so far. */
  readonly faithful: boolean;
}

/**
 * The thread in which an `AacWriter` encodes: takes orders one by one and answers each. (Elsewhere it is imported only
 * to compile it, and does nothing.)
 */

const port = parentPort;
let encoder: AacEncoder | null = null;

port?.on('message', (order: AacOrder) => {
  const { file, bitrateKbps, search } = workerData as AacJob;
  try {
    if (order.do !== 'abandon') encoder ??= new AacEncoder(file, bitrateKbps, search);
    if (order.do === 'encode') encoder?.write(order.sound);
    if (order.do === 'finish') encoder?.finish();
    reply({ failed: null, faithful: encoder?.faithful ?? true });
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const { kind, code, message, cause } = error;
    reply({ failed: { kind, code, message, cause }, faithful: true });
  }
  if (order.do === 'encode') return;
  encoder?.[Symbol.dispose]();
  port.close();
});

function reply(message: AacReply): void {
  port?.postMessage(message);
}
