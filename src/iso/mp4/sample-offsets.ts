import type { ByteReader } from '../byte-reader.ts';
import type { IsoBox } from '../iso-boxes.ts';
import { entryCount } from './entry-count.ts';

/**
 * The offset of each sample: `stsc` has the number of samples in each run, `stco` or `co64` the offsets of the runs.
 *
 * @throws RangeError if they do not match the samples, or point outside the file.
 */
export function sampleOffsets(
  reader: ByteReader,
  { chunks, offsets: starts }: { readonly chunks: IsoBox; readonly offsets: IsoBox },
  sizes: Uint32Array,
  fileLength: number,
): Float64Array {
  const offsets = new Float64Array(sizes.length);
  const wide = starts.type === 'co64';
  const runs = entryCount(reader, starts, wide ? 8 : 4);
  const changes = entryCount(reader, chunks, 12);
  let sample = 0;
  let change = -1;
  let inRun = 0;
  for (let run = 0; run < runs; run += 1) {
    while (change + 1 < changes && reader.u32(chunks.start + 8 + 12 * (change + 1)) <= run + 1) {
      change += 1;
      inRun = reader.u32(chunks.start + 12 + 12 * change);
    }
    let at = wide ? reader.uint(starts.start + 8 + 8 * run, 8) : reader.u32(starts.start + 8 + 4 * run);
    if (inRun === 0 || sample + inRun > sizes.length) throw new RangeError('runs of more samples than there are');
    for (const end = sample + inRun; sample < end; sample += 1) {
      offsets[sample] = at;
      at += sizes[sample]!;
    }
    if (at > fileLength) throw new RangeError('samples outside the file');
  }
  if (sample !== sizes.length) throw new RangeError('runs of fewer samples than there are');
  return offsets;
}
