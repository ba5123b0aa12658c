import type { MediaLimits } from '../../engine/input/media-limits.ts';
import { probe } from '../../engine/probe/probe.ts';
import type { ProbedMedia } from '../../engine/probe/probed-media.ts';

/** Probes any file. The painter probes fonts; its code is loaded only for them. */
export async function probeFile(file: string, limits: MediaLimits, signal: AbortSignal): Promise<ProbedMedia> {
  const probed = await probe(file, limits, signal);
  if (probed.kind === 'font') {
    const { checkFont } = await import('../../paint/skia/skia.ts');
    await checkFont(file);
  }
  return probed;
}
