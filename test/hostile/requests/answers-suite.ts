import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/wire/export-metadata.ts';
import { formOf } from '../../service/export-client.ts';
import type { Deployment } from '../../service/service-fixture.ts';
import { AttackedService } from '../attacked-service.ts';

const ANN = { authorization: 'Bearer the-key-of-ann-01' };
const BOB = { authorization: 'Bearer the-key-of-bob-01' };
/** Two tenants. */
export const ANSWERS_SETTINGS = {
  TIERCUT_API_KEYS: 'ann:the-key-of-ann-01,bob:the-key-of-bob-01',
  TIERCUT_PRERENDER: 'selected',
};
const NEVER = '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';

/** Quotes, line breaks, markup, marks that reorder text, controls, emoji, and ten kilobytes. */
const NASTY =
  `"quoted\\" 'x'\r\nSet-Cookie: planted=1\r\n\r\n<script>alert(1)</script><img src=x onerror=alert(2)>` +
  `&amp;\u202egnp.exe\u2066\u0000\u0007\u2028\ufeff{{7*7}}\${x}%0d%0aX: y 👩‍👩‍👧 \u0301\u0301`;
const LONG = `${NASTY}${'long '.repeat(2000)}`;

/** Responses to hostile texts, ranges and other tenants, on any deployment; with the settings `ANSWERS_SETTINGS`. */
export function answersSuite(start: () => Promise<Deployment>): void {
  let service: AttackedService<Deployment>;
  let made: ExportMetadata;
  before(async () => {
    service = new AttackedService(await start());
    const form = formOf({
      documents: {
        tier_list: {
          title: LONG,
          rows: [{ id: NASTY, label: NASTY, item_ids: [NASTY] }],
          items: [
            { id: NASTY, name: LONG },
            { id: 'b', name: '<b>&quot;</b>' },
          ],
        },
        timeline_data: {
          tier_blocks: [{ start: 0, duration: 0.5 }],
          tier_tiles: [{ tier_item_id: NASTY, position: 0.1 }],
          subtitles: [{ text: NASTY, start: 0, duration: 0.5 }],
          [NASTY]: 1,
        },
        settings: { file_name: NASTY, [`<i>${NASTY}`]: 1 },
      },
    });
    const reply = await fetch(`${service.base}/video/exports`, { method: 'POST', body: form, headers: ANN });
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
    for (const path of [`/video/exports/${made.export_id}`, '/', '/docs']) {
      const reply = await fetch(`${base}${path}`, { headers: { accept: 'text/html' } });
      const page = await reply.text();
      assert.equal(reply.status, 200);
      assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'|script-src 'self'/);
      assert.ok(!page.includes('<script>alert') && !page.includes('<img src=x') && !page.includes('<i>"quoted'), path);
      for (const tag of page.matchAll(/<script\b([^>]*)>([^<]*)/g))
        assert.match(`${tag[1]}|${tag[2]}`, /^ .*src="\/assets\/((studio|docs)\/)?[a-zA-Z0-9-]+\.js".*\|\s*$/);
      assert.doesNotMatch(page, /<[^>]*\son\w+=/i);
    }
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
    // Downloads are not among them: they need the id alone. (C81)
    const routes: readonly (readonly [method: string, path: string, accept?: string])[] = [
      ...['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'].map((method) => [method, ''] as const),
      ...['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].flatMap((method) =>
        ['/events', '/deliveries', '/nothing', '/download', '/poster/x'].map((path) => [method, path] as const),
      ),
      ...['POST', 'DELETE', 'PUT'].flatMap((method) =>
        ['/poster', '/download/preset_one'].map((path) => [method, path] as const),
      ),
      ['GET', '', 'application/json'],
      ['GET', '', 'image/png'],
    ];
    for (const [method, path, accept] of routes) {
      const [theirs, never] = await Promise.all(
        [made.export_id, NEVER].map(async (id) => {
          const headers = { ...BOB, ...(accept && { accept }) };
          const reply = await fetch(`${service.base}/video/exports/${id}${path}`, { method, headers });
          const shown = [...reply.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
          return { status: reply.status, shown, body: await reply.text() };
        }),
      );
      assert.deepEqual(theirs, never, `${method} ${path}`);
      assert.ok(never!.status >= 400 || method === 'OPTIONS', `${method} ${path}: ${never!.status}`);
    }
    const own = await fetch(`${service.base}/video/exports/${made.export_id}`, { headers: ANN });
    assert.equal(own.status, 200, 'it is still there');
    await own.text();
    await service.assertUnharmed();
  });
}
