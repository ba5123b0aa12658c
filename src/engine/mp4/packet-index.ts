import { AV_NOPTS_VALUE, type AVMediaType } from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Packet } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { libavCause } from '../libav/libav-call.ts';

/** Where the packets of one of our own MP4 files lie, in the order of decoding. */
export interface PacketIndex {
  readonly file: string;
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  /** When each is shown, in the track's ticks. */
  readonly times: readonly number[];
  readonly keys: readonly boolean[];
  readonly timeBase: { readonly num: number; readonly den: number };
  /** What a decoder must know before the first packet. */
  readonly config: Buffer;
}

/**
 * Reads where the packets of the file's only track of that type lie.
 *
 * @throws `chunk.unreadable` where a file that we made is not as we made it.
 */
export async function readPacketIndex(file: string, type: AVMediaType): Promise<PacketIndex> {
  const format = new FormatContext();
  using options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: 'mov' });
  const opened = await format.openInput(file, InputFormat.findInputFormat('mov'), options);
  if (opened < 0) throw unreadable(libavCause(opened, 'avformat_open_input'));
  using packet = new Packet();
  try {
    const stream = format.streams.find(({ codecpar }) => codecpar.codecType === type);
    const config = stream?.codecpar.extradata;
    if (stream === undefined || config == null) throw unreadable();
    packet.alloc();
    const [offsets, sizes, times, keys]: [number[], number[], number[], boolean[]] = [[], [], [], []];
    const { num, den } = stream.timeBase;
    // Synchronous: the packets lie in the page cache, and a trip to the thread pool for each would cost far more.
    for (; format.readFrameSync(packet) >= 0; packet.unref()) {
      if (packet.streamIndex !== stream.index) continue;
      if (packet.pos < 0n || packet.pts === AV_NOPTS_VALUE) throw unreadable();
      offsets.push(Number(packet.pos));
      sizes.push(packet.size);
      times.push(Number(packet.pts));
      keys.push(packet.isKeyframe);
    }
    return { file, offsets, sizes, times, keys, timeBase: { num, den }, config: Buffer.from(config) };
  } finally {
    await format.closeInput();
  }
}

function unreadable(cause?: Error): ExportError {
  return new ExportError('internal', 'chunk.unreadable', 'A rendered part of the video could not be read back.', {
    cause,
  });
}
