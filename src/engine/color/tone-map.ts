import { AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084 } from 'node-av/constants';
import { gamutName } from './gamut.ts';
import type { PictureColor } from './picture-color.ts';

/** Whether its values represent more light than a BT.709 screen can show. */
export function isHdr({ transfer }: PictureColor): boolean {
  return transfer === AVCOL_TRC_SMPTE2084 || transfer === AVCOL_TRC_ARIB_STD_B67;
}

/**
 * Maps HDR to a BT.709 screen, by BT.2390's curve.
 *
 * The curve is made for a peak and falls beyond it: brighter values would become darker. (R23) HLG has no values above
 * its own peak; PQ goes up to 10,000 nits, and with a peak of 4,000 the curve is white from there on to the end. Its
 * earlier knee keeps values below 100 nits as bright as a lower peak would.
 */
export function toneMap({ transfer, primaries }: PictureColor): string[] {
  const [name, curve] =
    transfer === AVCOL_TRC_SMPTE2084 ? ['smpte2084', 'peak=400:param=0.5'] : ['arib-std-b67', 'peak=100:param=1'];
  return [
    `setparams=color_primaries=${gamutName(primaries) ?? 'bt2020'}:colorspace=bt2020nc:range=limited:color_trc=${name}`,
    `tonemapx=tonemap=bt2390:desat=0:${curve}:transfer=bt709:matrix=bt709:primaries=bt709:range=tv:format=yuv420p`,
  ];
}
