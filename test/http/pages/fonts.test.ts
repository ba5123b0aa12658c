import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { FONTS } from '../../../src/timeline/choices.ts';
import { serve } from '../serve.ts';

interface Listed {
  readonly fonts: readonly {
    readonly family: string;
    readonly url: string;
    readonly bytes: number;
    readonly coverage: readonly number[];
  }[];
}

test('the names of fonts change with their bytes, so that they are cached permanently; the list of fonts is revalidated', async (t) => {
  const service = await serve(t);
  const reply = await fetch(`${service.base}/assets/fonts.json`);
  assert.equal(reply.headers.get('cache-control'), 'no-cache');
  const { fonts } = (await reply.json()) as Listed;
  const hebrew = fonts.find(({ family }) => family === 'Tiercut Hebrew Text')!;
  assert.ok(hebrew.coverage.some((first, at) => at % 2 === 0 && first <= 0x5d0 && 0x5d0 <= hebrew.coverage[at + 1]!));
  const font = await fetch(`${service.base}${hebrew.url}`);
  assert.equal(font.headers.get('content-type'), 'font/ttf');
  assert.match(font.headers.get('cache-control')!, /max-age=31536000, immutable/);
  const bytes = Buffer.from(await font.arrayBuffer());
  assert.equal(bytes.length, hebrew.bytes);
  assert.ok(hebrew.url.includes(createHash('sha256').update(bytes).digest('hex').slice(0, 16)));
  // Compressed only for clients that accept it.
  const plain = { 'accept-encoding': 'gzip;q=0' };
  const head = await fetch(`${service.base}${hebrew.url}`, { method: 'HEAD', headers: plain });
  assert.equal(head.headers.get('content-length'), String(hebrew.bytes));
  const packed = await fetch(`${service.base}${hebrew.url}`, { method: 'HEAD' });
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  assert.ok(Number(packed.headers.get('content-length')) < hebrew.bytes * 0.6);
  assert.equal(packed.headers.get('vary'), 'Accept-Encoding');
  assert.equal(reply.headers.get('content-encoding'), 'gzip');
  const etag = reply.headers.get('etag')!;
  const again = await fetch(`${service.base}/assets/fonts.json`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.equal((await fetch(`${service.base}/assets/fonts/..%2f..%2fpackage.json`)).status, 404);
});

test('word lists of scripts without spaces are compressed if the client accepts it, and revalidated', async (t) => {
  const service = await serve(t);
  for (const script of ['thai', 'lao', 'khmer', 'myanmar']) {
    const reply = await fetch(`${service.base}/assets/words/${script}`);
    assert.equal(reply.headers.get('content-encoding'), 'gzip');
    assert.equal(reply.headers.get('cache-control'), 'no-cache');
    const unpacked = await fetch(reply.url, { headers: { 'accept-encoding': 'gzip;q=0' } });
    assert.equal(unpacked.headers.get('content-encoding'), null);
    const [sent, plain] = [Number(reply.headers.get('content-length')), Number(unpacked.headers.get('content-length'))];
    assert.ok(sent > 50_000 && sent < 230_000 && plain > sent, `${sent} of ${plain} bytes`);
    assert.deepEqual(await reply.bytes(), await unpacked.bytes());
    const known = { 'if-none-match': reply.headers.get('etag')! };
    assert.equal((await fetch(reply.url, { headers: known })).status, 304);
  }
  assert.equal((await fetch(`${service.base}/assets/words/latin`)).status, 404);
  assert.equal((await fetch(`${service.base}/assets/words/..%2f..%2fpackage.json`)).status, 404);
});

test('[C63] the fonts that a request can name are listed with their weights and a picture of each', async (t) => {
  const service = await serve(t);
  const reply = await fetch(`${service.base}/fonts`);
  const { fonts } = (await reply.json()) as { fonts: { name: string; weights: number[]; sample: string }[] };
  assert.deepEqual(
    fonts.map(({ name }) => name),
    FONTS,
  );
  assert.deepEqual(fonts.find(({ name }) => name === 'Montserrat')!.weights, [400, 600, 700, 800, 900]);
  const pictures = new Set<string>();
  for (const { sample } of fonts) {
    const picture = await fetch(service.base + sample);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    pictures.add(Buffer.from(await picture.arrayBuffer()).toString('base64'));
  }
  assert.equal(pictures.size, fonts.length);
});
