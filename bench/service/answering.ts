import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { FORM_TYPE, formBody } from '../../test/http/form-body.ts';
import { createAsync } from '../../test/service/export-client.ts';
import { cpuSeconds, residentBytes } from '../../test/service/process-tree.ts';
import { ServiceFixture } from '../../test/service/service-fixture.ts';
import { subtitledRequest } from '../../test/service/subtitled-request.ts';

const VALIDATORS = 4;
const TINY_SENDERS = 32;
const SECONDS = 20;
const EVERY_MS = 10;

/** How long `/healthz` took under a load, in milliseconds, and what the service took meanwhile. */
export interface Answered {
  readonly load: string;
  readonly timesMs: readonly number[];
  /** How often the load was served. */
  readonly served: number;
  readonly residentBytes: number;
  /** Processor time of the service and its children for each second of the load. */
  readonly cpuShare: number;
}

/** How promptly the service responds under a heavy load; the exports are deleted before much of them is rendered. */
export async function answering(): Promise<Answered[]> {
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_MAX_LANE_ENTRIES: '5000',
    TIERCUT_STAND_BACK: 'on',
  });
  const form = { body: new Uint8Array(longForm()), headers: { 'content-type': FORM_TYPE } };
  const validate = async () => {
    const reply = await fetch(`${service.base}/video/exports/validate`, { method: 'POST', ...form });
    if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
    await reply.arrayBuffer();
  };
  await validate();
  const fourHours = async () => {
    const { export_id: id } = await createAsync(service, subtitledRequest(4 * 3600 - 1, false));
    await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
  };
  const kilobytes = (form.body.length / 1024).toFixed();
  return [
    await under(service, 'nothing', []),
    await under(service, `${VALIDATORS} clients that validate ${kilobytes} KB`, Array(VALIDATORS).fill(validate)),
    await under(service, 'four hours of timeline, created and deleted', [fourHours]),
    await underTinyChunks(service),
  ];
}

async function under(service: ServiceFixture, load: string, work: readonly (() => Promise<void>)[]): Promise<Answered> {
  const stop = new AbortController();
  let served = 0;
  const workers = work.map(async (once) => {
    while (!stop.signal.aborted) {
      await once();
      served += 1;
    }
  });
  const timesMs: number[] = [];
  let most = 0;
  const cpuBefore = cpuSeconds(service.pid);
  const endMs = performance.now() + SECONDS * 1000;
  while (performance.now() < endMs) {
    const begun = performance.now();
    await (await fetch(`${service.base}/healthz`)).text();
    timesMs.push(performance.now() - begun);
    most = Math.max(most, residentBytes(service.pid));
    await delay(EVERY_MS);
  }
  const cpuShare = (cpuSeconds(service.pid) - cpuBefore) / SECONDS;
  stop.abort();
  await Promise.all(workers);
  return { load, timesMs, served, residentBytes: most, cpuShare };
}

/**
 * Clients that send up to 6 MB in chunks of one byte, again and again, as long as the service accepts them. In their
 * own thread: they must not delay the client that is measured.
 */
const TINY_SENDERS_PROGRAM = `
  const { once } = require('node:events');
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, clients, head, begin, piece, times } } = require('node:worker_threads');
  async function send() {
    const socket = connect(port, '127.0.0.1').resume();
    const ended = once(socket, 'close').catch(() => {});
    // A reset is one way to be refused.
    socket.on('error', () => {});
    socket.write(head);
    socket.write(begin);
    for (let n = 0; n < times && !socket.closed && socket.writable; n += 1) {
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), ended]);
    }
    socket.end('0\\r\\n\\r\\n');
    await ended;
    parentPort.postMessage('over');
  }
  for (let n = 0; n < clients; n += 1) (async () => { for (;;) await send(); })();`;

async function underTinyChunks(service: ServiceFixture): Promise<Answered> {
  const port = Number(new URL(service.base).port);
  const head = `POST /video/exports HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\nContent-Type: ${FORM_TYPE}\r\n\r\n`;
  const begin = [...longForm().subarray(0, 1000).toString('latin1')].map((byte) => `1\r\n${byte}\r\n`).join('');
  const piece = Buffer.from('1\r\nx\r\n'.repeat(16_384));
  const workerData = { port, clients: TINY_SENDERS, head, begin, piece, times: (6 * 2 ** 20) / 16_384 };
  const senders = new Worker(TINY_SENDERS_PROGRAM, { eval: true, workerData });
  let served = 0;
  senders.on('message', () => {
    served += 1;
  });
  try {
    const answered = await under(service, `${TINY_SENDERS} clients that send chunks of one byte`, []);
    return { ...answered, served };
  } finally {
    await senders.terminate();
  }
}

/** A valid request near the limits on entries: about 440 KB. */
function longForm(): Buffer {
  const entries = (count: number, entry: (n: number) => object) => Array.from({ length: count }, (_, n) => entry(n));
  const items = entries(400, (n) => ({ id: `item-${n}`, name: `Item number ${n}` }));
  const documents = {
    tier_list: { title: 'Long', rows: [{ id: 's', item_ids: items.map((_, n) => `item-${n}`) }], items },
    timeline_data: {
      subtitles: entries(2000, (n) => {
        const look = { align: 'center', size: 40, text_color: '#ffffff', background_alpha: 50 };
        return {
          id: `subtitle-${n}`,
          text: `Subtitle number ${n}, of some length`,
          start: n * 7,
          duration: 6,
          ...look,
        };
      }),
      tier_blocks: entries(1000, (n) => ({
        id: `block-${n}`,
        start: n * 14,
        duration: 13,
        x_percent: 5,
        y_percent: 5,
      })),
      tier_tiles: items.map((_, n) => ({ id: `tile-${n}`, tier_item_id: `item-${n}`, position: n * 30 })),
    },
    settings: { fps: 30 },
  };
  return formBody(Object.entries(documents).map(([name, value]) => ({ name, content: JSON.stringify(value) })));
}
