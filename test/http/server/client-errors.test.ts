import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles } from '../../source-files.ts';
import { postForm, serve } from '../serve.ts';

/** The headers that `limitHeaders` limits, as its source lists them. */
const LIMITED = new Set(
  sourceFiles()
    .find(({ text }) => text.includes('function limitHeaders'))!
    .text.match(/^ {2}'[a-z-]+',\n/gm)!
    .map((line) => line.slice(3, -3)),
);
/** Read within limits of their own, or not parsed: a number, a key of 255 characters, tokens that are split. */
const OTHERS = new Set([
  'content-length',
  'content-disposition',
  'content-transfer-encoding',
  'cookie',
  'idempotency-key',
  'range',
]);

test('[H42] a header of more than 4,096 characters is 431, and the answer names it', async (t) => {
  const { base } = await serve(t);
  for (const name of ['prefer', 'accept', 'accept-encoding', 'authorization', 'if-none-match', 'x-forwarded-for']) {
    const fits = await fetch(`${base}/healthz`, { headers: { [name]: 'a'.repeat(4096) } });
    assert.equal(fits.status, 200, await fits.text());
    const reply = await fetch(`${base}/healthz`, { headers: { [name]: 'a'.repeat(4097) } });
    const { code, detail } = (await reply.json()) as { code: string; detail: string };
    assert.deepEqual([reply.status, code], [431, 'request.headers_too_large']);
    assert.equal(detail, `The header ${name} has 4097 characters; at most 4096 are allowed.`);
  }
});

test('[H42] an address of 20,000 characters is 431', async (t) => {
  const { base } = await serve(t);
  for (const address of [`/healthz?${'a'.repeat(20_000)}`, `/${'a'.repeat(20_000)}`]) {
    const reply = await fetch(`${base}${address}`);
    const { code } = (await reply.json()) as { code: string };
    assert.deepEqual([reply.status, code], [431, 'request.headers_too_large']);
  }
});

test('[H42] every header that is read is limited', () => {
  const read = sourceFiles()
    .filter(({ path }) => /^http\/(?!openapi|pages\/docs)/.test(path))
    .flatMap(({ text }) => [
      ...text.matchAll(/\bheaders\.(?!ts\b|get\b|set\b|has\b)([a-z]+)|\bheaders(?:\[|\.get\()'([a-z-]+)'/g),
    ])
    .map(([, plain, quoted]) => plain ?? quoted!);
  assert.ok(read.length > 20, `${read.length} headers`);
  assert.deepEqual(
    [...new Set(read)].filter((name) => !LIMITED.has(name) && !OTHERS.has(name)),
    [],
  );
});

test('[C8, C40] preferences are found among others, with spaces, quotes and parameters', async (t) => {
  const service = await serve(t);
  const { export_id } = (await (await postForm(service, undefined, { prefer: 'respond-async' })).json()) as {
    export_id: string;
  };
  const applied = async (prefer: string) => {
    const reply = await fetch(`${service.base}/video/exports/${export_id}`, { headers: { prefer } });
    await reply.text();
    return reply.headers.get('preference-applied');
  };
  for (const prefer of [
    'wait=0',
    'handling=lenient, wait=0',
    ' Wait = "0" ; x=1 ,wait=5',
    'wait=0;a="b"',
    'a=b=c,wait=0',
  ]) {
    assert.equal(await applied(prefer), 'wait=0', prefer);
  }
  for (const prefer of [
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait="0',
    `wait=${'9'.repeat(10)}`,
    'x; wait=0',
    `a=${' '.repeat(3600)}"x"y`,
  ]) {
    assert.equal(await applied(prefer), null, prefer);
  }
});
