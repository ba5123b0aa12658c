import type { PacketIndex } from '../../iso/mp4/sample-table.ts';

const MICROS = 1_000_000;

/** Decoded frames are few: the decoder waits until they are used. */
const AHEAD = 6;

/**
 * Decodes a part as a player would, and passes on its frames in the order in which they are shown. The receiver closes them.
 *
 * @param codec as in `VideoDecoderConfig`.
 */
export async function decodePart(
  { file, offsets, sizes, times, keys, ticksASecond, config }: PacketIndex<Blob>,
  codec: string,
  use: (frame: VideoFrame) => Promise<void>,
): Promise<void> {
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
      while (failure === null && decoder.decodeQueueSize + waiting >= AHEAD) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure !== null) throw failure;
      const start = offsets[index]!;
      decoder.decode(
        new EncodedVideoChunk({
          type: keys[index] === 1 ? 'key' : 'delta',
          timestamp: Math.round((at * MICROS) / ticksASecond),
          data: bytes.subarray(start, start + sizes[index]!),
        }),
      );
    }
    await decoder.flush();
    await used;
    if (failure !== null) throw failure;
  } finally {
    if (decoder.state !== 'closed') decoder.close();
  }
}
