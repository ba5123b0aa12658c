import type * as z from 'zod';
import type { RawItem, RawSettings, RawSoundtrack, RawSubtitle, RawVideo, RequestSchemas } from './schema.ts';

type Texts<Fields> = { readonly [Name in keyof Fields]-?: string };
type ObjectIn<Field> = Extract<NonNullable<Field>, object>;
type EntryIn<List> = NonNullable<List> extends readonly (infer Entry)[] ? Entry : never;
type Motion = ObjectIn<RawVideo['motion']>;

/** The schemas that have fields. */
export type SchemaName = Exclude<keyof RequestSchemas, 'title'>;

const CLIP = {
  id: 'Id of the entry in messages. Default: its place in the lane.',
  file_field: 'The form field of the file.',
  start: 'Start on the timeline, in seconds; 0 if absent.',
  duration: 'Length on the timeline, in seconds. Default: the length of the trim at the clip’s speed.',
  trim_start: 'In-point, in source seconds; 0 if absent.',
  trim_end: 'Out-point, in source seconds; 0 or absent: the end.',
  volume: 'Gain from 0 to 4, or percent from 0 to 400 with `volume_unit: percent`; 1 (100 %) if absent.',
  volume_points:
    'Up to 500 points, in order of `at`. Each `volume` multiplies that of the entry; between two points the level changes linearly in decibels.',
  denoise: '`true` reduces steady noise such as that of a fan or a room by 12 dB; false if absent.',
  fade_in: 'Fade-in of picture and sound, in seconds; 0 if absent.',
  fade_out: 'Fade-out of picture and sound, in seconds; 0 if absent.',
} satisfies Partial<Texts<RawSoundtrack>>;

const SPEED = '0.1 to 10; 1 if absent. The pitch stays the same.';

const CROP_UNIT =
  'in the unit of `settings.crop_unit`; `auto`: fractions if all four are at most 1, percent if at most 100, else pixels.';

const CROP = {
  crop_x: `Left edge of the crop of the upright picture, ${CROP_UNIT}`,
  crop_y: `Top edge of the crop, ${CROP_UNIT}`,
  crop_w: `Width of the crop, ${CROP_UNIT}`,
  crop_h: `Height of the crop, ${CROP_UNIT}`,
} satisfies Partial<Texts<RawVideo>>;

/** The box of an entry; `usual` is its default. */
function box(usual: string) {
  return {
    x_percent: `Left edge of the box, in percent of the canvas. ${usual}`,
    y_percent: `Top edge of the box, in percent of the canvas. ${usual}`,
    width_percent: `Width of the box, in percent of the canvas. ${usual}`,
    height_percent: `Height of the box, in percent of the canvas. ${usual}`,
  } satisfies Partial<Texts<RawVideo>>;
}

/** When an entry with a length of its own is shown. */
const TIMED = {
  id: CLIP.id,
  start: 'Start on the timeline, in seconds.',
  duration: 'Length on the timeline, in seconds.',
};

const SHOWN = {
  presets: 'By preset name or alias: the place of the entry in that preset, or `hidden: true`.',
  enter: 'How it appears. Default: tier blocks fade, other entries cut.',
  exit: 'How it disappears.',
  enter_duration: 'Duration of `enter` and of `exit`, in seconds; 0.3 if absent.',
} satisfies Partial<Texts<RawVideo>>;

const CAPTION_STYLE = {
  base: 'The style to start from; `plain` if absent.',
  font: 'A family that ships; `GET /fonts` lists them.',
  font_field: 'The form field of a font (TTF, OTF or WOFF2); wins over `font`.',
  weight: 'From 100 to 900; the nearest weight that the font has.',
  uppercase: '`true`: capitals, by the rules of the language. Default: only `shout`.',
  outline_color: 'The colour of the outline. Default: black on light letters, white on dark ones.',
  outline_width: 'Width of the outline in ems, 0 to 0.5; 0.09 if absent, except in `plain`.',
  highlight: 'How the spoken word is highlighted: by its colour, on a pill, or larger.',
  highlight_color: 'The colour of the spoken word or of its pill. Default: by style.',
  max_words:
    'Number of words that are shown at a time; 4 in portrait and 8 in a square for `pop` and `shout`, 8 in portrait for `outline`, `box` and `pill`, else all.',
} satisfies Texts<ObjectIn<RawSettings['subtitle_style']>>;

const VIEW = {
  x: 'Centre of the view in percent of the width of the picture; 50 if absent.',
  y: 'Centre of the view in percent of the height of the picture; 50 if absent.',
  scale: '1 to 10 times the size that `fit` gives; 1 if absent.',
} satisfies Texts<ObjectIn<Motion['from']>>;

const STYLE = 'A style, or an object that changes one.';

const SIZE = 'Size of the text, in pixels on a canvas whose shorter side is 1080.';

const SUBTITLE = {
  style: STYLE,
  size: `${SIZE} Default: 48 for \`plain\`, else by style and preset.`,
  align: 'Alignment of the lines; `center` if absent. `centre` and `middle` mean the same.',
  text_color: 'The colour of the text; `#ffffff` if absent.',
  background_color: 'The colour behind the text. Default: none, or `#000000` if `background_alpha` is given.',
  background_alpha: 'Opacity of the background in percent, 0 to 100; 60 if absent.',
  ...box('Default: 10, 78, 80, 16 for x, y, width and height; in portrait 6, 62, 80, 16.'),
} satisfies Partial<Texts<RawSubtitle>>;

/**
 * The descriptions of fields, by schema; fields of a nested object are under that object's name. They are separate from
 * the schemas, because code that only checks requests, such as the studio's workers, does not need them.
 */
export const FIELD_DESCRIPTIONS: {
  readonly [Name in SchemaName]: Texts<z.infer<RequestSchemas[Name]>>;
} & {
  readonly background: Texts<ObjectIn<RawSettings['background']>>;
  readonly card: Texts<ObjectIn<RawSettings['card']>>;
  readonly board: Texts<ObjectIn<RawSettings['board']>>;
  readonly theme: Texts<ObjectIn<RawSettings['theme']>>;
  readonly style: Texts<ObjectIn<RawSettings['subtitle_style']>>;
  readonly subtitle_style: Texts<ObjectIn<RawSettings['subtitle_style']>>;
  readonly presets: Texts<ObjectIn<RawSubtitle['presets']>[string] & ObjectIn<RawVideo['presets']>[string]>;
  readonly motion: Texts<Motion>;
  readonly from: Texts<ObjectIn<Motion['from']>>;
  readonly to: Texts<ObjectIn<Motion['to']>>;
  readonly volume_points: Texts<EntryIn<RawSoundtrack['volume_points']>>;
  readonly words: Texts<EntryIn<RawSubtitle['words']>>;
  readonly image_focus: Texts<ObjectIn<RawItem['image_focus']>>;
  readonly transition: Texts<ObjectIn<RawVideo['transition']>>;
} = {
  auto: {
    order:
      '`worst_first`, if absent: from the lowest row up. `listed`: as `tier_list.items` has them. In a row, items come from left to right.',
    seconds_per_item: 'Seconds from one reveal to the next; 3.5 if absent.',
    intro: 'Opens with a card that shows the title of the tier list; true if absent.',
    outro: 'Shows the finished board for 3 s; true if absent.',
    seed: 'Each seed gives another order of `shuffled`; 0 if absent.',
  },
  video: {
    ...CLIP,
    ...CROP,
    ...box('Default: the whole canvas.'),
    speed: SPEED,
    ...SHOWN,
    fit: 'How the picture fills its box; `settings.fit` if absent.',
    layer: 'Below or above the board. Default: above, if the box covers at most half of the canvas.',
    shape: 'Shape of a picture-in-picture. Default: `rounded` beside a board, else `rect`.',
    transition: 'The transition from the clip that ends where this one starts. Both must fill the canvas.',
    motion: 'Pan and zoom over the slot. `ken_burns` chooses a motion by the id, or by the file if there is no id.',
    border_color: 'The border of a picture-in-picture. Default: none, or `#ffffff` if `border_width` is given.',
    shadow: '`true` draws a shadow under a picture-in-picture; false if absent.',
    border_width: 'Pixels on a canvas whose shorter side is 1080; 6 if a colour is given.',
  },
  audio: {
    ...CLIP,
    crop_x: 'Ignored.',
    crop_y: 'Ignored.',
    crop_w: 'Ignored.',
    crop_h: 'Ignored.',
    speed: SPEED,
  },
  soundtrack: {
    ...CLIP,
    loop: '`true` repeats the trim until the slot is full; false if absent.',
    role: '`music` is lowered while there is voice; `voice` counts as voice.',
  },
  block: {
    ...TIMED,
    ...box('Default: 5, 5, 90, 90 for x, y, width and height; in portrait 6, 8, 82, 72.'),
    ...SHOWN,
  },
  tile: {
    id: CLIP.id,
    tier_item_id: 'The id of the item.',
    position: 'The second of the timeline at which the item appears or starts to move.',
    reveal: '`settings.reveal` if absent. On a move: how the card leaves its place; by default it lifts and flies.',
    hold: 'Seconds for which a spotlight holds the card up before the verdict; `settings.reveal_hold` if absent.',
    stamp_at: 'The second of the timeline at which the stamp of a spotlight appears; wins over `hold`.',
    effect: 'Effect of the landing. Default: `settings.effects` of its row.',
    to_row: 'Moves the item from its current place to the row with this id.',
    index: 'Place in that row, from 0; the end of the row if absent. Only with `to_row`.',
    sound_field:
      '`none`, `pop`, `whoosh`, `impact`, `riser`, `drum_roll`, `ding`, `sad`, or the form field of a sound; `settings.reveal_sound` if absent.',
    sound_volume: 'As `volume` of a clip.',
  },
  titleEntry: {
    ...TIMED,
    text: 'The text.',
    ...box('Default: by `kind`, `align` and preset.'),
    subtext: 'A smaller text under `text`.',
    kind: '`label`, if absent: a text on a plate. `lower_third`: at the side, with a bar. `card`: fills the canvas.',
    align: 'Default: `center` on a card, else `left`.',
    font: 'A family that ships; `GET /fonts` lists them. The font of the theme if absent.',
    font_field: 'The form field of a font (TTF, OTF or WOFF2); wins over `font`.',
    size: 'Size of the text, in pixels on a canvas whose shorter side is 1080. Default: 44 for a label, 60 for a lower third, 130 for a card.',
    text_color: 'The text colour of the theme if absent.',
    background_color: 'The panel colour of the theme if absent.',
    background_alpha: 'Percent, 0 to 100. Default: 100 for a card, else 88.',
    ...SHOWN,
    enter: 'How it appears. Default: cards fade, labels rise and lower thirds slide.',
  },
  subtitle: {
    ...TIMED,
    text: 'The text. Line breaks are kept.',
    ...SUBTITLE,
    words:
      'The words in the order of the text, each with the second of the timeline at which it is spoken. `end` and `confidence`, as `POST /video/captions` returns them, do not change the video.',
    ...SHOWN,
  },
  subtitleFile: {
    id: CLIP.id,
    file_field: 'The form field of an SRT or WebVTT file, in UTF-8 or UTF-16.',
    ...SUBTITLE,
    offset: 'Seconds by which all cues move later; negative: earlier. 0 if absent.',
    ...SHOWN,
  },
  row: {
    id: 'The id of the row.',
    label: 'The label; the id if absent.',
    color: 'The colour of the label. Default: the usual colour of the tier.',
    item_ids: 'The ids of its items, from left to right.',
  },
  item: {
    id: 'The id of the item.',
    name: 'The name; the id if absent.',
    file_field: 'The form field of the picture: JPEG, JPEG XL, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP, ICO or SVG.',
    fit: 'How the picture fills its card; `settings.card.fit` if absent.',
    image_focus:
      'The point of the picture that stays visible: `x` and `y` in percent of the picture, 50 each if absent.',
    image_zoom: 'Makes the picture 1 to 10 times larger than its fit, around `image_focus`; 1 if absent.',
    score: 'A text under the name in a spotlight, such as "9/10".',
    note: 'A text under name and score in a spotlight.',
  },
  settings: {
    preset: 'The selected preset: a name or an alias. Default: the first preset.',
    fps: 'Frames a second; 30 if absent. 23.976, 29.97 and 59.94 mean the exact fractions.',
    quality:
      'The balance of render time and picture; `balanced` if absent. `upload`: for sites that encode the video again.',
    width: 'Width of the selected preset, in pixels. Default: that of the preset.',
    height: 'Height of the selected preset, in pixels. Default: that of the preset.',
    encoder_preset: 'The preset of x264. Default: by `quality`.',
    audio_bitrate:
      'Bit rate of the sound in kbit/s, 32 to 512, or a text such as "192k". Default: 192; 384 with `upload`.',
    file_name: 'The name of the file. Default: the title of the tier list, else `export`.',
    fit: 'How clips fill the canvas or their box; `contain` if absent.',
    background: 'The background: a colour, a gradient, a picture, or a blurred copy of a clip; `#000000` if absent.',
    card: 'The look of cards.',
    board: 'The layout of rows.',
    pool: '`auto`, if absent: the pool is shown while it has items. `never`: items in no row are not drawn.',
    hidden_until_revealed: '`false`: an item that has a reveal is in the pool until then. true if absent.',
    effects: 'The effect of every landing in a row, by the id of the row.',
    theme: 'The theme of the board; `midnight` if absent.',
    subtitle_style: 'The style of subtitles without their own; `plain` if absent.',
    reveal: 'How items appear; `pop` if absent.',
    reveal_hold: 'Seconds for which a spotlight holds a card up before the verdict; 0.9 if absent.',
    reveal_sound:
      '`none`, `pop`, `whoosh`, `impact`, `riser`, `drum_roll`, `ding`, `sad`, or the form field of a sound.',
    counter: '`true` shows "7/24" on the board: the items that have landed, of those in rows at the end.',
    progress_bar: '`true` shows a thin line that fills while the video plays.',
    chapters: '`false` leaves the chapter track out of the file; `/chapters` still returns them.',
    shorts: '`true` adds a short portrait video of every reveal, rendered at the first request.',
    loudness: 'Target loudness in LUFS, −30 to −10; no change if absent.',
    duck_db: 'Decibels by which soundtracks with `role: music` are lowered while there is voice; 12 if absent.',
    music_fade: 'Fade-out of music that the end of the video cuts off, in seconds; 1.5 if absent.',
    crop_unit: 'The unit of `crop_x`, `crop_y`, `crop_w` and `crop_h`; `auto` if absent: by their size.',
    volume_unit: 'The unit of `volume`: a gain (0 to 4) or percent (0 to 400); `gain` if absent.',
    trim_end_as: '`out_point`, if absent: `trim_end` is the out-point. `cut`: it is seconds cut off the end.',
  },
  background: {
    kind: '`gradient` of `colors`, `image` from `file_field`, `blur`: a blurred copy of the clip `of`.',
    colors: 'The colours of a gradient, 2 to 4.',
    angle: 'Where a gradient goes, in degrees: 0 up, 90 to the right, 180 down; 180 if absent.',
    moving: '`true` shifts the gradient slowly from the first colour to the last and back.',
    file_field: 'The form field of the image.',
    blur: 'Blur of the image, 0 to 100; 0 if absent.',
    of: 'The id of a clip; while it is not on screen, its nearest frame is shown.',
    follow: 'The copy also shows the other clips in the box of that clip, such as its parts after a cut.',
  },
  card: {
    shape: '`auto`, if absent: the shape nearest to most pictures.',
    fit: 'Default: a picture covers its card unless that would hide more than a tenth of it.',
    names: 'Names under the pictures. `auto`, if absent: if there is room.',
  },
  board: {
    layout: '`ladder`, if absent: rows in one column. `auto`: rows side by side if cards become at least 15 % larger.',
  },
  theme: {
    base: 'The theme to start from; `midnight` if absent.',
    panel_color: 'The colour of the panel behind the board. Default: that of the theme.',
    panel_opacity: 'Opacity of the panel in percent, 0 to 100. Default: that of the theme, 72 with `glass`.',
    lane_color: 'The colour behind the cards of a row. Default: that of the theme.',
    line_color: 'The colour of the edges of panel, pool and cards.',
    text_color: 'The colour of the title and of the names under pictures.',
    card_color: 'The colour behind names and transparent pictures.',
    corner: 'Roundness of corners, 0 (square) to 100; 50 is `midnight`.',
    glass: '`true` blurs the layers behind the panel.',
    font: 'A family that ships, for the board and all texts; `GET /fonts` lists them.',
    font_field: 'The form field of a font (TTF, OTF or WOFF2) for the board and all texts; wins over `font`.',
  },
  style: CAPTION_STYLE,
  subtitle_style: CAPTION_STYLE,
  presets: {
    ...box('Default: that of the entry.'),
    size: SIZE,
    fit: 'How the picture fills its box. Default: that of the entry.',
    layer: 'Below or above the board. Default: by the box in this preset.',
    motion: 'Pan and zoom in this preset. Default: that of the entry.',
    hidden: '`true` leaves the entry out of this preset; the sound of a video still plays.',
  },
  motion: {
    from: 'The view at the start.',
    to: 'The view at the end.',
    ease: '`ease_in_out` if absent.',
    before: 'Seconds by which the motion begins before the slot; 0 if absent. For the later part of a split clip.',
    after: 'Seconds by which the motion ends after the slot; 0 if absent.',
  },
  from: VIEW,
  to: VIEW,
  volume_points: {
    at: 'Seconds from the start of the entry.',
    volume: 'The level from 0 to 4, or percent from 0 to 400 with `volume_unit: percent`.',
  },
  words: {
    text: 'The word, as it is in the text.',
    start: 'The second of the timeline at which the word is spoken.',
    end: 'Accepted, but has no effect.',
    confidence: 'Accepted, but has no effect.',
  },
  image_focus: {
    x: 'In percent of the width of the picture, from the left; 50 if absent.',
    y: 'In percent of the height of the picture, from the top; 50 if absent.',
  },
  transition: {
    kind: '`dip` goes through the background colour. `wipe` runs from left to right. `push` comes from the right.',
    duration: 'Seconds, centred on the cut; 0.5 if absent.',
  },
};
