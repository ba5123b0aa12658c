import { join } from 'node:path';
import {
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_TRC_BT709,
  type AVColorRange,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Rational } from 'node-av/lib';
import { ClipWriter, type Track } from '../../fixtures/clip-writer.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';
import { fillPatches, type Rgb } from './patch-clip.ts';

interface Part {
  readonly matrix: AVColorSpace;
  readonly range: AVColorRange;
  readonly transfer?: AVColorTransferCharacteristic;
  /** That of the whole stream by default. */
  readonly size?: { readonly width: number; readonly height: number };
}

export interface JoinedOptions {
  readonly width: number;
  readonly height: number;
  readonly patches: readonly Rgb[];
  /** The tags of each part. All parts encode the same colours. */
  readonly parts: readonly Part[];
  readonly framesEach: number;
}

let made = 0;

/** A stream of 25 frames a second whose parts were encoded separately, like joined recordings. */
export async function joinedPatches({ width, height, patches, parts, framesEach }: JoinedOptions): Promise<string> {
  const file = join(clipFolder(), `joined-${made++}.ts`);
  await using writer = new ClipWriter('mpegts', file);
  const whole = { width, height };
  const setUp = (context: CodecContext, { matrix, range, transfer = AVCOL_TRC_BT709, size = whole }: Part) => {
    context.width = size.width;
    context.height = size.height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, 25);
    context.framerate = new Rational(25, 1);
    context.maxBFrames = 0;
    context.colorSpace = matrix;
    context.colorRange = range;
    context.colorTrc = transfer;
    context.colorPrimaries = matrix === AVCOL_SPC_BT2020_NCL ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709;
  };
  const settings = { crf: 4, preset: 'veryfast', tune: 'zerolatency' };
  const { stream, context: opened } = await writer.add('libx264', settings, (context) => setUp(context, parts[0]!));
  await writer.start({});
  for (const [index, part] of parts.entries()) {
    const size = part.size ?? whole;
    using frame = allocateFrame(size.width, size.height, AV_PIX_FMT_YUV420P);
    const track: Track = {
      stream,
      context: index === 0 ? opened : await encoder(settings, (codec) => setUp(codec, part)),
    };
    fillPatches(frame, { patches, ...part });
    frame.colorSpace = part.matrix;
    frame.colorRange = part.range;
    frame.colorTrc = part.transfer ?? AVCOL_TRC_BT709;
    for (let n = 0; n < framesEach; n++) {
      frame.pts = BigInt(index * framesEach + n);
      await writer.encode(track, frame);
    }
    if (index === 0) continue;
    await writer.encode(track, null);
    track.context.freeContext();
  }
  await writer.finish();
  return file;
}

async function encoder(settings: Readonly<Record<string, string | number>>, setUp: (codec: CodecContext) => void) {
  const codec = Codec.findEncoderByName('libx264' as Parameters<typeof Codec.findEncoderByName>[0]);
  const context = new CodecContext();
  context.allocContext3(codec);
  setUp(context);
  using options = Dictionary.fromObject(settings);
  await context.open2(codec, options);
  return context;
}
