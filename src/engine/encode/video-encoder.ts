import {
  AV_CODEC_FLAG_CLOSED_GOP,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PICTURE_TYPE_P,
  AV_PIX_FMT_YUV420P,
  AVCHROMA_LOC_LEFT,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVPictureType,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, type Frame, Packet, Rational } from 'node-av/lib';
import { chunkShare, h264Level } from '../../iso/h264/level-buffer.ts';
import type { Material } from '../../plan/frame/frame-runs.ts';
import type { Canvas } from '../../plan/model/canvas.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { FrameRate } from '../../time.ts';
import { mustSucceed } from '../libav/libav-call.ts';

/**
 * x264's output depends on how many frames it works on at once, so the number must not come from the machine. (R18)
 *
 * Four keep a render's share of a server busy; at 1080p each more would hold another 20 MB.
 */
const ENCODER_THREADS = 4;

/**
 * Painting takes as long as encoding painted pictures: two threads keep up with it, for 3 % less of the time and 20 MB
 * less.
 */
const DRAWN_THREADS = 2;

/**
 * With a cap on the rate, the output of x264's frame threads depends on their timing. A single thread gives the same
 * bytes each time. (R18)
 */
const CAPPED_THREADS = 1;

const PARAMS = [
  // Off in the fastest preset, which x264 then labels Baseline; there it costs some 4 % of the time.
  '8x8dct=1',
  // The same bytes on processors with different vector instructions; no cost was measurable. (R18)
  'cpu-independent=1',
  // No thread of its own for looking ahead, and no frames that wait for it: the same bytes for the same CPU, and 96 MB
  // less at 4K.
  'sync-lookahead=0',
];

/**
 * On arm64 x264 prefetches each block of the last picture, which takes a sixth of its time if nearly all blocks are
 * unchanged; without ARMv8, in its terms, it does not, with the same bytes. Films would take 2 % longer that way.
 */
const DRAWN_PARAMS = process.arch === 'arm64' ? ['asm=NEON'] : [];

/** How a preset is changed for a material. */
interface Tuning {
  /** Options of x264. */
  readonly params: readonly string[];
  /** By how much the quantiser differs, so that SSIM does not. */
  readonly shift: number;
  /** Whether all pictures have the same quantiser, except for key frames. */
  readonly constant?: true;
}

/**
 * Changed presets: the fastest options that were found for the same SSIM in no more bytes, or in hardly more
 * (bench/notes/measurements.md). Presets that are not listed stay as they are, because users choose them for what they
 * are.
 */
const TUNING: Readonly<Record<string, Readonly<Record<Material, Tuning>>>> = {
  veryfast: {
    filmed: { params: ['aq-mode=2', 'partitions=i4x4,i8x8', 'me=dia'], shift: 0 },
    // Each part of a photo is visible as long as the others, so looking ahead gains nothing: key frames and reference
    // frames get more bits by a fixed ratio. Chunks set their own cuts. From six B-frames in a row on, x264 writes
    // other parameter sets.
    moved: {
      params: [
        ...['aq-mode=2', 'partitions=i4x4,i8x8', 'me=dia', 'subme=1', 'bframes=5', 'b-adapt=0', 'scenecut=0'],
        ...['rc-lookahead=0', 'mbtree=0', 'ipratio=2', 'pbratio=1.8'],
      ],
      shift: 0.5,
    },
    // Most of a painted picture equals the one before. With a constant quantiser, without weights and without looking
    // ahead, x264 makes no smaller copies of each picture and searches nothing in them: two fifths of its time.
    drawn: {
      params: [
        ...['partitions=i4x4', 'me=dia', 'subme=0', 'deadzone-inter=10', 'ipratio=2'],
        ...['weightp=0', 'b-adapt=0', 'scenecut=0', 'rc-lookahead=0', 'mbtree=0'],
      ],
      shift: 3,
      constant: true,
    },
  },
};

/** With a cap, only pictures that are mostly noise remain: they are encoded like films. */
const CAPPED_MATERIAL: Material = 'filmed';

/** What is to be encoded, and how. */
interface EncodingOptions {
  /** Whether to keep to the level's rate at the expense of quality, and of time. (R24) */
  readonly capped?: boolean;
  readonly material?: Material;
}

/** How to code a picture: as a key frame, as an anchor that others can refer to, or as the encoder chooses. */
type PictureKind = 'key' | 'anchor' | 'any';

const PICTURE_TYPE = { key: AV_PICTURE_TYPE_I, anchor: AV_PICTURE_TYPE_P, any: AV_PICTURE_TYPE_NONE } as const;
/** B-frames gain nothing if the picture is still or all of it changes. */
const DRAWN_TYPE = { ...PICTURE_TYPE, any: AV_PICTURE_TYPE_P } as const;

/** Where packets go; the packet is the encoder's, to be used before returning. */
export type PacketSink = (packet: Packet) => void;

/**
 * H.264 for phones and browsers: High profile, 4:2:0, BT.709 limited, closed groups of pictures, constant frame rate.
 * (R17) Owns the codec.
 */
export class VideoEncoder implements Disposable {
  readonly context: CodecContext;
  readonly #packet = new Packet();
  readonly #types: Readonly<Record<PictureKind, AVPictureType>>;
  #disposed = false;

  private constructor(context: CodecContext, types: Readonly<Record<PictureKind, AVPictureType>>) {
    this.context = context;
    this.#types = types;
    this.#packet.alloc();
  }

  static async open(
    { canvas, rate, encoder }: Pick<RenderPlan, 'canvas' | 'rate' | 'encoder'>,
    { capped = false, material = 'filmed' }: EncodingOptions = {},
  ): Promise<VideoEncoder> {
    const treatedAs = capped ? CAPPED_MATERIAL : material;
    const { params = [], shift = 0, constant } = TUNING[encoder.preset]?.[treatedAs] ?? {};
    const drawn = treatedAs === 'drawn';
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
    if (codec === null) throw new Error('this libavcodec has no libx264');
    const context = new CodecContext();
    context.allocContext3(codec);
    try {
      context.width = canvas.width;
      context.height = canvas.height;
      context.pixelFormat = AV_PIX_FMT_YUV420P;
      context.timeBase = new Rational(rate.den, rate.num);
      context.framerate = new Rational(rate.num, rate.den);
      context.sampleAspectRatio = new Rational(1, 1);
      context.colorRange = AVCOL_RANGE_MPEG;
      context.colorSpace = AVCOL_SPC_BT709;
      context.colorPrimaries = AVCOL_PRI_BT709;
      context.colorTrc = AVCOL_TRC_BT709;
      context.chromaLocation = AVCHROMA_LOC_LEFT;
      context.gopSize = encoder.keyframeEvery;
      context.threadCount = capped ? CAPPED_THREADS : drawn ? DRAWN_THREADS : ENCODER_THREADS;
      context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_CLOSED_GOP);
      using options = Dictionary.fromObject({
        preset: encoder.preset,
        [constant ? 'qp' : 'crf']: encoder.crf + shift,
        profile: 'high',
        'forced-idr': 1,
        level: h264Level(canvas, rate),
        'x264-params': [
          ...PARAMS,
          ...(drawn ? DRAWN_PARAMS : []),
          ...params,
          ...(capped ? cap(canvas, rate) : []),
        ].join(':'),
        // Captions found in a clip's frames are not part of the picture.
        a53cc: 0,
        // Makes the encoder use `hintChanged`: films have no such hints.
        mb_info: drawn ? 1 : 0,
      });
      mustSucceed(await context.open2(codec, options), 'opening libx264');
      return new VideoEncoder(context, constant ? DRAWN_TYPE : PICTURE_TYPE);
    } catch (error) {
      context.freeContext();
      throw error;
    }
  }

  /** SPS and PPS, as a byte stream. */
  get parameterSets(): Buffer {
    return this.context.extraData!;
  }

  /** Encodes the picture shown at frame `at`, counted from the stream's own start. `frame` stays the caller's. */
  async encode(frame: Frame, at: number, kind: PictureKind, sink: PacketSink): Promise<void> {
    frame.pts = BigInt(at);
    // Also because the source encoder's picture type must not influence ours.
    frame.pictType = this.#types[kind];
    frame.keyFrame = 0;
    mustSucceed(await this.context.sendFrame(frame), 'avcodec_send_frame');
    this.#drain(sink);
  }

  /** Drains the encoder. Nothing can be encoded afterwards. */
  async finish(sink: PacketSink): Promise<void> {
    mustSucceed(await this.context.sendFrame(null), 'avcodec_send_frame');
    for (;;) {
      const result = await this.context.receivePacket(this.#packet);
      if (result === AVERROR_EOF) return;
      mustSucceed(result, 'avcodec_receive_packet');
      this.#deliver(sink);
    }
  }

  /** May be called again. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#packet.free();
    this.context.freeContext();
  }

  /** Sending did the work; the packets only need to be received. */
  #drain(sink: PacketSink): void {
    for (;;) {
      const result = this.context.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN) return;
      mustSucceed(result, 'avcodec_receive_packet');
      this.#deliver(sink);
    }
  }

  #deliver(sink: PacketSink): void {
    this.#packet.duration = 1n;
    sink(this.#packet);
    this.#packet.unref();
  }
}

function cap(canvas: Canvas, rate: FrameRate): string[] {
  const { kbps, kbits } = chunkShare(canvas, rate);
  return [`vbv-maxrate=${kbps}`, `vbv-bufsize=${kbits}`];
}
