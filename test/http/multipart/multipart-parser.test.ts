import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../../src/errors.ts';
import { MultipartParser } from '../../../src/http/multipart/multipart-parser.ts';
import { BOUNDARY, formBody, rawBody } from '../form-body.ts';

interface SeenPart {
  readonly headers: string;
  readonly content: string;
}

/** What a body is cut into when it arrives in these chunks. */
function cut(chunks: readonly Buffer[]): SeenPart[] {
  const parser = new MultipartParser(BOUNDARY);
  const parts: { headers: string; content: string; ended: boolean }[] = [];
  for (const chunk of chunks) {
    for (const event of parser.push(chunk)) {
      if (event.type === 'part') {
        assert.ok(parts.every(({ ended }) => ended));
        parts.push({ headers: event.headers.toString('latin1'), content: '', ended: false });
      } else if (event.type === 'data') parts.at(-1)!.content += event.bytes.toString('latin1');
      else parts.at(-1)!.ended = true;
    }
  }
  parser.finish();
  return parts.map(({ headers, content }) => ({ headers, content }));
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ExportError);
    return error.code;
  }
  return 'none';
}

/** Content made of parts of delimiters, which a careless search would mistake for a boundary. */
const trickyContent = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '-',
      '--',
      `--${BOUNDARY.slice(0, 5)}`,
      `\r\n--${BOUNDARY.slice(0, -1)}`,
      'a',
      '\0',
    ),
  )
  .map((parts) => parts.join(''))
  .filter((text) => !text.includes(`--${BOUNDARY}`));

test('[C1] any chunking of a body gives the same parts, with the content sent', () => {
  fc.assert(
    fc.property(fc.array(trickyContent, { maxLength: 4 }), fc.array(fc.nat(200)), (contents, lengths) => {
      const parts = contents.map((content, i) => ({ name: `p${i}`, content }));
      const body = formBody(parts);
      const chunks: Buffer[] = [];
      let at = 0;
      for (const length of lengths) {
        chunks.push(body.subarray(at, at + length));
        at += length;
      }
      chunks.push(body.subarray(at));
      const expected = parts.map(({ name, content }) => ({
        headers: `Content-Disposition: form-data; name="${name}"`,
        content,
      }));
      assert.deepEqual(cut(chunks), expected);
      assert.deepEqual(cut([...body].map((byte) => Buffer.from([byte]))), expected);
    }),
    { numRuns: 300 },
  );
});

test('[C4] a body cut off at any byte before its closing boundary is an error', () => {
  const body = formBody([
    { name: 'tier_list', content: '{}' },
    { name: 'clip', content: 'some\r\n--bytes', fileName: 'clip.mp4' },
  ]);
  const closed = body.length - 2; // the last line break may be missing
  for (let length = 0; length < closed; length += 1) {
    const code = codeOf(() => cut([body.subarray(0, length)]));
    assert.match(code, /^multipart\.(truncated|boundary_missing)$/, `cut at ${length}`);
  }
  for (let length = closed; length <= body.length; length += 1) assert.equal(cut([body.subarray(0, length)]).length, 2);
});

test('[C4] junk before and after the boundaries is tolerated up to a limit', () => {
  const body = formBody([{ name: 'a', content: 'b' }]);
  const around = (before: number, after: number) =>
    cut([Buffer.alloc(before, 'x'), Buffer.from(before === 0 ? '' : '\r\n'), body, Buffer.alloc(after, 'x')]);
  assert.equal(around(4000, 4000).length, 1);
  assert.equal(
    codeOf(() => around(5000, 0)),
    'multipart.boundary_missing',
  );
  assert.equal(
    codeOf(() => around(0, 5000)),
    'multipart.after_end',
  );
});

test('[C4] after a boundary, anything but a part or the end is an error; white space is not', () => {
  const end = `--${BOUNDARY}--`;
  assert.equal(cut([rawBody(`--${BOUNDARY} \t`, 'A: b', '', 'c', end)]).length, 1);
  assert.equal(
    codeOf(() => cut([rawBody(`--${BOUNDARY}x`, 'A: b', '', 'c', end)])),
    'multipart.boundary_broken',
  );
  assert.equal(
    codeOf(() => cut([rawBody(`--${BOUNDARY}-`, 'A: b', '', 'c', end)])),
    'multipart.boundary_broken',
  );
  assert.equal(
    codeOf(() => cut([rawBody(`--${BOUNDARY}${' '.repeat(300)}`, 'A: b', '', 'c', end)])),
    'multipart.boundary_broken',
  );
});

test('[C4] a part may have no headers or no content; endless headers are an error', () => {
  const end = `--${BOUNDARY}--`;
  assert.deepEqual(cut([rawBody(`--${BOUNDARY}`, '', 'c', end)]), [{ headers: '', content: 'c' }]);
  assert.deepEqual(cut([rawBody(`--${BOUNDARY}`, 'A: b', '', end)]), [{ headers: 'A: b', content: '' }]);
  assert.deepEqual(cut([rawBody(end)]), []);
  assert.equal(
    codeOf(() => cut([rawBody(`--${BOUNDARY}`, 'A: '.padEnd(20_000, 'b'))])),
    'multipart.headers_too_long',
  );
  assert.equal(
    codeOf(() => cut([rawBody(`--${BOUNDARY}`, 'A: b', end)])),
    'multipart.truncated',
  );
});
