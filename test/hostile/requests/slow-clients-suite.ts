import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { FORM_TYPE, formBody } from '../../http/form-body.ts';
import { seen } from '../../service/export-client.ts';
import { openHandles } from '../../service/process-tree.ts';
import type { Deployment } from '../../service/service-fixture.ts';
import { AttackedService } from '../attacked-service.ts';

const SOCKETS = 500;
const TIMEOUT_SECONDS = 2;
/** All slow clients together; a loaded machine takes its time to accept them. */
const PATIENCE_SECONDS = 30;

/** A client that sends `head` at once and one more byte of `rest` each second; what it gets until it is cut off. */
class SlowClient {
  readonly end: Promise<string>;
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;

  constructor(port: number, head: string, rest: string) {
    this.#socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let sent = 0;
    // Not once it is connected, which may take longer than a second: the first byte of the rest would go before it.
    if (head !== '') this.#socket.write(head);
    this.#timer = setInterval(() => this.#socket.write(rest[sent++ % rest.length]!), 1000);
    this.#socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    this.end = new Promise((resolve) => {
      this.#socket.on('close', () => {
        clearInterval(this.#timer);
        resolve(Buffer.concat(chunks).toString('latin1'));
      });
    });
  }

  give(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
  }
}

const CREATE = `POST /video/exports HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: 100000\r\n\r\n`;
const PART = '--x-boundary-7\r\nContent-Disposition: form-data; name="clip"; filename="c.mp4"\r\n\r\nsome bytes';

/** Where in a request a client may be slow. */
const DAWDLING: readonly (readonly [head: string, rest: string])[] = [
  ['', 'GET / HTTP/1.1\r\n'],
  ['GET /healthz HTTP/1.1\r\nHost: localhost\r\n', 'X-Slow: yes'],
  [CREATE, PART],
  [CREATE + PART, 'x'],
];

/** A node hangs up soon. */
export const SLOW_CLIENTS_SETTINGS = {
  TIERCUT_HEADERS_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
  TIERCUT_IDLE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
  // A create counts as a connection that waits as soon as its body is sent; this test is about slow bodies, not about that limit.
  TIERCUT_MAX_OPEN_WAITS: String(2 * SOCKETS),
};

/** Slow clients, on any deployment; with the settings `SLOW_CLIENTS_SETTINGS`. */
export function slowClientsSuite(start: () => Promise<Deployment>): void {
  let service: AttackedService<Deployment>;
  before(async () => {
    service = new AttackedService(await start());
  });
  after(() => service[Symbol.asyncDispose]());

  test(`[C33, H16] ${SOCKETS} sockets at one byte a second get 408 or are cut off, and other clients are served meanwhile`, async (t) => {
    const handles = handlesOf(service.fixture);
    const clients = Array.from({ length: SOCKETS }, (_, n) => {
      return new SlowClient(service.port, ...DAWDLING[n % DAWDLING.length]!);
    });
    let ended = 0;
    for (const { end } of clients) void end.then(() => (ended += 1));
    let served = 0;
    const body = new Uint8Array(
      formBody([
        { name: 'tier_list', content: '{}' },
        { name: 'timeline_data', content: '{"subtitles":[{"text":"x","start":0,"duration":1}]}' },
      ]),
    );
    const startMs = performance.now();
    while (ended < SOCKETS && performance.now() - startMs < PATIENCE_SECONDS * 1000) {
      const headers = { 'content-type': FORM_TYPE };
      const reply = await fetch(`${service.base}/video/exports/validate`, { method: 'POST', headers, body });
      assert.equal(reply.status, 200, await reply.text());
      await reply.arrayBuffer().catch(() => undefined);
      served += 1;
    }
    const stillThere = SOCKETS - ended;
    for (const client of clients) client.give();
    const answers = await Promise.all(clients.map(({ end }) => end));
    const reported = answers.filter((answer) => answer.startsWith('HTTP/1.1 408 ')).length;
    t.diagnostic(
      `${reported} received 408, ${answers.filter((answer) => answer === '').length} were cut off; ${served} others served`,
    );
    assert.equal(stillThere, 0, 'some were still connected');
    for (const answer of answers) assert.match(answer, /^(HTTP\/1\.1 408 |$)/);
    assert.ok(reported > 0 && served > 0);
    await service.assertUnharmed();
    service.assertNothingKept();
    await seen('closed sockets', () => handlesOf(service.fixture) < handles + 20 * service.fixture.nodes.length);
  });
}

function handlesOf({ nodes }: Deployment): number {
  return nodes.reduce((sum, { pid }) => sum + openHandles(pid), 0);
}
