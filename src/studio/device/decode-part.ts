import { LENGTH_BYTES } from '../../iso/h264/avc-samples.ts';
import { isReference } from '../../iso/h264/nal-units.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';

const MICROS = 1_000_000;

/** Decoded frames are few: the decoder waits until they are used. */
const AHEAD = 6;

interface DecodeOrder {
  readonly part: PacketIndex<Blob>;
  /** As in `VideoDecoderConfig`. */
  readonly codec: string;
  /** Whether the frame at a time is used. Frames that nobody uses and no other frame needs are not decoded. */
  readonly isUsed: (micros: number) => boolean;
}

/**
 * Decodes a part as a player would, and passes on its frames in the order in which they are shown. The receiver closes them.
 */
export async function decodePart(
  { part, codec, isUsed }: DecodeOrder,
  use: (frame: VideoFrame) => Promise<void>,
): Promise<void> {
  const { file, offsets, sizes, times, keys, ticksASecond, config } = part;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let failure: unknown = null;
  let used: Promise<void> = Promise.resolve();
  let waiting = 0;
  let wake = () => {};
  const decoder = new VideoDecoder({
    output: (frame) => {
      waiting += 1;
      used = used
        .then(() => use(frame))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          waiting -= 1;
          wake();
        });
    },
    error: (error) => {
      failure ??= error;
      wake();
    },
  });
  decoder.ondequeue = () => wake();
  try {
    decoder.configure({ codec, description: Uint8Array.from(config), hardwareAcceleration: 'prefer-software' });
    for (const [index, at] of times.entries()) {
      const timestamp = Math.round((at * MICROS) / ticksASecond);
      const data = bytes.subarray(offsets[index]!, offsets[index]! + sizes[index]!);
      if (!isUsed(timestamp) && !isReference(data.subarray(LENGTH_BYTES))) continue;
      while (failure === null && decoder.decodeQueueSize + waiting >= AHEAD) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure !== null) throw failure;
      decoder.decode(new EncodedVideoChunk({ type: keys[index] === 1 ? 'key' : 'delta', timestamp, data }));
    }
    await decoder.flush();
    await used;
    if (failure !== null) throw failure;
  } finally {
    if (decoder.state !== 'closed') decoder.close();
  }
}
