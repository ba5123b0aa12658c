import type { MediaLimits } from '../../engine/input/media-limits.ts';
import { probe } from '../../engine/probe/probe.ts';
import type { ProbedMedia } from '../../engine/probe/probed-media.ts';

/** A probe of any file. Fonts are looked into by who draws with them, whose code is loaded for them alone. */
export async function probeFile(file: string, limits: MediaLimits, signal: AbortSignal): Promise<ProbedMedia> {
  const probed = await probe(file, limits, signal);
  if (probed.kind === 'font') {
    const { checkFont } = await import('../../paint/skia/skia.ts');
    await checkFont(file);
  }
  return probed;
}
