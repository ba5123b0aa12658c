import { type Frames, type Seconds, secondsOf } from '../time.ts';
import { cueTime } from '../timeline/subtitle-file/cue-time.ts';
import type { SubtitleLayer } from './model/painted-layers.ts';
import type { RenderPlan } from './model/render-plan.ts';

/** The formats of captions: WebVTT or SubRip. */
export type CaptionFormat = 'vtt' | 'srt';

/** The part of a plan that captions need. */
type Captioned = Pick<RenderPlan, 'painted' | 'rate' | 'totalFrames' | 'canvas'>;

/** A text above this height, in percent of the canvas, counts as being at the top. */
const BOTTOM_PERCENT = 60;
/** A box that is closer to the middle than this, in percent, gets no position. */
const MIDDLE_PERCENT = 3;

/** All subtitles of a video as a file, in the order of their times. (C43) */
export function captionsText(plan: Captioned, format: CaptionFormat): string {
  const { painted, rate, totalFrames } = plan;
  const shown = painted.subtitle
    .flatMap((layer) => (layer.caption === null ? [] : [{ ...layer, ...layer.caption }]))
    .filter(({ shows }) => shows.start < totalFrames)
    .toSorted((a, b) => a.shows.start - b.shows.start || a.shows.end - b.shows.end);
  const seconds = (frame: Frames) => secondsOf(Math.min(frame, totalFrames) as Frames, rate);
  const cues = shown.map((subtitle, nth) => {
    const times = [seconds(subtitle.shows.start), seconds(subtitle.shows.end)] as const;
    return format === 'vtt' ? vttCue(subtitle, times, plan) : srtCue(subtitle, times, plan, nth + 1);
  });
  return (format === 'vtt' ? ['WEBVTT\n', ...cues] : cues).join('\n');
}

function vttCue(subtitle: SubtitleLayer, [start, end]: readonly [Seconds, Seconds], { canvas }: Captioned): string {
  const { x, y, width, height } = percents(subtitle, canvas);
  const { align } = subtitle;
  const edge = align === 'left' ? x : align === 'right' ? x + width : x + width / 2;
  const isAside = Math.abs(x + width / 2 - 50) > MIDDLE_PERCENT;
  const settings = [
    ...(y + height < BOTTOM_PERCENT ? [`line:${rounded(y + height)}%,end`] : []),
    ...(isAside ? [`position:${rounded(edge)}%`, `size:${rounded(Math.min(100, width))}%`] : []),
    ...(align === 'center' ? [] : [`align:${align}`]),
  ];
  const text = lines(subtitle.text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${[`${cueTime(start, '.')} --> ${cueTime(end, '.')}`, ...settings].join(' ')}\n${text}\n`;
}

function srtCue(
  subtitle: SubtitleLayer,
  [start, end]: readonly [Seconds, Seconds],
  { canvas }: Captioned,
  number: number,
): string {
  const { y, height } = percents(subtitle, canvas);
  const column = { left: 0, center: 1, right: 2 }[subtitle.align];
  // Positions are numbered as on a number pad. The bottom middle is the default.
  const key = (y + height < BOTTOM_PERCENT ? 7 : 1) + column;
  const command = key === 2 ? '' : `{\\an${key}}`;
  return `${number}\n${cueTime(start, ',')} --> ${cueTime(end, ',')}\n${command}${lines(subtitle.text)}\n`;
}

/** A blank line would end the cue. */
function lines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function percents({ rect }: SubtitleLayer, { width, height }: Captioned['canvas']) {
  const [across, down] = [100 / width, 100 / height];
  return { x: rect.x * across, y: rect.y * down, width: rect.width * across, height: rect.height * down };
}

function rounded(percent: number): number {
  return Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
}
