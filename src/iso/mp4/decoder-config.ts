import type { ByteReader } from '../byte-reader.ts';
import { type IsoBox, isoBoxes } from '../iso-boxes.ts';

const MAX_CONFIG_BYTES = 4096;
/** How long the fixed fields of a sample entry are, by its kind; boxes follow them. */
const ENTRY_FIELDS: Readonly<Record<string, number>> = { avc1: 78, mp4a: 28 };

/**
 * The decoder configuration, from a list of sample entries (`stsd`) of ours.
 *
 * @throws RangeError if it is not ours.
 */
export function decoderConfig(reader: ByteReader, { start, end }: IsoBox): Buffer {
  const [entry] = isoBoxes(reader, start + 8, end);
  const fields = ENTRY_FIELDS[entry?.type ?? ''];
  if (entry === undefined || fields === undefined) throw new RangeError('a sample entry that is not ours');
  const inside = isoBoxes(reader, entry.start + fields, entry.end);
  const [avcC, esds] = ['avcC', 'esds'].map((type) => inside.find((box) => box.type === type));
  const place = avcC ?? audioConfigPlace(reader, esds);
  const length = place.end - place.start;
  if (length < 2 || length > MAX_CONFIG_BYTES) throw new RangeError(`a decoder's configuration of ${length} bytes`);
  return Buffer.from(reader.part(place.start, length));
}

/** The descriptor in the descriptor in the descriptor: ISO/IEC 14496-1, 7.2.6. */
function audioConfigPlace(reader: ByteReader, box: IsoBox | undefined): { start: number; end: number } {
  if (box === undefined) throw new RangeError('a sample entry without a configuration');
  const [ES, DECODER, CONFIG] = [3, 4, 5];
  let at = box.start + 4;
  let end = at;
  for (const [tag, fields] of [[ES, 3] as const, [DECODER, 13] as const, [CONFIG, 0] as const]) {
    if (reader.u8(at) !== tag) throw new RangeError('an ES descriptor that is not ours');
    let length = 0;
    let more = true;
    at += 1;
    for (let digits = 0; digits < 4 && more; digits += 1, at += 1) {
      const byte = reader.u8(at);
      length = length * 128 + (byte & 0x7f);
      more = byte > 0x7f;
    }
    end = at + length;
    at += fields;
  }
  return { start: at, end };
}
