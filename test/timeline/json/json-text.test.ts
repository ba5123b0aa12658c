import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonFault, readJson } from '../../../src/timeline/json/json-text.ts';

/** What JSON.parse lets pass. */
const STRICTER = new Set(['json.duplicate_key', 'json.number_too_large']);

const LIMITS = { maxBytes: 1_000_000, maxDepth: 32, maxValues: 50_000 };

function fault(text: string, limits = LIMITS): JsonFault {
  const reading = readJson(text, limits);
  assert.ok('fault' in reading, `should be refused: ${text.slice(0, 40)}`);
  return reading.fault;
}

function value(text: string): unknown {
  const reading = readJson(text, LIMITS);
  assert.ok('value' in reading, 'fault' in reading ? reading.fault.message : '');
  return reading.value;
}

test('reads whatever JSON.stringify writes, to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
      const text = JSON.stringify(json, null, space);
      assert.deepEqual(value(text), JSON.parse(text));
    }),
  );
});

test('accepts and refuses the same texts as JSON.parse, except duplicate keys and infinite numbers', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"b"',
    '1',
    '-0.5e3',
    '01',
    'true',
    'null',
    'NaN',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join('');
      let parsed: { value: unknown } | undefined;
      try {
        parsed = { value: JSON.parse(text) };
      } catch {
        parsed = undefined;
      }
      const reading = readJson(text, LIMITS);
      if ('fault' in reading && STRICTER.has(reading.fault.code)) return;
      assert.deepEqual('value' in reading ? reading : undefined, parsed);
    }),
    { numRuns: 2000 },
  );
});

test('a syntax error gives the expected text, the position and the text found', () => {
  const { code, path, message } = fault('{"a": [1,\n 2,, 3]}');
  assert.equal(code, 'json.syntax');
  assert.equal(path, '/a/2');
  assert.match(message, /a value is expected at line 2, column 4, but there is ",, 3\]\}"|", 3\]\}"/);
  assert.match(fault('{"a": ').message, /the text ends/);
});

test('NaN, Infinity, single quotes and trailing commas are not JSON', () => {
  for (const text of [
    'NaN',
    '[Infinity]',
    '-Infinity',
    "{'a':1}",
    '[1,]',
    '{"a":1,}',
    '// x\n1',
    '',
    '"\n"',
    '"\\x"',
    '+1',
    '.5',
  ]) {
    assert.equal(fault(text).code, 'json.syntax', text);
  }
});

test('[H15] a number too large for a double is refused at its path, not read as Infinity', () => {
  assert.deepEqual([fault('{"a":[1e309]}').code, fault('{"a":[1e309]}').path], ['json.number_too_large', '/a/0']);
  assert.equal(fault(`[-${'9'.repeat(400)}]`).code, 'json.number_too_large');
});

test('[H15] a duplicate key is refused, however it is escaped', () => {
  const { code, path } = fault('{"x":{"speed":1,"sp\\u0065ed":2}}');
  assert.deepEqual([code, path], ['json.duplicate_key', '/x']);
});

test('[H15] half a surrogate pair is refused, a complete one is accepted', () => {
  assert.equal(fault('["\\ud83d"]').code, 'json.lone_surrogate');
  assert.equal(fault('{"\\udc00":1}').code, 'json.lone_surrogate');
  assert.deepEqual(value('["\\ud83d\\ude00 😀"]'), ['😀 😀']);
});

test('[H15] __proto__ is a key like any other and pollutes nothing', () => {
  const object = value('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.deepEqual(Object.keys(object), ['__proto__', 'constructor']);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  assert.equal(fault('{"__proto__":1,"__proto__":2}').code, 'json.duplicate_key');
});

test('[H15] depth, count and size are limited, and refused without reading further', () => {
  assert.equal(fault('['.repeat(100_000)).code, 'json.too_deep');
  assert.equal(fault(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`).code, 'json.too_deep');
  assert.ok('value' in readJson(`${'['.repeat(32)}${']'.repeat(32)}`, LIMITS));
  assert.equal(fault(`[${'1,'.repeat(50_000)}1]`).code, 'json.too_many_values');
  assert.equal(fault(`"${'x'.repeat(1_000_000)}"`).code, 'json.too_large');
  assert.equal(fault(`"${'é'.repeat(500_000)}"`).kind, 'too_large');
});
