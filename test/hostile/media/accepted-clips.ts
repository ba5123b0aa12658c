import { readFile } from 'node:fs/promises';
import { amrFile } from '../../fixtures/amr-file.ts';
import { type ClipOptions, makeClip } from '../../fixtures/clips.ts';
import { codePicture, heifFile, irot, pixelsOf } from '../../fixtures/heif-file.ts';
import { svgFile } from '../../fixtures/svg-file.ts';

const STILL: Partial<ClipOptions> = { frames: 1, container: 'image2', muxOptions: { update: 1 } };

function sound(container: string, codec: string, other: Partial<ClipOptions> = {}): Partial<ClipOptions> {
  return { frames: 0, container, sound: { seconds: 0.3, codec, channels: 1, sampleRate: 48_000 }, ...other };
}

/** One small file in every format we take, and in the codecs that are likeliest to be met there. */
const ACCEPTED: Readonly<Record<string, Partial<ClipOptions>>> = {
  'mp4 h264 aac': { bFrames: 1, sound: { seconds: 0.3 } },
  'mp4 hevc': { codec: 'libx265' },
  'mp4 fragmented': { muxOptions: { movflags: 'frag_keyframe+empty_moov' }, gop: 4 },
  'mov prores pcm': { container: 'mov', codec: 'prores_ks', sound: { seconds: 0.2, codec: 'pcm_s16le' } },
  'mov qtrle': { container: 'mov', codec: 'qtrle' },
  'm4a alac': sound('ipod', 'alac'),
  'matroska h264': { container: 'matroska', sound: { seconds: 0.3 } },
  'webm vp8 opus': { container: 'webm', codec: 'libvpx', sound: { seconds: 0.3, codec: 'libopus' } },
  'webm vp9 alpha': { container: 'webm', codec: 'libvpx-vp9', alpha: true },
  'matroska av1': { container: 'matroska', codec: 'libsvtav1', frames: 3 },
  'mpegts h264 mp2': { container: 'mpegts', sound: { seconds: 0.3, codec: 'mp2' } },
  'avi mpeg4 mp3': { container: 'avi', codec: 'mpeg4', sound: { seconds: 0.3, codec: 'libmp3lame' } },
  'avi uncompressed': { container: 'avi', codec: 'rawvideo', sound: { seconds: 0.3, codec: 'pcm_s16le' } },
  'avi huffyuv': { container: 'avi', codec: 'huffyuv', pixelFormat: 'yuv422p' },
  'asf wmv2 wmav2': { container: 'asf', codec: 'wmv2', sound: { seconds: 0.3, codec: 'wmav2' } },
  'vob mpeg2 ac3': { container: 'vob', codec: 'mpeg2video', sound: { seconds: 0.3, codec: 'ac3' } },
  'flv flv1': { container: 'flv', codec: 'flv' },
  mp3: sound('mp3', 'libmp3lame'),
  adts: sound('adts', 'aac'),
  ac3: sound('ac3', 'ac3'),
  eac3: sound('eac3', 'eac3'),
  wavpack: sound('wv', 'wavpack'),
  flac: sound('flac', 'flac'),
  wav: sound('wav', 'pcm_s16le'),
  'ogg opus': sound('ogg', 'libopus'),
  aiff: sound('aiff', 'pcm_s16be'),
  gif: { container: 'gif', codec: 'gif', rate: { num: 10, den: 1 } },
  png: { ...STILL, codec: 'png' },
  apng: { container: 'apng', codec: 'apng', alpha: true, rate: { num: 10, den: 1 } },
  jpeg: { ...STILL, codec: 'mjpeg', pixelFormat: 'yuvj420p' },
  webp: { frames: 1, container: 'webp', codec: 'libwebp' },
  'webp animation': { container: 'webp', codec: 'libwebp_anim', rate: { num: 10, den: 1 } },
  bmp: { ...STILL, codec: 'bmp' },
  tiff: { ...STILL, codec: 'tiff', pixelFormat: 'rgb24' },
  jxl: { ...STILL, codec: 'libjxl', pixelFormat: 'rgb24' },
  ico: { frames: 1, container: 'ico', codec: 'png', pixelFormat: 'rgba' },
  avif: { frames: 1, container: 'avif', codec: 'libsvtav1' },
};

const SVG =
  '<style>.a{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient>' +
  '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter></defs><g opacity=".5" filter="url(#f)"><path class="a" d="M0 0L90 0L50 90Z"/></g>' +
  '<use href="#g"/><text x="9" y="60" font-size="30">text</text>';

/** The bytes of one small valid file in every format we take, by what it is. */
export async function acceptedClips(): Promise<ReadonlyMap<string, Buffer>> {
  const made = new Map<string, Buffer>();
  for (const [name, options] of Object.entries(ACCEPTED)) {
    const { file } = await makeClip({ frames: 6, width: 64, height: 64, ...options });
    made.set(name, await readFile(file));
  }
  const tile = await codePicture('hvc1', pixelsOf(64, 64));
  const grid = { columns: 2, width: 100, height: 64 };
  made.set('heic', heifFile({ tiles: [tile, tile], grid, properties: [irot(1)] }));
  const coded = await codePicture('av01', pixelsOf(64, 64));
  made.set('avif alpha', heifFile({ tiles: [coded], alpha: [coded] }));
  made.set('svg', svgFile(SVG));
  made.set('amr', amrFile(20));
  return made;
}
