import { parentPort, workerData } from 'node:worker_threads';
import { ExportError } from '../../errors.ts';
import { AacEncoder } from './aac-encoder.ts';
import type { AacJob, AacOrder, AacReply } from './aac-writer.ts';

/** The thread an `AacWriter` encodes in: takes its orders one by one and answers each. */

const port = parentPort!;
const { file, bitrateKbps, search } = workerData as AacJob;
let encoder: AacEncoder | null = null;

port.on('message', (order: AacOrder) => {
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
  port.postMessage(message);
}
