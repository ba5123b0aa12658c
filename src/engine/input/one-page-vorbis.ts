import { open } from 'node:fs/promises';
import { AV_NOPTS_VALUE, AV_PKT_DATA_SKIP_SAMPLES } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import { ByteReader } from '../../iso/byte-reader.ts';
import type { FilePart } from './find-parts.ts';
import type { SoundTimes } from './sound-times.ts';

/** A page of an Ogg file: a header, the lengths of its segments, the segments. */
const HEADER_BYTES = 27;
const MAX_HEADER_BYTES = HEADER_BYTES + 255;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;
/** The head of Vorbis, with a cover of ten megabytes in it. */
const MAX_PAGES = 200;

/**
 * Whether all sound of the first Vorbis stream of an Ogg file is on one page. libavformat then takes the first packet, of
 * which nothing is heard, for sound, so that all is late by its length and as much is cut off at the end.
 *
 * @param part reads these bytes alone, as a file.
 */
export async function isOnePageVorbis(file: string, part?: FilePart): Promise<boolean> {
  await using handle = await open(file);
  const { from, to } = part ?? { from: 0, to: (await handle.stat()).size };
  let serial: number | null = null;
  for (let at = from, pages = 0; at + HEADER_BYTES < to && pages < MAX_PAGES; pages++) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MAX_HEADER_BYTES), position: at });
    const page = new ByteReader(buffer.subarray(0, Math.min(bytesRead, to - at)));
    if (!page.startsWith('OggS') || page.length < HEADER_BYTES) return false;
    const body = HEADER_BYTES + page.u8(26);
    const flags = page.u8(5);
    if ((flags & FIRST_PAGE) !== 0 && page.startsWith('\x01vorbis', body)) serial ??= page.u32le(14);
    // Pages of the head have the position 0, those on which no packet ends −1.
    const isSound = page.u32le(14) === serial && page.u32le(6) + page.u32le(10) > 0;
    if (isSound) return (flags & LAST_PAGE) !== 0;
    at += page.part(HEADER_BYTES, page.u8(26)).reduce((sum, bytes) => sum + bytes, body);
  }
  return false;
}

/** The times of Vorbis on one page of Ogg: nothing is heard of its first packet. */
export class OnePageVorbis implements SoundTimes {
  readonly fromStart = true;
  #silent: bigint | null = null;

  startOver(): void {}

  retime(packet: Packet): boolean {
    this.#silent ??= packet.duration;
    const silent = this.#silent;
    if (packet.pts !== AV_NOPTS_VALUE) packet.pts -= silent;
    if (packet.dts !== AV_NOPTS_VALUE) packet.dts -= silent;
    const cut = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
    if (cut === null || cut.length < 8) return true;
    // How much of its end is not heard.
    cut.writeUInt32LE(Math.max(0, cut.readUInt32LE(4) - Number(silent)), 4);
    packet.addSideData(AV_PKT_DATA_SKIP_SAMPLES, cut);
    // libavformat’s length of the last packet may be negative, in 32 bits without a sign.
    packet.duration = BigInt.asIntN(32, packet.duration) + silent;
    return true;
  }
}
