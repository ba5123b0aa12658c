/** Fields that a newer service knows and this client does not are sent as they are. */
interface Open {
  readonly [more: string]: unknown;
}

/** Where something stands, in percent of the canvas. */
interface Box {
  readonly x_percent?: number;
  readonly y_percent?: number;
  readonly width_percent?: number;
  readonly height_percent?: number;
}

/** What is different in single shapes, by preset name or alias. */
interface InShapes<More> {
  readonly presets?: Readonly<Record<string, Box & More & { readonly hidden?: boolean }>>;
}

export interface TierRow extends Open {
  readonly id: string;
  readonly label?: string;
  readonly color?: string;
  readonly item_ids?: readonly string[];
}

export interface TierItem extends Open {
  readonly id: string;
  readonly name?: string;
  readonly file_field?: string;
  readonly fit?: 'contain' | 'cover';
}

export interface TierList extends Open {
  readonly title?: string;
  readonly rows: readonly TierRow[];
  readonly items: readonly TierItem[];
}

/** What all that is played has in common; times are seconds. */
export interface SourceEntry extends Open {
  readonly id?: string;
  readonly file_field: string;
  readonly start?: number;
  readonly duration?: number;
  readonly trim_start?: number;
  readonly trim_end?: number;
  readonly volume?: number;
  readonly fade_in?: number;
  readonly fade_out?: number;
}

export interface VideoEntry extends SourceEntry, Box, InShapes<{ readonly fit?: 'contain' | 'cover' | 'blur' }> {
  readonly speed?: number;
  readonly crop_x?: number;
  readonly crop_y?: number;
  readonly crop_w?: number;
  readonly crop_h?: number;
  readonly fit?: 'contain' | 'cover' | 'blur';
}

export interface AudioEntry extends SourceEntry {
  readonly speed?: number;
}

export interface SoundtrackEntry extends SourceEntry {
  readonly loop?: boolean;
}

export interface TierBlock extends Open, Box, InShapes<unknown> {
  readonly id?: string;
  readonly start: number;
  readonly duration: number;
}

export interface TierTile extends Open {
  readonly id?: string;
  readonly tier_item_id: string;
  readonly position: number;
}

export interface SubtitleEntry extends Open, Box, InShapes<{ readonly size?: number }> {
  readonly id?: string;
  readonly text: string;
  readonly start: number;
  readonly duration: number;
  readonly size?: number;
  readonly align?: 'left' | 'center' | 'centre' | 'middle' | 'right';
  readonly text_color?: string;
  readonly background_color?: string;
  readonly background_alpha?: number;
}

export interface TimelineData extends Open {
  readonly videos?: readonly VideoEntry[];
  readonly audios?: readonly AudioEntry[];
  readonly soundtracks?: readonly SoundtrackEntry[];
  readonly tier_blocks?: readonly TierBlock[];
  readonly tier_tiles?: readonly TierTile[];
  readonly subtitles?: readonly SubtitleEntry[];
}

export interface CardSettings extends Open {
  readonly shape?: 'auto' | 'square' | 'portrait' | 'landscape';
  readonly fit?: 'contain' | 'cover';
  readonly names?: 'auto' | 'always' | 'never';
}

export type ThemeName = 'midnight' | 'paper' | 'neon' | 'broadcast';

export interface ThemeSettings extends Open {
  readonly base?: ThemeName;
  readonly panel_color?: string;
  readonly lane_color?: string;
  readonly line_color?: string;
  readonly text_color?: string;
  readonly card_color?: string;
  readonly panel_opacity?: number;
  readonly corner?: number;
  readonly glass?: boolean;
  readonly font_field?: string;
}

export interface ExportSettings extends Open {
  readonly preset?: string;
  readonly fps?: number;
  readonly quality?: 'draft' | 'balanced' | 'high';
  readonly width?: number;
  readonly height?: number;
  readonly encoder_preset?: string;
  readonly audio_bitrate?: number | string;
  readonly file_name?: string;
  readonly fit?: 'contain' | 'cover' | 'blur';
  readonly background?: string;
  readonly reveal?: string;
  readonly card?: CardSettings;
  readonly theme?: ThemeName | ThemeSettings;
  readonly loudness?: number;
  readonly crop_unit?: 'auto' | 'fraction' | 'percent' | 'pixel';
  readonly volume_unit?: 'gain' | 'percent';
  readonly trim_end_as?: 'out_point' | 'cut';
}

/** What a video is made of; docs/timeline.md of the service explains every field. */
export interface Documents {
  readonly tier_list: TierList;
  readonly timeline_data: TimelineData;
  readonly settings?: ExportSettings;
}
