import { cueTime } from '../../timeline/subtitle-file/cue-time.ts';
import { type CaptionSegment, captionRows } from './caption-words.ts';

/** Captions as WebVTT. */
export function captionsAsVtt(segments: readonly CaptionSegment[]): string {
  const cues = segments.map(({ start, end, text }) => {
    const escaped = rowsOf(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `${cueTime(start, '.')} --> ${cueTime(end, '.')}\n${escaped}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Captions as SubRip. */
export function captionsAsSrt(segments: readonly CaptionSegment[]): string {
  return segments
    .map(
      ({ start, end, text }, nth) => `${nth + 1}\n${cueTime(start, ',')} --> ${cueTime(end, ',')}\n${rowsOf(text)}\n`,
    )
    .join('\n');
}

function rowsOf(text: string): string {
  return captionRows(text).join('\n');
}
