import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_TRC_GAMMA22,
  AVCOL_TRC_GAMMA28,
  AVCOL_TRC_IEC61966_2_1,
  type AVColorPrimaries,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import type { PictureColor } from './picture-color.ts';

/** Gamuts visibly wider than BT.709, with their names in filters. */
const WIDE_GAMUTS: ReadonlyMap<AVColorPrimaries, string> = new Map([
  [AVCOL_PRI_BT2020, 'bt2020'],
  [AVCOL_PRI_SMPTE431, 'smpte431'],
  [AVCOL_PRI_SMPTE432, 'smpte432'],
]);

/** Transfers of SDR that differ from BT.709's, by the same. */
const TRANSFERS: ReadonlyMap<AVColorTransferCharacteristic, string> = new Map([
  [AVCOL_TRC_GAMMA22, 'gamma22'],
  [AVCOL_TRC_GAMMA28, 'gamma28'],
  [AVCOL_TRC_IEC61966_2_1, 'iec61966-2-1'],
]);

/** The name of a wide gamut in filters, or null if it is not a wide one. */
export function gamutName(primaries: AVColorPrimaries): string | null {
  return WIDE_GAMUTS.get(primaries) ?? null;
}

/** Whether its primaries are those of a wide gamut. */
export function isWideGamut({ primaries }: PictureColor): boolean {
  return WIDE_GAMUTS.has(primaries);
}

/** From a wide gamut's primaries to BT.709's; the transfer stays, since screens show all SDR transfers the same. */
export function narrowGamut({ primaries, transfer }: PictureColor, { width, height }: Size, format: string): string[] {
  const trc = TRANSFERS.get(transfer) ?? 'bt709';
  const from = `ispace=bt709:irange=tv:itrc=${trc}:iprimaries=${gamutName(primaries)}`;
  const filter = `colorspace=${from}:space=bt709:range=tv:trc=${trc}:primaries=bt709:format=${format}`;
  // The filter refuses odd sides.
  const [evenWidth, evenHeight] = [width + (width % 2), height + (height % 2)];
  if (evenWidth === width && evenHeight === height) return [filter];
  return [`pad=${evenWidth}:${evenHeight}`, filter, `crop=${width}:${height}:0:0:exact=1`];
}

interface Size {
  readonly width: number;
  readonly height: number;
}
