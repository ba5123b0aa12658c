import { type Frames, frames, sampleAtFrame, samples } from '../../time.ts';
import type { Chapter, RenderPlan, Short } from '../render-plan.ts';
import type { PlanOutline } from './plan-outline.ts';

/** Under this name the plan is kept that shorts are cut from: no preset has a dot in its name. */
export const SHORTS_PLAN = 'short.0';

/** The output name of the short with this number, counted from 1. */
export function shortName(number: number): string {
  return `short.${number}`;
}

/** The number of a short by its output's name; null for a preset. */
export function shortNumber(output: string): number | null {
  const [, number] = /^short\.([1-9][0-9]*)$/.exec(output) ?? [];
  return number === undefined ? null : Number(number);
}

/** The name of the plan that an output is rendered from. */
export function planOf(output: string): string {
  return shortNumber(output) === null ? output : SHORTS_PLAN;
}

/** The parts of a plan for the assembly of the whole video or of a short. */
type Cut = Pick<RenderPlan, 'title' | 'rate' | 'chapters'>;

/**
 * A short as its file is put together: its frame `n` is frame `start + n` of the whole, and its sound the same stretch of the
 * same mix, to the sample. Its chunks stay counted from the beginning of the whole. (C52)
 */
export function cutOutput({ title, rate, chapters }: Cut, short: Short) {
  const soundStart = sampleAtFrame(short.start, rate);
  return {
    title: title === '' ? short.title : `${title}: ${short.title}`,
    totalFrames: frames(short.end - short.start),
    chunks: short.chunks,
    chapters: chapters.filter(({ start, end }) => start < short.end && end > short.start).map(within(short)),
    soundStart,
    totalSamples: samples(sampleAtFrame(short.end, rate) - soundStart),
  };
}

/** The outline of the short with this number; null if there is none. */
export function shortOutline(whole: PlanOutline, number: number): PlanOutline | null {
  const short = whole.shorts?.[number - 1];
  if (short === undefined) return null;
  const { totalSamples, ...cut } = cutOutput(whole, short);
  const { shorts: _, ...rest } = whole;
  return {
    ...rest,
    ...cut,
    preset: shortName(number),
    audio: { ...whole.audio, totalSamples },
    needs: { ...whole.needs, chunks: short.needs },
    cutOf: SHORTS_PLAN,
  };
}

function within({ start, end }: Short): (chapter: Chapter) => Chapter {
  return (chapter) => ({
    start: (Math.max(chapter.start, start) - start) as Frames,
    end: (Math.min(chapter.end, end) - start) as Frames,
    title: chapter.title,
  });
}
