import { requestSchemas } from '../document-schemas.ts';
import type { ExportRequest, SourceEntry, Timeline } from '../export-request.ts';
import { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownValue } from '../json/shown-value.ts';
import { LANE_NAMES, LANES, type LaneName, SPAN_LANES } from '../lanes.ts';
import type { TimelineLimits } from '../limits.ts';
import type { Presets } from '../presets.ts';
import { type RequestDocuments, reportUnread, type UnreadDocuments } from '../request-documents.ts';
import { warnUnknown } from './check-schema.ts';
import { type FoundDocument, findDocuments } from './legacy-documents.ts';
import { MediaNames, type SentFiles } from './media-names.ts';
import { layoutOfAuto, withAuto } from './parse-auto.ts';
import { parseAudios, parseSoundtracks, parseVideos } from './parse-clips.ts';
import type { KnownEntries, ParseContext } from './parse-context.ts';
import type { SentLane } from './parse-lane.ts';
import { parseBlocks, parseSubtitles, parseTitles } from './parse-painted.ts';
import { parseSettings, requireClip, THEME_GROUND } from './parse-settings.ts';
import { parseSubtitleFiles } from './parse-subtitle-files.ts';
import { type ParsedTierList, parseTierList } from './parse-tier-list.ts';
import { parseTiles } from './parse-tiles.ts';

/** The fields of timeline_data; `tier_block` is another name of `tier_blocks` (C20), `auto` adds entries (C64). */
const FIELDS: ReadonlySet<string> = new Set([...LANE_NAMES, 'tier_block', 'auto']);

/** In the legacy format the other two documents may be beside the lanes. (C25) */
const LEGACY_FIELDS: ReadonlySet<string> = new Set([...FIELDS, 'tier_list', 'settings']);

/** Settings that could not be read may contain anything: with these, no number is invalid because of its unit. */
const ANY_SETTINGS = { volume_unit: 'percent', crop_unit: 'pixel', trim_end_as: 'cut' };

/** What the meaning of a request depends on besides its documents. */
export interface ParseOptions extends SentFiles {
  readonly limits: TimelineLimits;
  readonly presets: Presets;
  /** The texts of subtitle files that were read before, by form field. They need no second upload. (C43) */
  readonly subtitleTexts?: ReadonlyMap<string, string>;
  /** Speeds up repeated calls with documents that hardly change. */
  readonly known?: KnownEntries;
  /** Documents that could not be read: they are errors already, and the others are checked without them. */
  readonly unread?: UnreadDocuments;
}

/**
 * Parses a request, without its media.
 *
 * @throws ExportError with all errors, each at its JSON Pointer. (C5)
 */
export function parseRequest(documents: RequestDocuments, options: ParseOptions): ExportRequest {
  const { limits, presets, subtitleTexts = new Map(), unread = new Map(), known = null } = options;
  const uploads = options.uploads === null ? null : new Set([...options.uploads, ...subtitleTexts.keys()]);
  const issues = new IssueList();
  const schemas = requestSchemas(limits);
  reportUnread(unread, issues);
  // In the legacy format one document holds the others, and another names all media: without them there is nothing to
  // check.
  if (unread.has('timeline_json') || unread.has('media_manifest')) issues.throwIfFailed();
  const found = findDocuments(withStandIns(documents, unread), issues, !unread.has('tier_list'));
  const media = new MediaNames({ ...options, uploads }, found.manifest, issues);

  const tiers = parseTierList(found.tierList.value, found.tierList.path, { schemas, limits, media, known, issues });
  const { value: sentSettings, path: settingsPath } = found.settings;
  const ownSettings = parseSettings(sentSettings, settingsPath, { schemas, presets, limits, tiers, media, issues });
  const { path } = found.timeline;
  const sent = timelineDocument(found.timeline, issues);
  const rawSettings = isObject(sentSettings) ? sentSettings : {};
  const hasGround = sent.auto !== undefined && rawSettings.background === undefined;
  const settings = hasGround ? { ...ownSettings, background: THEME_GROUND } : ownSettings;
  const context: ParseContext = { schemas, limits, presets, settings, media, subtitleTexts, unread, known, issues };
  const document = withAuto(sent, path, { tiers, settings: rawSettings }, context);
  const timeline = parseTimeline(document, path, tiers, context);
  const layout = ownSettings.layout ?? (document === sent ? null : layoutOfAuto(sent, timeline));

  if (!issues.failed) requireClip(settings.background, pointer(settingsPath, 'background'), timeline, issues);
  if (unread.size === 0) media.warnUnmentioned();
  issues.throwIfFailed();
  const completed = document === sent ? null : document;
  const { tierList, isThere: hasTierList } = tiers;
  return { tierList, hasTierList, timeline, completed, settings: { ...settings, layout }, warnings: issues.warnings };
}

function withStandIns(sent: RequestDocuments, unread: UnreadDocuments): RequestDocuments {
  return {
    ...sent,
    ...(unread.has('timeline_data') && { timeline_data: {} }),
    ...(unread.has('settings') && { settings: ANY_SETTINGS }),
  };
}

function timelineDocument({ value, path }: FoundDocument, issues: IssueList): Readonly<Record<string, unknown>> {
  if (!isObject(value)) {
    const message = `${path.slice(1)} must be an object with the lanes of the timeline, not ${shownValue(value)}.`;
    issues.error(path, 'field.type', message);
    return {};
  }
  warnUnknown(value, path === '/timeline_json' ? LEGACY_FIELDS : FIELDS, path, issues);
  return value;
}

function parseTimeline(
  document: Readonly<Record<string, unknown>>,
  path: string,
  tiers: ParsedTierList,
  context: ParseContext,
): Timeline {
  const { issues, unread } = context;
  const lane = (name: LaneName | 'tier_block'): SentLane => ({ value: document[name], path: pointer(path, name) });
  const blockEntries = blockLane(lane('tier_blocks'), lane('tier_block'), issues);
  const entries = {
    videos: parseVideos(lane('videos'), context),
    audios: parseAudios(lane('audios'), context),
    soundtracks: parseSoundtracks(lane('soundtracks'), context),
    tier_blocks: parseBlocks(blockEntries, context),
    tier_tiles: parseTiles(lane('tier_tiles'), tiers, context),
    titles: parseTitles(lane('titles'), context),
    subtitles: parseSubtitles(lane('subtitles'), context),
  };
  const parsed = {
    ...entries,
    subtitle_files: parseSubtitleFiles(lane('subtitle_files'), entries.subtitles.length, context),
  } satisfies Readonly<Record<LaneName, unknown>>;
  const { videos, audios, soundtracks, tier_blocks: blocks, tier_tiles: tiles, subtitle_files: fromFiles } = parsed;
  const timeline: Timeline = {
    ...{ videos, audios, soundtracks, blocks, tiles, titles: parsed.titles },
    subtitles: [...parsed.subtitles, ...fromFiles.subtitles],
    subtitleFiles: fromFiles.files,
  };
  const lasting = SPAN_LANES.flatMap((name): readonly LastingEntry[] => parsed[name]);
  if (lasting.length + fromFiles.subtitles.length === 0 && fromFiles.areRead && !issues.failed) {
    const message = `There is nothing on the timeline: it needs ${oneOfLanes()}.`;
    issues.error(path, 'timeline.empty', message);
  }
  for (const entry of lasting) reportTooLong(entry, context);
  if (tiers.isThere && timeline.tiles.length > 0 && isEmptyLane(blockEntries)) {
    const message = 'There is no tier block: the reveals make chapters, and no board is shown.';
    issues.warn(pointer(path, 'tier_tiles'), 'board.not_shown', message);
  }
  if (tiers.isThere || unread.has('tier_list')) return timeline;
  for (const { value: sent, path: place } of [blockEntries, lane('tier_tiles')]) {
    if (isEmptyLane({ value: sent })) continue;
    issues.warn(place, 'board.not_shown', 'There is no tier list: no board is shown, and there is nothing to reveal.');
  }
  return timeline;
}

/** The lanes that give a video its length: "a video, an audio … or a subtitle". */
function oneOfLanes(): string {
  const words = SPAN_LANES.map((name) => LANES[name].word);
  return words
    .map((word) => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
}

function isEmptyLane({ value }: Pick<SentLane, 'value'>): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/**
 * `tier_block` is another name of `tier_blocks`, and may be one object; if both have content, `tier_blocks` wins. (C20)
 */
function blockLane(blocks: SentLane, alias: SentLane, issues: IssueList): SentLane {
  if (isEmptyLane(alias)) return blocks.value === undefined ? alias : blocks;
  if (isEmptyLane(blocks)) return { ...alias, single: isObject(alias.value) };
  issues.warn(alias.path, 'alias.ignored', 'tier_block is ignored, because tier_blocks is sent too.');
  return blocks;
}

type LastingEntry = Pick<SourceEntry, 'path' | 'start' | 'duration'>;

/** The planner checks entries without a duration, since it knows how long their source is. */
function reportTooLong(entry: LastingEntry, { limits, issues }: ParseContext): void {
  const { path, start, duration } = entry;
  if (duration === null || start + duration <= limits.maxTimelineSeconds) return;
  const message = `The entry ends at ${start + duration} s; a timeline lasts at most ${limits.maxTimelineSeconds} s.`;
  issues.error(pointer(path, 'duration'), 'timeline.too_long', message);
}
