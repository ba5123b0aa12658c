import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  FF_DECODER_LIBDAV1D,
  FF_DECODER_LIBVPX_VP8,
  FF_DECODER_LIBVPX_VP9,
} from 'node-av/constants';
import { Codec, type Stream } from 'node-av/lib';

/** Picture decoders that an upload may use. Streams of other codecs are ignored. */
const PICTURE_DECODERS = [
  ...['h264', 'hevc', 'libdav1d', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'theora'],
  ...['mpeg4', 'mpeg1video', 'mpeg2video', 'msmpeg4v2', 'msmpeg4', 'h263', 'flv', 'prores', 'dnxhd', 'ffv1', 'qtrle'],
  ...['wmv1', 'wmv2', 'wmv3', 'vc1', 'rawvideo', 'huffyuv', 'ffvhuff'],
  ...['mjpeg', 'png', 'apng', 'gif', 'webp', 'webp_anim', 'bmp', 'tiff', 'libjxl'],
];

/** Sound decoders that an upload may use. */
const SOUND_DECODERS = [
  ...['aac', 'aac_latm', 'mp3float', 'mp3', 'mp2float', 'mp2', 'mp1float', 'mp1', 'flac', 'alac'],
  ...['opus', 'libopus', 'vorbis', 'ac3', 'eac3', 'dca', 'adpcm_ms', 'adpcm_ima_wav', 'pcm_alaw', 'pcm_mulaw'],
  ...['pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be'],
  ...['pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be', 'pcm_dvd'],
  ...['wmav1', 'wmav2', 'wmapro', 'wavpack', 'amrnb', 'amrwb'],
];

const ALLOWED: ReadonlySet<string> = new Set([...PICTURE_DECODERS, ...SOUND_DECODERS]);

/** The value of libav's `codec_whitelist`, for demuxers and decoders. */
export const CODEC_WHITELIST = [...ALLOWED].join(',');

/** The decoder for a stream, or null if there is none or it is not allowed for uploads. */
export function findDecoder(stream: Stream): Codec | null {
  const codec = preferredDecoder(stream) ?? Codec.findDecoder(stream.codecpar.codecId);
  return codec?.name && ALLOWED.has(codec.name) ? codec : null;
}

/** Whether a WebM stream carries its transparency beside the picture, where only libvpx looks for it. */
export function hasSideAlpha(stream: Stream): boolean {
  const { codecId } = stream.codecpar;
  if (codecId !== AV_CODEC_ID_VP8 && codecId !== AV_CODEC_ID_VP9) return false;
  return stream.metadata?.get('alpha_mode') === '1';
}

/** Where libav's first choice would lose something: alpha in WebM; AV1 without hardware. */
function preferredDecoder(stream: Stream): Codec | null {
  const { codecId } = stream.codecpar;
  if (codecId === AV_CODEC_ID_AV1) return Codec.findDecoderByName(FF_DECODER_LIBDAV1D);
  if (hasSideAlpha(stream))
    return Codec.findDecoderByName(codecId === AV_CODEC_ID_VP8 ? FF_DECODER_LIBVPX_VP8 : FF_DECODER_LIBVPX_VP9);
  return null;
}
