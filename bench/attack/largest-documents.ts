import { setTimeout as pause } from 'node:timers/promises';
import { DOCUMENTS, largestBody, SHAPES } from '../../test/hostile/requests/largest-documents.ts';
import type { RemoteAttack } from './attack.ts';

const CLIENTS = 8;
/** Parsing on the event loop kept `/healthz` at 4 to 10 s. */
const MAX_MEDIAN_MS = 250;
const PAUSE_MS = 50;

/** The largest documents from eight clients, while another client asks whether the service is alive. */
export const largestDocuments: RemoteAttack = {
  name: 'largest-documents',
  rule: 'H60',
  needs: 'key',
  async run(target, signal) {
    const headers = { ...target.ann, 'content-type': 'application/json' };
    const shapes = ['escapes', 'nested lists', 'many values', 'many keys'].map((name) => SHAPES[name]!);
    const body = largestBody(shapes, DOCUMENTS);
    let isOver = false;
    const sent = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const reply = await fetch(`${target.base}/video/exports/validate`, { method: 'POST', headers, body, signal });
        await reply.arrayBuffer();
        return reply.status;
      }),
    ).finally(() => {
      isOver = true;
    });
    const delays: number[] = [];
    while (!isOver) {
      const begunMs = performance.now();
      await (await fetch(`${target.base}/healthz`, { signal })).arrayBuffer();
      delays.push(performance.now() - begunMs);
      // Without a pause, the many probes of a free moment would hide the long ones.
      await pause(PAUSE_MS, undefined, { signal });
    }
    const statuses = [...new Set(await sent)];
    const median = delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)]!;
    const figure = `${CLIENTS} clients get ${statuses}; /healthz takes ${median.toFixed(1)} ms (median of ${delays.length})`;
    return { held: median < MAX_MEDIAN_MS && statuses.every((status) => status === 400 || status === 429), figure };
  },
};
