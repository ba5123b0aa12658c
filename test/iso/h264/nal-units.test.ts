import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BitReader,
  BitWriter,
  escaped,
  joinByteStream,
  splitByteStream,
  unescaped,
} from '../../../src/iso/h264/nal-units.ts';

test('bits that are written are read back', () => {
  const field = fc.oneof(
    fc.record({ kind: fc.constant('unsigned' as const), value: fc.nat(2 ** 31 - 2) }),
    fc.record({ kind: fc.constant('signed' as const), value: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }) }),
    fc.record({ kind: fc.constant('bits' as const), value: fc.nat(2 ** 16 - 1) }),
  );
  fc.assert(
    fc.property(fc.array(field, { maxLength: 40 }), (fields) => {
      const writer = new BitWriter();
      for (const { kind, value } of fields) {
        if (kind === 'bits') writer.bits(value, 16);
        else writer[kind](value);
      }
      const reader = new BitReader(writer.toBytes());
      const read = fields.map(({ kind }) => (kind === 'bits' ? reader.bits(16) : reader[kind]()));
      assert.deepEqual(
        read.map((value) => value + 0),
        fields.map(({ value }) => value),
      );
    }),
  );
});

test('the codes are those of the standard (9.1, 9.1.1)', () => {
  const bits = (write: (writer: BitWriter) => void) => {
    const writer = new BitWriter();
    write(writer);
    writer.bit(1);
    return writer.toBytes()[0]!.toString(2).padStart(8, '0');
  };
  assert.equal(
    bits((writer) => writer.unsigned(0)),
    '11000000',
  );
  assert.equal(
    bits((writer) => writer.unsigned(3)),
    '00100100',
  );
  assert.equal(
    bits((writer) => writer.signed(1)),
    '01010000',
  );
  assert.equal(
    bits((writer) => writer.signed(-1)),
    '01110000',
  );
});

test('no payload contains a start code, and every payload is read back', () => {
  const byte = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 255 }));
  const payload = fc.array(byte, { minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from([0x65, ...bytes, 0x80]));
  fc.assert(
    fc.property(fc.array(payload, { minLength: 1, maxLength: 4 }), (payloads) => {
      const units = payloads.map(escaped);
      for (const unit of units) {
        for (const forbidden of [0, 1, 2]) assert.equal(Buffer.from(unit).indexOf(Buffer.from([0, 0, forbidden])), -1);
      }
      const back = splitByteStream(joinByteStream(units)).map((unit) => Buffer.from(unescaped(unit)).toString('hex'));
      assert.deepEqual(
        back,
        payloads.map((bytes) => bytes.toString('hex')),
      );
    }),
  );
});
