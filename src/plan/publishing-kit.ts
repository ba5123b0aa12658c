import { secondsOf } from '../time.ts';
import type { ExportRequest } from '../timeline/export-request.ts';
import type { RenderPlan } from './model/render-plan.ts';

/** What a person pastes where the video is published. (R40) */
export interface PublishingKit {
  readonly title: string;
  /** With the chapters, if there are enough of them. */
  readonly description: string;
  /** Whole seconds. */
  readonly chapters: readonly { readonly start: number; readonly title: string }[];
  readonly tags: readonly string[];
  /** Whether anything is written over the video. */
  readonly hasCaptions: boolean;
}

/** What the kit says about the documents of a video. */
export type Published = Pick<PublishingKit, 'tags' | 'hasCaptions'> & { readonly summary: string };

/** The limits of YouTube, in characters. */
const LONGEST = { title: 100, description: 5000, chapter: 100, tag: 60, tags: 500 };
const CHAPTER = { seconds: 10, least: 3 };
const UNTITLED = 'Tier list';

/** The part that needs the documents, not the plan. */
export function publishedOf({ tierList: { rows, items }, timeline }: ExportRequest): Published {
  const count = items.length === 1 ? '1 item' : `${items.length} items`;
  const [first, last] = [rows[0], rows.at(-1)];
  const range = rows.length < 2 ? '' : ` from ${plain(first!.label)} to ${plain(last!.label)}`;
  return {
    summary: items.length === 0 ? '' : `${count}${range}.`,
    tags: tagsOf(items.map(({ name }) => name)),
    hasCaptions: timeline.subtitles.length > 0,
  };
}

/** The whole kit. */
export function publishingKit(
  plan: Pick<RenderPlan, 'title' | 'chapters' | 'rate' | 'totalFrames'>,
  { summary, tags, hasCaptions }: Published,
): PublishingKit {
  const chapters = chaptersOf(plan);
  const lines = chapters.length < CHAPTER.least ? [] : chapters.map(({ start, title }) => `${clock(start)} ${title}`);
  let description = summary;
  for (const [at, line] of lines.entries()) {
    const more = `${description}${at > 0 ? '\n' : description === '' ? '' : '\n\n'}${line}`;
    if (more.length > LONGEST.description) break;
    description = more;
  }
  const title = cut(plain(plan.title), LONGEST.title) || UNTITLED;
  return { title, description, chapters, tags, hasCaptions };
}

/** The first at 0, each at least ten seconds long: one that is shorter joins the one before it. */
function chaptersOf({
  chapters,
  rate,
  totalFrames,
}: Pick<RenderPlan, 'chapters' | 'rate' | 'totalFrames'>): { start: number; title: string }[] {
  const total = Math.floor(secondsOf(totalFrames, rate));
  const kept: { start: number; names: string[] }[] = [];
  for (const chapter of chapters) {
    const start = Math.floor(secondsOf(chapter.start, rate));
    const last = kept.at(-1);
    if (last === undefined) kept.push({ start: 0, names: [chapter.title] });
    else if (start - last.start >= CHAPTER.seconds && total - start >= CHAPTER.seconds) {
      kept.push({ start, names: [chapter.title] });
    } else last.names.push(chapter.title);
  }
  return kept.map(({ start, names }) => ({ start, title: cut(plain(names.join(', ')), LONGEST.chapter) }));
}

/** The names of items, each once, as many as fit. A tag with a space counts with its quotes. */
function tagsOf(names: readonly string[]): string[] {
  const tags: string[] = [];
  const known = new Set<string>();
  let left = LONGEST.tags;
  for (const name of [UNTITLED.toLowerCase(), ...names]) {
    const tag = plain(name.replaceAll(',', ' '));
    const cost = tag.length + 1 + (tag.includes(' ') ? 2 : 0);
    if (tag === '' || tag.length > LONGEST.tag || known.has(tag.toLowerCase()) || cost > left) continue;
    known.add(tag.toLowerCase());
    tags.push(tag);
    left -= cost;
  }
  return tags;
}

/** In one line, without the angle brackets that YouTube refuses. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // No half of a pair of surrogates is left at the end.
  return `${text
    .slice(0, length - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}

/** `1:02:03`, or `2:03`. */
function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
