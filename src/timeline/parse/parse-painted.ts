import type { RawSubtitle } from '../document-schemas.ts';
import type { BlockEntry, SpokenWord, SubtitleEntry, TitleEntry } from '../export-request.ts';
import type { IssueList } from '../issue-list.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import { filled } from '../read-fields.ts';
import { SUBTITLE_BASICS, TITLE_BASICS } from '../timeline-fields.ts';
import type { ParseContext } from './parse-context.ts';
import { parseEntries, type SentLane } from './parse-lane.ts';
import { readBox, readEnterExit, readPresetPlaces } from './parse-places.ts';
import { parseCaptionStyle, parseFont } from './parse-settings.ts';

/** Windows onto the board. (C20, C21) */
export function parseBlocks(lane: SentLane, context: ParseContext): BlockEntry[] {
  return parseEntries('tier_blocks', lane, context).map(({ path, id, value }) => ({
    path,
    id,
    start: value.start,
    duration: value.duration,
    box: readBox(value),
    byPreset: readPresetPlaces(value.presets, path, context),
    enterExit: readEnterExit(value),
  }));
}

/** Texts that are neither subtitles nor captions. (C60) */
export function parseTitles(lane: SentLane, context: ParseContext): TitleEntry[] {
  const entries = parseEntries('titles', lane, context);
  for (const { path, value } of entries) warnFaint(value.background_alpha, path, context.issues);
  return entries.map(({ path, id, value }) => ({
    path,
    id,
    text: value.text,
    start: value.start,
    duration: value.duration,
    ...filled(TITLE_BASICS, value),
    font: parseFont(value, path, context.media),
    box: readBox(value),
    byPreset: readPresetPlaces(value.presets, path, context),
    enterExit: readEnterExit(value),
  }));
}

/** Text over everything. (C23) */
export function parseSubtitles(lane: SentLane, context: ParseContext): SubtitleEntry[] {
  const entries = parseEntries('subtitles', lane, context);
  return entries.map(({ path, id, value }) => ({
    ...subtitleEntry(value, subtitleBase(value, path, id, context)),
    words: spokenWords(value, path, context.issues),
  }));
}

/** The common fields of a subtitle and of a subtitle file. */
export function subtitleBase(
  { presets, style, background_alpha: alpha }: Pick<RawSubtitle, 'presets' | 'style' | 'background_alpha'>,
  path: string,
  id: string,
  context: ParseContext,
): Pick<SubtitleEntry, 'path' | 'id' | 'byPreset' | 'style'> {
  const usual = context.settings.subtitleStyle;
  warnFaint(alpha, path, context.issues);
  return {
    path,
    id,
    byPreset: readPresetPlaces(presets, path, context),
    style: parseCaptionStyle(style, pointer(path, 'style'), context.media, usual),
  };
}

/** Other interfaces count opacity from 0 to 1. Here it is a percentage, and less than 1 is invisible. */
function warnFaint(alpha: number | undefined, path: string, issues: IssueList): void {
  if (alpha === undefined || alpha <= 0 || alpha >= 1) return;
  const message = `background_alpha counts from 0 to 100: ${alpha} is not visible. Did you mean ${Math.round(alpha * 100)}?`;
  issues.warn(pointer(path, 'background_alpha'), 'field.maybe_percent', message);
}

/** A subtitle with its defaults, wherever it comes from. */
export function subtitleEntry(
  value: RawSubtitle,
  place: Pick<SubtitleEntry, 'path' | 'id' | 'byPreset' | 'style'>,
): SubtitleEntry {
  return {
    ...place,
    text: value.text,
    start: value.start,
    duration: value.duration,
    ...filled(SUBTITLE_BASICS, value),
    box: readBox(value),
    cue: null,
    raisedLines: 0,
    words: [],
    enterExit: readEnterExit(value),
  };
}

/** Finds each word in the text, in order; a word that is not found lights nothing, with a warning. (C43) */
function spokenWords({ text, words = [] }: RawSubtitle, path: string, issues: IssueList): SpokenWord[] {
  const found: SpokenWord[] = [];
  let from = 0;
  let earliest = 0;
  for (const [index, word] of words.entries()) {
    const place = pointer(path, 'words', index);
    if (word.start < earliest) {
      const message = `Words are spoken one after the other: this one at ${word.start} s comes after one at ${earliest} s.`;
      issues.error(pointer(place, 'start'), 'subtitle.words_order', message);
    }
    earliest = word.start;
    const spoken = word.text.trim();
    const at = spoken === '' ? -1 : text.indexOf(spoken, from);
    if (at < 0) {
      const message = `The text does not continue with ${shownText(word.text)}; the word is not highlighted.`;
      issues.warn(pointer(place, 'text'), 'subtitle.word_missing', message);
      continue;
    }
    from = at + spoken.length;
    found.push({ from: at, to: from, start: word.start });
  }
  return found;
}
