import { AV_CHANNEL_ORDER_UNSPEC, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { avChannelLayoutDefault, avChannelLayoutDescribe, CodecContext, Dictionary, Frame, Packet } from 'node-av/lib';
import type { Seconds } from '../../time.ts';
import { CODEC_WHITELIST, findDecoder } from '../input/find-decoder.ts';
import type { InputFile } from '../input/input-file.ts';
import { isPlayableSound } from '../input/playable-sound.ts';

/** A sound track as decoded. */
interface SoundFormat {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** libav's name for the arrangement: `stereo`, `5.1`. */
  readonly layout: string;
}

/** The facts of a file's sound. */
export interface ProbedAudio extends SoundFormat {
  /** When it begins and ends in source time; a start before 0 is not heard. */
  readonly start: Seconds;
  readonly end: Seconds;
}

/** Combines what was decoded with when it is heard. A sound that its packets give no length has that of its first frame. */
export function probedAudio(
  { format, seconds }: FirstSound,
  { start, end }: Pick<ProbedAudio, 'start' | 'end'>,
): ProbedAudio {
  const first = Math.round((start + seconds) * 1e6) / 1e6;
  return { ...format, start, end: end > start ? end : first };
}

/** A track is silent if this many packets in a row yield no sound. */
const PACKETS_TRIED = 256;

/** A sound's format, and the length of its first decoded frame. */
interface FirstSound {
  readonly format: SoundFormat;
  readonly seconds: Seconds;
}

/** Decodes the beginning of a file's sound, from the demuxer's position; null if nothing can be decoded. */
export async function firstSound(input: InputFile): Promise<FirstSound | null> {
  const stream = input.audio;
  const decoder = stream === null ? null : findDecoder(stream);
  if (stream === null || decoder === null) return null;
  using codec = new CodecContext();
  codec.allocContext3(decoder);
  if (codec.parametersToContext(stream.codecpar) < 0) return null;
  codec.pktTimebase = stream.timeBase;
  using options = Dictionary.fromObject({ codec_whitelist: CODEC_WHITELIST, threads: 1 });
  if ((await codec.open2(decoder, options)) < 0) return null;

  using packet = new Packet();
  packet.alloc();
  using frame = new Frame();
  frame.alloc();
  for (let tried = 0; tried < PACKETS_TRIED; ) {
    const read = input.read(packet);
    if (read >= 0 && packet.streamIndex !== stream.index) {
      packet.unref();
      continue;
    }
    tried++;
    await codec.sendPacket(read < 0 ? null : packet);
    packet.unref();
    const received = await codec.receiveFrame(frame);
    if (received >= 0 && frame.nbSamples > 0) return firstOf(frame, decoder.name ?? 'unknown');
    if (read < 0 && (received === AVERROR_EOF || received === AVERROR_EAGAIN)) return null;
  }
  return null;
}

function firstOf(frame: Frame, codec: string): FirstSound | null {
  if (!isPlayableSound(frame)) return null;
  const { sampleRate, channels, channelLayout } = frame;
  // Plain WAV files count channels without naming them; the default layout applies.
  const layout = channelLayout.order === AV_CHANNEL_ORDER_UNSPEC ? avChannelLayoutDefault(channels) : channelLayout;
  const format = { codec, sampleRate, channels, layout: avChannelLayoutDescribe(layout) ?? `${channels} channels` };
  return { format, seconds: frame.nbSamples / sampleRate };
}
