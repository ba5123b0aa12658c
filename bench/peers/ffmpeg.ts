import type { BenchRender } from '../render/timelines.ts';
import type { Still } from './stills.ts';

/** An expert's ffmpeg command: one graph, every still shown in its time. */
export function ffmpegArguments({ plan, files }: BenchRender, stills: readonly Still[], out: string): string[] {
  const seconds = (count: number) => String((count * plan.rate.den) / plan.rate.num);
  const clips = plan.clips.flatMap(({ source, trim, shows }) => [
    ...['-ss', String(trim.start / 1e6), '-t', seconds(shows.end - shows.start)],
    ...['-i', files.get(source)!],
  ]);
  const pictures = stills.flatMap(({ file }) => ['-i', file]);
  const joined = `${plan.clips.map((_, i) => `[${i}:v]`).join('')}concat=n=${plan.clips.length}:v=1:a=0[v0]`;
  const overlays = stills.map(({ rect: { x, y }, start, end }, i) => {
    const place = `overlay=${x}:${y}:enable='between(n,${start},${end - 1})'`;
    return `[v${i}][${plan.clips.length + i}:v]${place}[v${i + 1}]`;
  });
  return [
    ...['-y', '-v', 'error', '-nostdin'],
    ...[...clips, ...pictures],
    ...['-f', 'lavfi', '-t', seconds(plan.totalFrames), '-i', 'anullsrc=r=48000:cl=stereo'],
    ...['-filter_complex', [joined, ...overlays].join(';')],
    ...['-map', `[v${stills.length}]`, '-map', `${plan.clips.length + stills.length}:a`],
    ...['-c:v', 'libx264', '-preset', plan.encoder.preset, '-crf', String(plan.encoder.crf)],
    ...['-g', String(plan.encoder.keyframeEvery), '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', `${plan.audio.bitrateKbps}k`, '-movflags', '+faststart', out],
  ];
}
