import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { secondsOf } from '../../time.ts';

/** The chapters as a video description has them: `0:00 Intro`, one a line. (C28) */
export function chaptersText({
  chapters,
  rate,
  totalFrames,
}: Pick<RenderPlan, 'chapters' | 'rate' | 'totalFrames'>): string {
  const withHours = secondsOf(totalFrames, rate) >= 3600;
  return chapters
    .map(({ start, title }) => `${clock(Math.floor(secondsOf(start, rate)), withHours)} ${title}\n`)
    .join('');
}

function clock(seconds: number, withHours: boolean): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, two(seconds % 60)];
  return withHours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
