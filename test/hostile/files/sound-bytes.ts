/** A WAV file that says of its samples what it likes. */
export function wav(said: {
  channels?: number;
  rate?: number;
  bits?: number;
  align?: number;
  dataBytes?: number;
}): Buffer {
  const { channels = 2, rate = 48_000, bits = 16, align = (channels * bits) / 8, dataBytes = 96_000 } = said;
  const data = Buffer.alloc(96_000);
  for (let at = 0; at < data.length; at += 2) data.writeInt16LE(((at * 37) % 20_000) - 10_000, at);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * align) % 2 ** 32, 28);
  head.writeUInt16LE(align % 2 ** 16, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(dataBytes, 40);
  return Buffer.concat([head, data]);
}
