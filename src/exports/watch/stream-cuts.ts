import { packetCount } from '../../iso/cmaf/segment.ts';
import { AAC_FRAME_SAMPLES } from '../../iso/mp4/sample-entries.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { type Frames, type Range, SAMPLE_RATE, sampleAtFrame, secondsOf } from '../../time.ts';

/** The part of a plan that its stream depends on. */
export type StreamedPlan = Pick<RenderPlan, 'canvas' | 'rate' | 'totalFrames' | 'chunks'> & {
  readonly audio: Pick<RenderPlan['audio'], 'key' | 'totalSamples'>;
};

/** One segment of picture and sound. It is as long as a chunk, because chunks arrive one by one. */
export interface StreamCut {
  readonly frames: Range<Frames>;
  readonly packets: { readonly start: number; readonly end: number };
  readonly pictureSeconds: number;
  readonly soundSeconds: number;
}

/**
 * Where a stream is cut; known from the start for all future segments. (C49)
 * Sound is cut between packets. A segment starts with the packet that plays at its first frame, so that a player that
 * starts there has sound with the first picture. Its seconds include the priming, as its decode times do, so a player
 * can place segments by either.
 */
export function cutStream({ chunks, rate, audio }: StreamedPlan): StreamCut[] {
  const packets = packetCount(audio.totalSamples);
  const packetAt = (frame: Frames): number => {
    const sample = AAC_FRAME_SAMPLES + sampleAtFrame(frame, rate);
    return frame === 0 ? 0 : Math.min(packets - 1, Math.floor(sample / AAC_FRAME_SAMPLES));
  };
  return chunks.map(({ start, end }, index) => {
    const isLast = index === chunks.length - 1;
    const [first, after] = [packetAt(start), isLast ? packets : packetAt(end)];
    const samples = isLast ? audio.totalSamples - (first - 1) * AAC_FRAME_SAMPLES : (after - first) * AAC_FRAME_SAMPLES;
    return {
      frames: { start, end },
      packets: { start: first, end: after },
      pictureSeconds: secondsOf((end - start) as Frames, rate),
      soundSeconds: samples / SAMPLE_RATE,
    };
  });
}

/** The duration that no segment exceeds, in whole seconds as playlists round them (RFC 8216, 4.3.3.1). */
export function targetSeconds(cuts: readonly StreamCut[]): number {
  const longest = cuts.map(({ pictureSeconds, soundSeconds }) => Math.max(pictureSeconds, soundSeconds));
  return Math.max(1, ...longest.map((seconds) => Math.round(seconds)));
}
