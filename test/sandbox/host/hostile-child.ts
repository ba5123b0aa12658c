/** A compromised child: for each request it writes the given bytes to the protocol's own descriptor. */
import { writeSync } from 'node:fs';
import { FrameReader, PARENT_FRAME_LIMIT_BYTES, type ParentMessage } from '../../../src/sandbox/channel/protocol.ts';
import { claimStdout } from '../../../src/sandbox/jail/descriptors.ts';

const out = claimStdout();

function write(text: string, length = Buffer.byteLength(text)): void {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  writeSync(out, prefix);
  writeSync(out, text);
}

write('{"type":"ready"}');
const reader = new FrameReader(PARENT_FRAME_LIMIT_BYTES);
process.stdin.on('data', (bytes) => {
  for (const message of reader.read(bytes) as Iterable<ParentMessage>) {
    if (message.type !== 'request') continue;
    const { text, length, times } = message.params as { text: string; length?: number; times?: number };
    for (let i = 0; i < (times ?? 1); i++) write(text, length);
  }
});
process.stdin.on('end', () => process.exit());
