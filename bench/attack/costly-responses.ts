import { setTimeout as pause } from 'node:timers/promises';
import { costlyServer } from '../../test/outbound/costly-server.ts';
import { residentBytes } from '../../test/service/process-tree.ts';
import type { ServiceAttack } from './attack.ts';

const FETCHES = 24;
const PROBES = 60;
const MAX_MEDIAN_MS = 100;
const MAX_RSS_BYTES = 400 * 2 ** 20;

/** Media from a server that sends endless bodies in chunks of one byte. */
export const costlyResponses: ServiceAttack = {
  name: 'costly-responses',
  rule: 'H49',
  needs: 'service',
  settings: { TIERCUT_PRIVATE_ADDRESSES: 'on', TIERCUT_MAX_TENANT_FETCHES: String(FETCHES) },
  async run(target, signal) {
    await using server = await costlyServer();
    const end = new AbortController();
    const either = AbortSignal.any([signal, end.signal]);
    const headers = { 'content-type': 'application/json', ...target.ann };
    const fetches = Array.from({ length: FETCHES }, (_, n) =>
      fetch(`${target.base}/media`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ url: `${server.base}/bytes?${n}` }),
        signal: either,
      }).catch(() => null),
    );
    await pause(1000, undefined, { signal });
    const delays: number[] = [];
    while (delays.length < PROBES) {
      const begunMs = performance.now();
      await (await fetch(`${target.base}/healthz`, { signal })).text();
      delays.push(performance.now() - begunMs);
      await pause(100, undefined, { signal });
    }
    const rss = Math.max(...target.service.fixture.nodes.map(({ pid }) => residentBytes(pid)));
    end.abort();
    await Promise.all(fetches);
    const median = delays.toSorted((a, b) => a - b)[PROBES / 2]!;
    const figure = `${FETCHES} fetches: /healthz takes ${median.toFixed(1)} ms (median), ${Math.round(rss / 2 ** 20)} MiB of memory`;
    return { held: median < MAX_MEDIAN_MS && rss < MAX_RSS_BYTES, figure };
  },
};
