import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderStill } from '../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS as limits } from '../../src/engine/input/media-limits.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { type Frames, frames, secondsOf } from '../../src/time.ts';
import type { BenchRender } from '../render/timelines.ts';
import { png } from './stills.ts';

/**
 * An expert's command for a board that is mostly still: every state of the canvas as a picture, shown for as long as it
 * lasts, and converted once rather than for every frame (`format` before `fps`). It leaves out the movement of a
 * reveal, so this peer has less to do than we.
 */
export async function ffmpegStillsArguments(render: BenchRender, folder: string, out: string): Promise<string[]> {
  const { plan, files } = render;
  const list = join(folder, 'stills.txt');
  const lines: string[] = [];
  const painter = await SkiaPainter.create({ plan, files: byField(render) });
  const cuts = changes(render);
  for (const [i, from] of cuts.slice(0, -1).entries()) {
    const to = cuts[i + 1]!;
    const still = await renderStill({ plan, files, painter, limits, frame: frames(to - 1) });
    const file = join(folder, `canvas-${i}.png`);
    await writeFile(file, await png(still, still.rgba));
    lines.push(`file '${file}'`, `duration ${secondsOf(frames(to - from), plan.rate)}`);
  }
  // The demuxer takes the last picture's length from a repetition of it.
  await writeFile(list, [...lines, lines.at(-2)!].join('\n'));
  const voice = files.get(plan.audio.clips[0]!.source as number)!;
  return [
    ...['-y', '-v', 'error', '-nostdin'],
    ...['-f', 'concat', '-safe', '0', '-i', list, '-i', voice],
    ...[
      '-vf',
      `format=yuv420p,fps=${plan.rate.num}/${plan.rate.den}`,
      '-t',
      String(secondsOf(plan.totalFrames, plan.rate)),
    ],
    ...['-c:v', 'libx264', '-preset', plan.encoder.preset, '-crf', String(plan.encoder.crf)],
    ...['-g', String(plan.encoder.keyframeEvery)],
    ...['-c:a', 'aac', '-b:a', `${plan.audio.bitrateKbps}k`, '-movflags', '+faststart', out],
  ];
}

/** Frames at which the canvas looks different from before, and the end. */
function changes({ plan }: BenchRender): Frames[] {
  const shown = [...plan.painted.board, ...plan.painted.subtitle, ...plan.clips].flatMap(({ shows }) => [
    shows.start,
    shows.end,
  ]);
  const reveals = (plan.board?.events ?? []).map(({ at }) => at);
  const all = new Set([frames(0), ...shown, ...reveals, plan.totalFrames]);
  return [...all].filter((frame) => frame <= plan.totalFrames).sort((a, b) => a - b);
}

function byField({ plan, files }: BenchRender): Map<string, string> {
  return new Map(plan.sources.map(({ field }, index) => [field, files.get(index)!]));
}
