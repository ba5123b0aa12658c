import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { readPartHead } from '../../../src/http/multipart/part-head.ts';
import { boundaryOf } from '../../../src/http/multipart/read-multipart.ts';

const LIMITS = { maxFieldNameBytes: 128, maxFileNameBytes: 255 };

function head(...lines: readonly (string | Buffer)[]) {
  const block = Buffer.concat(lines.flatMap((line, i) => [Buffer.from(i === 0 ? '' : '\r\n'), Buffer.from(line)]));
  return readPartHead(block, 3, LIMITS);
}

function fault(work: () => unknown): { code: string; path: string | undefined; kind: string } {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ExportError);
    const { code, path, kind } = error;
    return { code, path, kind };
  }
  throw new Error('nothing was thrown');
}

test('[C3] names are read exactly, in every spelling that clients use', () => {
  const names: readonly [string, string, string | null][] = [
    ['form-data; name="clip_1"', 'clip_1', null],
    ['form-data; name=clip; filename=a.mp4', 'clip', 'a.mp4'],
    ['FORM-DATA;NAME="Clip"', 'Clip', null],
    ['form-data; name="a%22b"; filename="50%25.mp4"', 'a"b', '50%25.mp4'],
    ['form-data; name="a\\"b"; filename="C:\\dir\\x.mp4"', 'a"b', 'C:\\dir\\x.mp4'],
    ['form-data; name="café 🍟"', 'café 🍟', null],
    ["form-data; name*=UTF-8''caf%C3%A9; filename*=utf-8'en'%F0%9F%8D%9F", 'café', '🍟'],
    ['form-data; name="__proto__"', '__proto__', null],
    ['form-data; name="constructor"; filename=""', 'constructor', ''],
    ['form-data; name="../../x"', '../../x', null],
    ['form-data; name="a;b=c";', 'a;b=c', null],
  ];
  for (const [disposition, name, fileName] of names) {
    const read = head(`Content-Disposition: ${disposition}`);
    assert.deepEqual([read.name, read.fileName], [name, fileName], disposition);
  }
  assert.equal(head('content-type:  image/png ', 'content-disposition: form-data; name=a').contentType, 'image/png');
});

test('[C4, H14] anything ambiguous is refused, never dropped', () => {
  const cases: readonly [string, ...(string | Buffer)[]][] = [
    ['multipart.disposition_missing', 'Content-Type: text/plain'],
    ['multipart.disposition_missing', ''],
    ['multipart.disposition_invalid', 'Content-Disposition: attachment; name="a"'],
    ['multipart.disposition_invalid', 'Content-Disposition: form-data; name="a"; name="b"'],
    ['multipart.disposition_invalid', 'Content-Disposition: form-data; name="a'],
    ['multipart.disposition_invalid', 'Content-Disposition: form-data; name="a" b'],
    ['multipart.disposition_invalid', "Content-Disposition: form-data; name*=latin1''a"],
    ['multipart.disposition_invalid', "Content-Disposition: form-data; name*=utf-8''%FF"],
    ['multipart.name_missing', 'Content-Disposition: form-data'],
    ['multipart.name_missing', 'Content-Disposition: form-data; name=""; filename="x"'],
    ['multipart.header_repeated', 'Content-Disposition: form-data; name=a', 'content-disposition: form-data; name=b'],
    ['multipart.header_invalid', 'Content-Disposition: form-data;', ' name="folded"'],
    ['multipart.header_invalid', 'no colon'],
    ['multipart.header_invalid', 'Content-Disposition: form-data; name="a\nb"'],
    ['multipart.header_invalid', 'Content-Disposition: form-data; name="a\rb"'],
    ['multipart.header_invalid', 'Content-Disposition: form-data; name="a\0b"'],
    ['multipart.header_invalid', Buffer.from('Content-Disposition: form-data; name="caf\xe9"', 'latin1')],
  ];
  for (const [code, ...lines] of cases) {
    assert.deepEqual(
      fault(() => head(...lines)),
      { code, path: '', kind: 'malformed' },
      lines.join(' | '),
    );
  }
});

test('[C4, H14, H34] names that are too long in bytes, have control characters, or are encoded are refused at their part', () => {
  assert.equal(head(`Content-Disposition: form-data; name="${'é'.repeat(64)}"`).name.length, 64);
  const at = (name: string, ...more: readonly string[]) =>
    fault(() => head(`Content-Disposition: form-data; name="${name}"${more[0] ?? ''}`, ...more.slice(1)));
  assert.equal(at('é'.repeat(65)).code, 'multipart.name_too_long');
  assert.equal(at('a'.repeat(5000)).path, `/${'a'.repeat(128)}`);
  assert.deepEqual(at('a/b', `; filename="${'n'.repeat(256)}"`), {
    code: 'multipart.name_too_long',
    path: '/a~1b',
    kind: 'malformed',
  });
  assert.equal(at('a\tb').code, 'multipart.control_character');
  assert.equal(at('a', "; filename*=utf-8''%0D%0Ab").code, 'multipart.control_character');
  assert.equal(at('a', "; filename*=utf-8''%00").code, 'multipart.control_character');
  assert.equal(at('a', '', 'Content-Transfer-Encoding: base64').code, 'multipart.transfer_encoding');
});

test('[C33] only multipart/form-data with a usable boundary is read', () => {
  assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc');
  assert.equal(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b:c"'), 'a b:c');
  for (const type of [
    undefined,
    'application/json',
    'multipart/mixed; boundary=a',
    'multipart/form-datax;boundary=a',
  ]) {
    assert.deepEqual(fault(() => boundaryOf(type)).code, 'request.not_multipart', type);
  }
  for (const rest of [
    '',
    '; boundary=',
    '; boundary="a "',
    `; boundary=${'a'.repeat(71)}`,
    '; boundary="a',
    '; boundary="é"',
    '; boundary=a; boundary=b',
  ]) {
    assert.deepEqual(fault(() => boundaryOf(`multipart/form-data${rest}`)).code, 'multipart.boundary_invalid', rest);
  }
});
