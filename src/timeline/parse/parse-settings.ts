import { frameRate } from '../../time.ts';
import { type ChosenSound, type EffectName, type EncoderPreset, MADE_SOUNDS, type Quality } from '../choices.ts';
import type { IssueList } from '../issue-list.ts';
import { pointer } from '../json/json-pointer.ts';
import type { TimelineLimits } from '../limits.ts';
import { findPreset, type Presets, unknownPreset } from '../presets.ts';
import type { MediaRef } from '../request/media-ref.ts';
import type { Settings } from '../request/settings.ts';
import type { RawSettings, RequestSchemas } from '../schema.ts';
import { checkObject } from './check-schema.ts';
import type { MediaNames } from './media-names.ts';
import { findRow, type ParsedTierList } from './parse-tier-list.ts';
import { cleanFileName } from './settings/file-name.ts';
import { parseBackground } from './settings/parse-background.ts';
import { parseCaptionStyle, parseTheme } from './settings/parse-theme.ts';

/** The encoder preset for each quality, unless one is named. */
const ENCODER_PRESET_OF: Readonly<Record<Quality, EncoderPreset>> = {
  draft: 'ultrafast',
  balanced: 'veryfast',
  high: 'medium',
  upload: 'medium',
};

/** Kilobits a second of sound, unless a bitrate is sent. High, because platforms encode the sound again. */
const AUDIO_BITRATE_OF: Readonly<Record<Quality, number>> = { draft: 192, balanced: 192, high: 192, upload: 384 };

/** The default hold of a spotlight. (C55) */
const REVEAL_HOLD_SECONDS = 0.9;

/** How far music goes down under voice, and how long it fades at the end of the video. (C57) */
const DUCK_DB = 12;
const MUSIC_FADE_SECONDS = 1.5;

/**
 * Resolves the settings; reports invalid values and replaces them by their defaults, so that checking can go on. (C5)
 */
export function parseSettings(
  value: unknown,
  path: string,
  context: {
    readonly schemas: RequestSchemas;
    readonly presets: Presets;
    readonly limits: TimelineLimits;
    readonly tiers: ParsedTierList;
    readonly media: MediaNames;
    readonly issues: IssueList;
  },
): Settings {
  const { schemas, issues } = context;
  const raw = (value === undefined ? {} : checkObject(schemas.settings, value, path, issues)) ?? {};
  const fps = raw.fps ?? 30;
  const quality = raw.quality ?? 'balanced';
  const selected = resolvePreset(raw, path, context);
  return {
    ...selected,
    fps,
    rate: frameRate(fps),
    quality,
    encoderPreset: raw.encoder_preset ?? ENCODER_PRESET_OF[quality],
    audioBitrateKbps: kilobits(raw.audio_bitrate ?? AUDIO_BITRATE_OF[quality]),
    fileName: cleanFileName(raw.file_name?.trim() || context.tiers.tierList.title || 'export'),
    fit: raw.fit ?? 'contain',
    background: parseBackground(raw.background, pointer(path, 'background'), context),
    reveal: raw.reveal ?? 'pop',
    revealHold: raw.reveal_hold ?? REVEAL_HOLD_SECONDS,
    card: {
      shape: raw.card?.shape ?? 'auto',
      fit: raw.card?.fit ?? null,
      names: raw.card?.names ?? 'auto',
    },
    boardLayout: raw.board?.layout ?? 'ladder',
    pool: raw.pool ?? 'auto',
    hiddenUntilRevealed: raw.hidden_until_revealed ?? true,
    effects: readEffects(raw.effects ?? {}, pointer(path, 'effects'), context.tiers, issues),
    theme: parseTheme(raw.theme, pointer(path, 'theme'), context.media),
    subtitleStyle: parseCaptionStyle(raw.subtitle_style, pointer(path, 'subtitle_style'), context.media),
    revealSound: readSound(raw.reveal_sound, pointer(path, 'reveal_sound'), context.media),
    counter: raw.counter ?? false,
    progressBar: raw.progress_bar ?? false,
    chapterTrack: raw.chapters ?? true,
    shorts: raw.shorts === true ? portraitPreset(selected, pointer(path, 'shorts'), context) : null,
    loudness: raw.loudness ?? null,
    duckDb: raw.duck_db ?? DUCK_DB,
    musicFade: raw.music_fade ?? MUSIC_FADE_SECONDS,
    cropUnit: raw.crop_unit ?? 'auto',
    volumeUnit: raw.volume_unit ?? 'gain',
    trimEndAs: raw.trim_end_as ?? 'out_point',
  };
}

/** The effect of a landing in each row; reports ids that are not rows. (C55) */
function readEffects(
  sent: Readonly<Record<string, EffectName>>,
  path: string,
  tiers: ParsedTierList,
  issues: IssueList,
): EffectName[] {
  const effects = tiers.tierList.rows.map((): EffectName => 'none');
  for (const [id, effect] of Object.entries(sent)) {
    const row = findRow(id, pointer(path, id), tiers, issues);
    if (row >= 0) effects[row] = effect;
  }
  return effects;
}

/** A sound by its form field, else by its name, where it is one of ours. (C45) */
export function readSound(name: string | undefined, path: string, media: MediaNames): ChosenSound | MediaRef | null {
  if (name === undefined || name === 'none') return null;
  const made = media.has(name) ? undefined : MADE_SOUNDS.find((each) => each === name);
  return made ?? media.referAt(name, path, ` Made sounds: ${MADE_SOUNDS.join(', ')}.`);
}

function kilobits(bitrate: number | string): number {
  return Math.round(typeof bitrate === 'number' ? bitrate : Number.parseInt(bitrate, 10));
}

function resolvePreset(
  raw: RawSettings,
  path: string,
  { presets, limits, issues }: { presets: Presets; limits: TimelineLimits; issues: IssueList },
): Pick<Settings, 'preset' | 'width' | 'height'> {
  const preset = raw.preset === undefined ? presets[0] : findPreset(presets, raw.preset);
  if (preset === undefined) {
    issues.error(pointer(path, 'preset'), 'field.choice', unknownPreset('preset', raw.preset ?? '', presets));
  }
  const { name, width: presetWidth, height: presetHeight } = preset ?? presets[0];
  const width = even(raw.width ?? presetWidth, pointer(path, 'width'), issues);
  const height = even(raw.height ?? presetHeight, pointer(path, 'height'), issues);
  if (width * height > limits.maxOutputPixels) {
    const message = `width × height must be at most ${limits.maxOutputPixels} pixels, not ${width} × ${height}.`;
    issues.error(
      raw.width === undefined ? pointer(path, 'height') : pointer(path, 'width'),
      'settings.too_many_pixels',
      message,
    );
  }
  return { preset: name, width, height };
}

/** The first preset that is taller than wide, as it is going to be rendered. (C52) */
function portraitPreset(
  selected: Pick<Settings, 'preset' | 'width' | 'height'>,
  path: string,
  { presets, issues }: { presets: Presets; issues: IssueList },
): string | null {
  const sized = presets.map((preset) => (preset.name === selected.preset ? { ...preset, ...selected } : preset));
  const portrait = sized.find(({ width, height }) => height > width);
  if (portrait === undefined) {
    issues.warn(path, 'shorts.no_portrait', 'No preset is taller than wide: there is nothing to cut shorts from.');
  }
  return portrait?.name ?? null;
}

/** H.264 in 4:2:0 has no odd sizes. (C13) */
function even(side: number, path: string, issues: IssueList): number {
  const rounded = Math.floor(side / 2) * 2;
  if (rounded !== side) issues.warn(path, 'settings.size_rounded', `${side} is rounded down to the even ${rounded}.`);
  return rounded;
}
