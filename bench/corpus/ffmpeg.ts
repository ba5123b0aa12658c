import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
} from 'node-av/constants';
import type { PictureFacts } from '../../src/engine/picture/picture-facts.ts';
import type { PixelSize } from '../../src/image-header/image-header.ts';
import type { Seconds } from '../../src/time.ts';
import type { Picture } from '../../test/paint/picture-difference.ts';

/** Low enough to compare quickly, high enough for a tenth of a millisecond. */
export const COMPARED_RATE = 12_000;

/** Longer than this, and the program is taken to hang. */
const MAX_MS = 60_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** A little more than the second that is rendered, so that the frame after it is there too. */
const SECONDS = '1.3';

/** Without these ffmpeg's scaler rounds down, and a dark picture gets darker by more than a frame of a slow fade. */
const EXACT = 'flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp';

const run = promisify(execFile);

/** A frame as ffmpeg decodes it, and its timestamp in seconds. */
export interface DecodedFrame extends Picture {
  readonly time: number;
}

/** Whether the program is on this machine. */
export async function findFfmpeg(): Promise<boolean> {
  return run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  );
}

/** The container and codecs of a file, by ffprobe. Null if ffprobe reports none. */
export async function describeFile(file: string): Promise<string | null> {
  const entries = ['-show_entries', 'format=format_name:stream=codec_name', '-of', 'default=nk=1:nw=1'];
  const probed = await run('ffprobe', ['-v', 'quiet', ...entries, file], { timeout: MAX_MS }).catch(() => null);
  const words = probed?.stdout.trim().split('\n').filter(Boolean) ?? [];
  return words.length === 0 ? null : words.join(' ');
}

/** Whether ffmpeg gets through the beginning of a file. */
export async function ffmpegDecodes(file: string): Promise<boolean> {
  const args = ['-nostdin', '-v', 'quiet', '-i', file, '-t', '1', '-f', 'null', '-'];
  return run('ffmpeg', args, { timeout: MAX_MS }).then(
    () => true,
    () => false,
  );
}

/**
 * The frames of a file's first second, scaled and cropped to `size`, as the product fits them. Empty if ffmpeg decodes
 * none.
 */
export async function ffmpegFrames(file: string, facts: PictureFacts, size: PixelSize): Promise<DecodedFrame[]> {
  const { width, height } = size;
  const matrix = MATRIX_NAMES.get(facts.color.matrix);
  const filters = [
    'showinfo=checksum=0',
    ...(facts.interlaced ? ['bwdif=mode=send_frame'] : []),
    `scale='iw*if(sar,sar,1)':ih:${EXACT},setsar=1`,
    `scale=${width}:${height}:${EXACT}:force_original_aspect_ratio=increase${matrix === undefined ? '' : `:in_color_matrix=${matrix}`}`,
    'format=rgba',
    `crop=${width}:${height}`,
  ];
  const output = ['-t', SECONDS, '-an', '-sn', '-dn', '-vf', filters.join(','), '-vsync', 'passthrough'];
  const decoder = facts.alpha ? await alphaDecoder(file) : [];
  const decoded = await ffmpeg([...decoder, '-i', file, ...output, '-f', 'rawvideo', '-']);
  const times = [...decoded.said.matchAll(/ pts_time:(-?[\d.]+|NOPTS)/g)].map(([, time]) => Number(time) || 0);
  const bytes = width * height * 4;
  return Array.from({ length: Math.floor(decoded.bytes.length / bytes) }, (_, n) => {
    const rgba = overBlack(decoded.bytes.subarray(n * bytes, (n + 1) * bytes));
    return { width, height, rgba, time: times[n] ?? 0 };
  });
}

/** ffmpeg's own decoders of VP8 and VP9 leave alpha out. */
async function alphaDecoder(file: string): Promise<string[]> {
  const codecs = (await describeFile(file))?.split(' ') ?? [];
  const decoder = { vp8: 'libvpx', vp9: 'libvpx-vp9' }[codecs.find((name) => /^vp[89]$/.test(name)) as 'vp8' | 'vp9'];
  return decoder === undefined ? [] : ['-c:v', decoder];
}

/** A picture file, decoded. */
export async function readPicture(file: string, { width, height }: PixelSize): Promise<Picture> {
  const { bytes } = await ffmpeg(['-i', file, '-pix_fmt', 'rgba', '-f', 'rawvideo', '-']);
  return { width, height, rgba: bytes };
}

/** A sound as ffmpeg decodes it. */
interface DecodedSound {
  readonly samples: Float32Array;
  /** When its first sample is due: ffmpeg leaves a first packet out that is all priming. Null if that is unknown. */
  readonly first: Seconds | null;
}

/** The beginning of a file's sound, mixed down to one channel. Without samples if ffmpeg decodes none. */
export async function ffmpegSound(file: string, channels: number, seconds: Seconds): Promise<DecodedSound> {
  // One channel made into two gets quieter in ffmpeg; players keep its level, and so does the product.
  const mono = channels === 1 ? 'anull' : 'aformat=channel_layouts=stereo,pan=mono|c0=.5*c0+.5*c1';
  const output = ['-t', String(seconds), '-vn', '-af', `ashowinfo,${mono}`, '-ar', String(COMPARED_RATE)];
  const { bytes, said } = await ffmpeg(['-i', file, ...output, '-f', 'f32le', '-']);
  const samples = new Float32Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.length / 4));
  const first = / pts_time:(-?[\d.]+)/.exec(said)?.[1];
  return { samples, first: first === undefined ? null : Number(first) };
}

/**
 * How long after the start of its track a decoded sound begins. ffmpeg counts from the start of the file, which may be
 * before 0: the part before 0 is priming, which the product never counts.
 */
export async function soundDelay(file: string, { first }: DecodedSound): Promise<Seconds> {
  if (first === null) return 0;
  const entries = ['-select_streams', 'a:0', '-show_entries', 'stream=start_time:format=start_time', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-v', 'quiet', ...entries, file], { timeout: MAX_MS });
  const { streams, format } = JSON.parse(stdout);
  const trackStart = Math.max(0, Number(streams[0]?.start_time) || 0);
  return first + (Number(format?.start_time) || 0) - trackStart;
}

async function ffmpeg(args: readonly string[]): Promise<{ bytes: Buffer; said: string }> {
  const options = { encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: MAX_MS } as const;
  // A file that is damaged further on fails after its first frames, which count.
  const { stdout, stderr } = await run('ffmpeg', ['-nostdin', '-hide_banner', ...args], options).catch(
    (error: { stdout: Buffer; stderr: Buffer }) => error,
  );
  return { bytes: stdout, said: stderr.toString('latin1') };
}

/**
 * ffmpeg's scaler makes its own guess if a file gives no matrix; it gets the product's guess, which is that of players.
 */
const MATRIX_NAMES: ReadonlyMap<number, string> = new Map([
  [AVCOL_SPC_BT709, 'bt709'],
  [AVCOL_SPC_FCC, 'fcc'],
  [AVCOL_SPC_BT470BG, 'bt601'],
  [AVCOL_SPC_SMPTE170M, 'smpte170m'],
  [AVCOL_SPC_SMPTE240M, 'smpte240m'],
  [AVCOL_SPC_BT2020_NCL, 'bt2020'],
]);

/** The canvas behind a transparent picture is black. */
function overBlack(rgba: Uint8Array): Uint8Array {
  const opaque = Uint8Array.from(rgba);
  for (let at = 0; at < opaque.length; at += 4) {
    const alpha = opaque[at + 3]! / 255;
    for (let channel = 0; channel < 3; channel++) opaque[at + channel]! *= alpha;
    opaque[at + 3] = 255;
  }
  return opaque;
}
