/**
 * The thread that paints. It is told what will be rendered and paints ahead of that, a little. (Elsewhere it is imported only to have it
 * compiled, and does nothing.)
 */
import { parentPort } from 'node:worker_threads';
import { AheadPainter } from './ahead-painter.ts';
import type { FromThread, ToThread } from './painter-messages.ts';

const port = parentPort;
const painters = new Map<number, AheadPainter>();

port?.on('message', (message: ToThread) => {
  if (message.type === 'open') {
    painters.set(message.painter, new AheadPainter(message, (said: FromThread) => port?.postMessage(said)));
    return;
  }
  painters.get(message.painter)?.hear(message);
  if (message.type === 'close') painters.delete(message.painter);
});
