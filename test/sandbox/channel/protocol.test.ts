import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exportErrorFrom, readChildMessage } from '../../../src/sandbox/channel/child-message.ts';
import { type ChildMessage, encodeFrame, FrameError, FrameReader } from '../../../src/sandbox/channel/protocol.ts';

const LIMIT = 1_000;

function frame(body: string | Uint8Array, announced = Buffer.byteLength(body)): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(announced);
  return Buffer.concat([prefix, Buffer.from(body as string)]);
}

test('messages are read as they were written, wherever the stream is cut', () => {
  const values = fc.array(fc.string({ maxLength: 60, unit: 'grapheme' }), { maxLength: 8 });
  fc.assert(
    fc.property(values, fc.array(fc.nat(50), { minLength: 1 }), (texts, cuts) => {
      const sent = texts.map((value, i): ChildMessage => ({ type: 'result', id: i + 1, value }));
      let bytes = Buffer.concat(sent.map((message) => encodeFrame(message, LIMIT)));
      const reader = new FrameReader(LIMIT);
      const got: unknown[] = [];
      for (let i = 0; bytes.length > 0; i++) {
        const cut = cuts[i % cuts.length]! + 1;
        got.push(...reader.read(bytes.subarray(0, cut)));
        bytes = bytes.subarray(cut);
      }
      assert.deepEqual(got, sent);
    }),
  );
});

test('[H5] an announced length over the limit is refused before any byte of it arrives', () => {
  for (const announced of [LIMIT + 1, 0xffffffff, 0]) {
    assert.throws(() => [...new FrameReader(LIMIT).read(frame('', announced))], FrameError);
  }
});

test('[H5] bytes that are not JSON or not UTF-8 are refused', () => {
  for (const body of ['{', 'nonsense', Buffer.from([0x22, 0xff, 0x22])]) {
    assert.throws(() => [...new FrameReader(LIMIT).read(frame(body))], FrameError);
  }
});

test('a message too long for the other side is not sent', () => {
  assert.throws(() => encodeFrame({ type: 'result', id: 1, value: 'x'.repeat(LIMIT) }, LIMIT), FrameError);
});

test('[H5] a child may send only messages of a child', () => {
  const error = { kind: 'invalid', code: 'media.broken', message: 'Broken.' };
  const issue = { path: '/a', code: 'a.b', message: 'm' };
  const lies: unknown[] = [
    null,
    [],
    'ready',
    {},
    { type: 'request', id: 1, op: 'x', params: null },
    { type: 'progress', id: 1, done: -1, total: 1 },
    { type: 'progress', id: 1.5, done: 1, total: 1 },
    { type: 'progress', id: 1, done: '1', total: 1 },
    { type: 'progress', id: Number.MAX_VALUE, done: 1, total: 1 },
    { type: 'error', id: 1, error: { ...error, kind: 'success' } },
    { type: 'error', id: 1, error: { ...error, code: 'Not A Code' } },
    { type: 'error', id: 1, error: { ...error, message: 'x'.repeat(2_001) } },
    { type: 'error', id: 1, error: { ...error, path: '../../etc/passwd' } },
    { type: 'error', id: 1, error: { ...error, issues: Array(201).fill(issue) } },
    { type: 'warning', id: 1, issue: { ...issue, path: '/a\nb' } },
    { type: 'jailed', report: { layers: [{ name: 'moat', detail: '' }], missing: [] } },
  ];
  for (const lie of lies) assert.throws(() => readChildMessage(lie), FrameError, JSON.stringify(lie));
});

test('[H5] unknown fields are dropped, and text for users is one line', () => {
  const message = JSON.parse(
    '{"type":"error","id":1,"__proto__":{"x":1},"extra":1,' +
      '"error":{"kind":"invalid","code":"a.b","message":"one\\n\\u001b[31mtwo","file":"/etc/passwd"}}',
  );
  assert.deepEqual(readChildMessage(message), {
    type: 'error',
    id: 1,
    error: { kind: 'invalid', code: 'a.b', message: 'one [31mtwo' },
  });
});

test('an error keeps its kind, code, path and issues across the pipe; its cause is for the log', () => {
  const issues = [{ path: '/a/0', code: 'a.b', message: 'First.' }];
  const error = exportErrorFrom({
    kind: 'unsupported',
    code: 'a.b',
    message: 'M.',
    path: '/a',
    issues,
    cause: 'library text',
  });
  assert.deepEqual([error.kind, error.code, error.message, error.path], ['unsupported', 'a.b', 'M.', '/a']);
  assert.deepEqual(error.issues, issues);
  assert.equal((error.cause as Error).message, 'library text');
});
