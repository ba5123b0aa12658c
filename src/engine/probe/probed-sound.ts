import { AV_CHANNEL_ORDER_UNSPEC, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { avChannelLayoutDefault, avChannelLayoutDescribe, CodecContext, Dictionary, Frame, Packet } from 'node-av/lib';
import { type Micros, type Seconds, secondsOfMicros } from '../../time.ts';
import { CODEC_WHITELIST, findDecoder } from '../input/find-decoder.ts';
import { type InputFile, WITHOUT_CLOCK } from '../input/input-file.ts';
import { isPlayableSound } from '../input/playable-sound.ts';
import { streamStart } from '../input/presentation-start.ts';
import type { StreamScan } from './scan-packets.ts';

/** A sound track as decoded. */
export interface SoundFormat {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** libav's name for the arrangement: `stereo`, `5.1`. */
  readonly layout: string;
}

/** What is known of a file's sound. */
export interface ProbedAudio extends SoundFormat {
  /** When it begins and ends in source time; a start before 0 is not heard. */
  readonly start: Seconds;
  readonly end: Seconds;
}

/** A track of which this many packets in a row yield nothing is silent. */
const PACKETS_TRIED = 256;

/**
 * A sound's header may know how much of the last packet is padding; it is believed when so close to the packets. Without a
 * clock in the container, its length is a guess from the bit rate.
 */
const HEADER_TRUST_MICROS = 100_000;

/** Decodes the beginning of a file's sound, from where the demuxer stands; null where nothing can be decoded. */
export async function soundFormat(input: InputFile): Promise<SoundFormat | null> {
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
    if (received >= 0) return formatOf(frame, decoder.name ?? 'unknown');
    if (read < 0 && (received === AVERROR_EOF || received === AVERROR_EAGAIN)) return null;
  }
  return null;
}

function formatOf(frame: Frame, codec: string): SoundFormat | null {
  if (!isPlayableSound(frame)) return null;
  const { sampleRate, channels, channelLayout } = frame;
  // Plain WAV files count channels without naming them; the usual arrangement is meant.
  const layout = channelLayout.order === AV_CHANNEL_ORDER_UNSPEC ? avChannelLayoutDefault(channels) : channelLayout;
  return { codec, sampleRate, channels, layout: avChannelLayoutDescribe(layout) ?? `${channels} channels` };
}

/** When a sound begins and ends, counted from `origin`. */
export function soundSpan(
  { container, audio }: InputFile,
  { end, complete }: StreamScan,
  origin: Micros,
): { start: Seconds; end: Seconds } {
  const { timeBase, duration } = audio!;
  const start = (streamStart(audio!) ?? origin) - origin;
  const scannedEnd = Math.max(start, (end ?? origin) - origin);
  const headerEnd = start + (Number(duration) * timeBase.num * 1e6) / timeBase.den;
  const trusted =
    duration > 0n &&
    !(complete && WITHOUT_CLOCK.has(container)) &&
    Math.abs(headerEnd - scannedEnd) < HEADER_TRUST_MICROS;
  return {
    start: secondsOfMicros(start),
    end: secondsOfMicros(trusted ? Math.min(headerEnd, scannedEnd) : scannedEnd),
  };
}
