import { AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084 } from 'node-av/constants';
import type { PictureColor } from './picture-color.ts';

/** Whether its numbers stand for more light than a BT.709 screen gives. */
export function isHdr({ transfer }: PictureColor): boolean {
  return transfer === AVCOL_TRC_SMPTE2084 || transfer === AVCOL_TRC_ARIB_STD_B67;
}

/** From HDR to what a BT.709 screen can show. */
export function toneMap({ transfer }: PictureColor): string[] {
  const from = `setparams=color_primaries=bt2020:colorspace=bt2020nc:range=limited:color_trc=${
    transfer === AVCOL_TRC_SMPTE2084 ? 'smpte2084' : 'arib-std-b67'
  }`;
  return [
    from,
    'tonemapx=tonemap=bt2390:desat=0:peak=10:transfer=bt709:matrix=bt709:primaries=bt709:range=tv:format=yuv420p',
  ];
}
