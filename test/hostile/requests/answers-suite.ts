import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import type { Deployment } from '../../service/service-fixture.ts';
import { AttackedService } from '../attacked-service.ts';
import { assertHarmlessPage, nastyForm } from '../nasty-text.ts';
import { assertUnknownTo } from './foreign-export.ts';

const ANN = { authorization: 'Bearer the-key-of-ann-01' };
const BOB = { authorization: 'Bearer the-key-of-bob-01' };
/** Two tenants. */
export const ANSWERS_SETTINGS = {
  TIERCUT_API_KEYS: 'ann:the-key-of-ann-01,bob:the-key-of-bob-01',
  TIERCUT_PRERENDER: 'selected',
};

/** Responses to hostile texts, ranges and other tenants, on any deployment; with the settings `ANSWERS_SETTINGS`. */
export function answersSuite(start: () => Promise<Deployment>): void {
  let service: AttackedService<Deployment>;
  let made: ExportMetadata;
  before(async () => {
    service = new AttackedService(await start());
    const reply = await fetch(`${service.base}/video/exports`, { method: 'POST', body: nastyForm(), headers: ANN });
    const text = await reply.text();
    assert.equal(reply.status, 201, text);
    made = JSON.parse(text);
  });
  after(() => service[Symbol.asyncDispose]());

  /** The head of a reply, line by line, as it comes over the wire. */
  function headLines(path: string): Promise<string[]> {
    const socket = connect(service.port, '127.0.0.1');
    let text = '';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    return new Promise((resolve, reject) => {
      socket.on('error', reject).on('close', () => resolve(text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n')));
    });
  }

  test('[C27, H17] any text as title, name or file name gives one valid header', async () => {
    const lines = await headLines(made.download_url);
    assert.equal(lines[0], 'HTTP/1.1 200 OK');
    const disposition = lines.filter((line) => /^content-disposition:/i.test(line));
    assert.equal(disposition.length, 1);
    assert.match(
      disposition[0]!,
      /^content-disposition: attachment; filename="[ !#-[\]-~]*\.mp4"; filename\*=UTF-8''[\w%.~-]+$/i,
    );
    assert.ok(disposition[0]!.length < 2000);
    const names = lines.slice(1).map((line) => line.split(':')[0]!.toLowerCase());
    assert.equal(new Set(names).size, names.length, 'no header stands twice');
    assert.ok(!names.includes('set-cookie') && !names.includes('x'));
    const encoded = /filename\*=UTF-8''(.*)$/.exec(disposition[0]!)![1]!;
    assert.doesNotMatch(decodeURIComponent(encoded), /[\p{Cc}\p{Bidi_Control}/\\<>"]/u);
  });

  test('[C26, H17] any text is drawn as text and is escaped in the page', async () => {
    assert.equal(made.state, 'completed');
    const { base } = service;
    for (const path of [`/video/exports/${made.export_id}`, '/', '/docs']) await assertHarmlessPage(`${base}${path}`);
    const chapters = await fetch(`${base}/video/exports/${made.export_id}/chapters`, { headers: ANN });
    assert.match(chapters.headers.get('content-type')!, /^text\/plain/);
    const lines = (await chapters.text()).trimEnd().split('\n');
    assert.equal(lines.length, 2, 'the opening and one reveal: no name makes a line of its own');
    const poster = await fetch(`${base}/video/exports/${made.export_id}/poster`);
    assert.equal(poster.status, 200);
    assert.ok((await poster.arrayBuffer()).byteLength > 500);
    await service.assertUnharmed();
  });

  test('[C27, H18] thousands of ranges, overlapping, reversed, beyond the end: 200, 206 or 416 as RFC 9110 says', async () => {
    const address = `${service.base}${made.download_url}`;
    const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
    const { length } = whole;
    const many = (count: number, of: (n: number) => string) =>
      `bytes=${Array.from({ length: count }, (_, n) => of(n)).join()}`;
    const huge = '9'.repeat(400);
    const ranges: readonly [range: string, status: number, start?: number, end?: number][] = [
      ['bytes=0-0', 206, 0, 1],
      ['bytes=1-', 206, 1, length],
      ['bytes=-1', 206, length - 1, length],
      [`bytes=-${length * 2}`, 206, 0, length],
      [`bytes=0-${huge}`, 206, 0, length],
      [`bytes=-${huge}`, 206, 0, length],
      [`bytes=${length - 1}-${length + 5}`, 206, length - 1, length],
      [`bytes=${length}-`, 416],
      [`bytes=${huge}-`, 416],
      [`bytes=${huge}-${huge}9`, 416],
      ['bytes=-0', 416],
      ['bytes=9-3', 200],
      ['bytes=-', 200],
      ['bytes=', 200],
      ['bytes=a-b', 200],
      ['bytes=0x0-0x9', 200],
      ['bytes=--1', 200],
      ['bytes=1e1-2e1', 200],
      ['items=0-1', 200],
      ['0-1', 200],
      [many(1000, (n) => `${n}-${n}`), 200],
      [many(1000, () => '0-'), 200],
      [many(500, (n) => `${999 - n}-${n}`), 200],
      ['bytes=0-1,0-1', 200],
    ];
    for (const [range, status, start = 0, end = length] of ranges) {
      const what = range.slice(0, 60);
      const reply = await fetch(address, { headers: { range } });
      const body = Buffer.from(await reply.arrayBuffer());
      assert.equal(reply.status, status, what);
      if (status === 416) {
        assert.equal(reply.headers.get('content-range'), `bytes */${length}`, what);
        continue;
      }
      assert.equal(
        reply.headers.get('content-range'),
        status === 206 ? `bytes ${start}-${end - 1}/${length}` : null,
        what,
      );
      assert.ok(body.equals(whole.subarray(start, end)), `${what}: other bytes`);
    }
    await service.assertUnharmed();
  });

  test("[C33, H19] another tenant's export gets the same bytes as an unknown one, on every route and method", async () => {
    await assertUnknownTo(service.base, BOB, made.export_id);
    const own = await fetch(`${service.base}/video/exports/${made.export_id}`, { headers: ANN });
    assert.equal(own.status, 200, 'it is still there');
    await own.text();
    await service.assertUnharmed();
  });
}
