import { type FrameRate, SAMPLE_RATE } from '../../time.ts';
import { type BoxContent, box, fullBox, u8, u16, u32, zeros } from '../box.ts';
import { type Bytes, joinBytes } from '../bytes.ts';
import { ticksASecond } from '../mp4/assembled-tracks.ts';
import {
  AAC_CHANNELS,
  AAC_FRAME_SAMPLES,
  aacEntry,
  h264Entry,
  SOUND_HEADER,
  VIDEO_HEADER,
} from '../mp4/sample-entries.ts';
import { MATRIX } from '../mp4/track.ts';
import { CMAF_TRACK, SAMPLE_FLAGS } from './fragment.ts';

/** The properties of a picture stream besides its samples. */
interface PictureHeader {
  readonly width: number;
  readonly height: number;
  readonly rate: FrameRate;
  /** `avcC` */
  readonly config: Uint8Array;
}

const UNDETERMINED_LANGUAGE = 0x55c4;
const ENABLED_IN_MOVIE = 3;
/** They are unknown before the last segment, and the init segment must be the same from the first request on. */
const UNKNOWN_RATES = { average: 0, highest: 0, bufferBytes: 0 };

/** The init segment of the picture: a CMAF header (ISO/IEC 23000-19, 7.3.1). */
export function pictureInit({ width, height, rate, config }: PictureHeader): Bytes {
  const entry = h264Entry(width, height, config, UNKNOWN_RATES);
  return init(['iso6', 'cmfc', 'cmf2'], {
    handler: 'vide',
    ticksASecond: ticksASecond(rate),
    entry,
    mediaHeader: VIDEO_HEADER,
    place: { volume: 0, width, height },
    edits: [],
    defaults: [0, SAMPLE_FLAGS.dependent],
  });
}

/**
 * The same for the sound. An edit list skips the priming, which every player decodes first: its decode times begin at 0
 * as the picture's do, and the audible sound begins with the first picture. (R16)
 *
 * @param config an AudioSpecificConfig
 */
export function soundInit(config: Uint8Array): Bytes {
  const toTheEnd = 0;
  return init(['iso6', 'cmfc'], {
    handler: 'soun',
    ticksASecond: SAMPLE_RATE,
    entry: aacEntry(SAMPLE_RATE, AAC_CHANNELS, config, UNKNOWN_RATES),
    mediaHeader: SOUND_HEADER,
    place: { volume: 0x100, width: 0, height: 0 },
    edits: [box('edts', fullBox('elst', 0, 0, u32(1, toTheEnd, AAC_FRAME_SAMPLES), u16(1, 0)))],
    defaults: [AAC_FRAME_SAMPLES, SAMPLE_FLAGS.key],
  });
}

interface InitTrack {
  readonly handler: 'vide' | 'soun';
  readonly ticksASecond: number;
  readonly entry: Bytes;
  readonly mediaHeader: BoxContent;
  readonly place: { readonly volume: number; readonly width: number; readonly height: number };
  readonly edits: BoxContent;
  /** A sample's duration and flags, if a segment does not give them. */
  readonly defaults: readonly [duration: number, flags: number];
}

function init(brands: readonly string[], track: InitTrack): Bytes {
  const { defaults } = track;
  return joinBytes([
    box('ftyp', brands[0]!, u32(0), brands),
    box(
      'moov',
      fullBox(
        'mvhd',
        0,
        0,
        u32(0, 0, track.ticksASecond, 0, 0x10000),
        u16(0x100, 0),
        zeros(8),
        MATRIX,
        zeros(24),
        u32(CMAF_TRACK + 1),
      ),
      trackBox(track),
      box('mvex', fullBox('trex', 0, 0, u32(CMAF_TRACK, 1, defaults[0], 0, defaults[1]))),
    ),
  ]);
}

function trackBox({ handler, ticksASecond: ticks, entry, mediaHeader, place, edits }: InitTrack): Bytes {
  const { volume, width, height } = place;
  return box(
    'trak',
    fullBox(
      'tkhd',
      0,
      ENABLED_IN_MOVIE,
      u32(0, 0, CMAF_TRACK, 0, 0),
      zeros(8),
      u16(0, 0, volume, 0),
      MATRIX,
      u32(width * 0x10000, height * 0x10000),
    ),
    edits,
    box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, ticks, 0), u16(UNDETERMINED_LANGUAGE, 0)),
      fullBox('hdlr', 0, 0, u32(0), handler, zeros(12), handler === 'vide' ? 'Video' : 'Sound', u8(0)),
      box(
        'minf',
        mediaHeader,
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box(
          'stbl',
          fullBox('stsd', 0, 0, u32(1), entry),
          fullBox('stts', 0, 0, u32(0)),
          fullBox('stsc', 0, 0, u32(0)),
          fullBox('stsz', 0, 0, u32(0, 0)),
          fullBox('stco', 0, 0, u32(0)),
        ),
      ),
    ),
  );
}
