import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Frame } from 'node-av/lib';
import { assemble } from '../../../src/engine/encode/assemble.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { PictureDecoder } from '../../../src/engine/picture/picture-decoder.ts';
import type { Painter } from '../../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { secondsOf } from '../../../src/time.ts';
import { clipFolder, frameNumberOf, makeClip } from '../../fixtures/clips.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { renderPreset } from './render-chunk.ts';

/** A plan and the files its sources are in. */
export interface Render {
  readonly plan: RenderPlan;
  readonly files: ReadonlyMap<number, string>;
  readonly painter?: Painter;
}

/** A fresh folder that goes with the process. */
export function outFolder(): string {
  return mkdtempSync(join(clipFolder(), 'out-'));
}

/** Renders every chunk into a temporary folder. */
export async function renderAllChunks({ plan, files, painter = NO_PAINTER }: Render): Promise<string[]> {
  const folder = outFolder();
  const jobs = plan.chunks.map((range, index) => ({ range, out: join(folder, `${index}.mp4`) }));
  const options = { plan, files, painter, limits: DEFAULT_MEDIA_LIMITS };
  const done = await Array.fromAsync(renderPreset(options, jobs), ({ job }) => job);
  return jobs.filter((job) => done.includes(job)).map(({ out }) => out);
}

/** From plan to MP4, with a silent sound. */
export async function renderVideo(render: Render): Promise<string> {
  const chunkFiles = await renderAllChunks(render);
  const out = join(outFolder(), 'video.mp4');
  await assemble({ plan: render.plan, chunkFiles, audioFile: await silence(render.plan), out });
  return out;
}

/** A silent sound, as long as the plan needs it. */
export async function silence({ totalFrames, rate }: RenderPlan): Promise<string> {
  const seconds = secondsOf(totalFrames, rate);
  return (await makeClip({ frames: 0, sound: { seconds, bursts: [] } })).file;
}

/** Every frame of a file in order, with the microsecond at which it is shown. The frame is valid for the call only. */
export async function eachFrame(file: string, look: (frame: Frame, micros: number) => void): Promise<void> {
  await using decoder = await PictureDecoder.open(file, DEFAULT_MEDIA_LIMITS, { threads: 1 });
  using frame = new Frame();
  frame.alloc();
  for (let time = await decoder.next(frame); time !== null; time = await decoder.next(frame)) look(frame, time);
}

/** The number each frame of a file shows, and when. */
export async function numbersIn(file: string): Promise<{ numbers: (number | null)[]; micros: number[] }> {
  const numbers: (number | null)[] = [];
  const micros: number[] = [];
  await eachFrame(file, (frame, at) => {
    numbers.push(frameNumberOf(frame));
    micros.push(at);
  });
  return { numbers, micros };
}
