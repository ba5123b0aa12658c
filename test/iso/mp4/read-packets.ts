import assert from 'node:assert/strict';
import { AV_NOPTS_VALUE, type AVMediaType } from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Packet } from 'node-av/lib';

/** The packets of a track, in the order of decoding, as others read them. */
export interface ReadPackets {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  /** When each is shown, in the track's ticks. */
  readonly times: readonly number[];
  readonly keys: readonly boolean[];
  readonly timeBase: { readonly num: number; readonly den: number };
  readonly config: Buffer;
}

/** Reads every packet of the file's only track of that type with libavformat: another reader than ours. */
export async function readPackets(file: string, type: AVMediaType): Promise<ReadPackets> {
  const format = new FormatContext();
  using options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: 'mov' });
  const opened = await format.openInput(file, InputFormat.findInputFormat('mov'), options);
  assert.ok(opened >= 0, file);
  using packet = new Packet();
  try {
    const stream = format.streams.find(({ codecpar }) => codecpar.codecType === type);
    const config = stream?.codecpar.extradata;
    assert.ok(stream !== undefined && config != null);
    packet.alloc();
    const [offsets, sizes, times, keys]: [number[], number[], number[], boolean[]] = [[], [], [], []];
    const { num, den } = stream.timeBase;
    for (; format.readFrameSync(packet) >= 0; packet.unref()) {
      if (packet.streamIndex !== stream.index) continue;
      assert.ok(packet.pos >= 0n && packet.pts !== AV_NOPTS_VALUE);
      offsets.push(Number(packet.pos));
      sizes.push(packet.size);
      times.push(Number(packet.pts));
      keys.push(packet.isKeyframe);
    }
    return { offsets, sizes, times, keys, timeBase: { num, den }, config: Buffer.from(config) };
  } finally {
    await format.closeInput();
  }
}
