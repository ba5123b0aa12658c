import type * as z from 'zod';
import type { RawSettings, RawSoundtrack, RawSubtitle, RawVideo, RequestSchemas } from './schema.ts';

type Texts<Fields> = { readonly [Name in keyof Fields]?: string };
type ObjectIn<Field> = Extract<NonNullable<Field>, object>;

/** The schemas that have fields. */
export type SchemaName = Exclude<keyof RequestSchemas, 'title'>;

const CLIP = {
  id: 'Id of the entry in messages. Default: its place in the lane.',
  file_field: 'The form field of the file.',
  start: 'Seconds on the timeline; 0 if absent.',
  duration: 'Seconds on the timeline; what the trim leaves, at its speed, if absent.',
  trim_start: 'In-point, in source seconds.',
  trim_end: 'Out-point, in source seconds; 0 or absent: the end.',
  volume: 'Gain from 0 to 4, or percent from 0 to 400 with `volume_unit: percent`.',
  volume_points:
    'Up to 500 points, in order of `at`. Each `volume` multiplies that of the entry; between two points the level changes linearly in decibels.',
  denoise: '`true` reduces steady noise such as that of a fan or a room by 12 dB.',
  fade_in: 'Seconds, picture and sound.',
  fade_out: 'Seconds, picture and sound.',
} satisfies Texts<RawSoundtrack>;

const SPEED = 'Pitch is kept.';

const SHOWN = {
  presets: 'By preset name or alias: the place of the entry in that preset, or `hidden: true`.',
  enter: 'How it appears. Default: tier blocks fade, other entries cut.',
  exit: 'How it disappears.',
  enter_duration: 'Duration of `enter` and of `exit`, in seconds; 0.3 if absent.',
} satisfies Texts<RawVideo>;

const CAPTION_STYLE = {
  base: 'The style to start from; `plain` if absent.',
  font: 'A family that ships; `GET /fonts` lists them.',
  font_field: 'The form field of a font (TTF, OTF or WOFF2); wins over `font`.',
  weight: 'From 100 to 900; the nearest weight that the font has.',
  uppercase: 'Capitals, by the rules of the language.',
  outline_width: 'In ems; 0.09 in every style but `plain`.',
  highlight: 'How the spoken word stands out: by its colour, on a pill, or larger.',
  max_words:
    'How many words are shown at a time; 4 in portrait and 8 in a square for `pop` and `shout`, 8 in portrait for `outline`, `box` and `pill`, else all.',
} satisfies Texts<ObjectIn<RawSettings['subtitle_style']>>;

const STYLE = 'A style, or an object that changes one.';

const SIZE = 'Pixels where the shorter side of the canvas is 1080.';

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
  readonly presets: Texts<ObjectIn<RawSubtitle['presets']>[string]>;
  readonly motion: Texts<ObjectIn<RawVideo['motion']>>;
  readonly transition: Texts<ObjectIn<RawVideo['transition']>>;
} = {
  auto: {
    order:
      '`worst_first`, if absent: from the lowest row up. `listed`: as `tier_list.items` has them. In a row, items come from left to right.',
    seconds_per_item: 'Seconds from one reveal to the next; 3.5 if absent.',
    intro: 'Opens with a card that shows the title of the tier list; true if absent.',
    outro: 'Shows the finished board for 3 s; true if absent.',
    seed: 'Another seed is another order of `shuffled`; 0 if absent.',
  },
  video: {
    ...CLIP,
    speed: SPEED,
    ...SHOWN,
    shape: 'Of a picture in a picture: `rounded` beside a board, else `rect`.',
    transition: 'How the clip takes over from the clip that ends where it begins. Both fill the canvas.',
    motion: 'Pan and zoom over its slot; `ken_burns` chooses one by the id, or by the file if there is no id.',
    border_width: 'Pixels where the shorter side of the canvas is 1080; 6 where a colour is given.',
  },
  audio: { ...CLIP, speed: SPEED },
  soundtrack: { ...CLIP, role: '`music` is lowered while there is voice; `voice` counts as voice.' },
  block: SHOWN,
  tile: {
    reveal:
      '`settings.reveal` if absent. On a move: how the card leaves its place; if absent, it is lifted across the board.',
    hold: 'Seconds for which a spotlight holds the card up before the verdict; `settings.reveal_hold` if absent.',
    stamp_at: 'The second of the timeline at which a spotlight stamps the verdict; wins over `hold`.',
    effect: 'Effect of the landing. Default: `settings.effects` of its row.',
    to_row: 'Moves the item to the row of that id, from wherever it is.',
    index: 'Its place in that row, from 0; the end of it if absent. Only with `to_row`.',
    sound_field:
      '`none`, `pop`, `whoosh`, `impact`, `riser`, `drum_roll`, `ding`, `sad`, or the form field of a sound; `settings.reveal_sound` if absent.',
    sound_volume: 'As `volume` of a clip.',
  },
  titleEntry: {
    subtext: 'Smaller, under the text.',
    kind: '`label`, if absent: a text on a plate. `lower_third`: at the side, with a bar. `card`: fills the canvas.',
    align: '`center` on a card, else `left`, if absent.',
    font: 'A family that ships; `GET /fonts` lists them. The font of the theme if absent.',
    font_field: 'The form field of a font (TTF, OTF or WOFF2); wins over `font`.',
    size: 'Of the text, in pixels where the shorter side of the canvas is 1080; if absent, that of its kind.',
    text_color: 'The text colour of the theme if absent.',
    background_color: 'The panel colour of the theme if absent.',
    background_alpha: 'Percent; 100 for a card and 88 for the others if absent.',
    ...SHOWN,
    enter: 'How it appears. Default: cards fade, labels rise and lower thirds slide.',
  },
  subtitle: {
    style: STYLE,
    words:
      'Words of the text, in its order, and the second of the timeline at which each is spoken. `end` and `confidence` of `POST /video/captions` may stay; nothing is drawn from them.',
    size: SIZE,
    ...SHOWN,
  },
  subtitleFile: {
    file_field: 'The form field of an SRT or WebVTT file, in UTF-8 or UTF-16.',
    style: STYLE,
    offset: 'Seconds by which all of its subtitles are later; 0 if absent.',
    size: SIZE,
    ...SHOWN,
  },
  row: {},
  item: {
    file_field: 'The form field of its picture: JPEG, JPEG XL, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP, ICO or SVG.',
    fit: 'How its picture fills its card: whole, or filling it; `settings.card.fit` if absent.',
    image_focus:
      'The point of its picture that stays in sight where not all of it is shown: `x` and `y` in percent of the picture (50).',
    image_zoom: 'How many times larger than its fit the picture is, around `image_focus`: 1 to 10; 1 if absent.',
    score: 'Shown under the name in a spotlight: "9/10".',
    note: 'Shown under name and score in a spotlight.',
  },
  settings: {
    preset: 'A preset name or one of its aliases.',
    background: 'The background: a colour, a gradient, a picture, or a blurred copy of a clip; `#000000` if absent.',
    card: 'The look of cards.',
    board: 'The layout of rows.',
    pool: '`auto`, if absent: shown while something is in it. `never`: items in no row are not drawn.',
    hidden_until_revealed: 'If false, an item that has a reveal waits in the pool until then.',
    effects: 'By the id of a row: the effect of a landing in it.',
    theme: 'The theme of the board; `midnight` if absent.',
    subtitle_style: 'The style of subtitles without their own; `plain` if absent.',
    reveal_hold: 'Seconds for which a spotlight holds a card up before the verdict; 0.9 if absent.',
    reveal_sound:
      '`none`, `pop`, `whoosh`, `impact`, `riser`, `drum_roll`, `ding`, `sad`, or the form field of a sound.',
    counter: 'Shows on the board how many items have landed, of those in a row at the end: "7/24".',
    progress_bar: 'A thin line that shows the progress of the video.',
    chapters: '`false` leaves the chapter track out of the file; `/chapters` still returns them.',
    shorts: 'A short portrait video of every reveal, rendered at the first request.',
    loudness: 'LUFS; the level is left alone if absent.',
    duck_db: 'Decibels by which soundtracks with `role: music` are lowered while there is voice; 12 if absent.',
    music_fade: 'Fade-out of music that the end of the video cuts off, in seconds; 1.5 if absent.',
  },
  background: {
    kind: '`gradient` of `colors`, `image` from `file_field`, `blur`: a blurred copy of the clip `of`.',
    colors: 'Of a gradient: 2 to 4.',
    angle: 'Where a gradient goes, in degrees: 0 up, 90 to the right, 180 down; 180 if absent.',
    moving: 'A gradient that slowly goes from the first colour to the last and back.',
    file_field: 'The form field of the image.',
    blur: 'How strongly the image is blurred; 0 if absent.',
    of: 'The id of a clip; while it is not on screen, its nearest frame is shown.',
  },
  card: {
    shape: '`auto`, if absent: the shape most of the pictures have.',
    fit: 'If absent, pictures fill their card unless more than a tenth of them would be lost.',
    names: 'Under the pictures; `auto`, if absent: where there is room.',
  },
  board: {
    layout: '`ladder`, if absent: one under the other. `auto`: side by side where cards become at least 15 % larger.',
  },
  theme: {
    base: 'The theme to start from; `midnight` if absent.',
    line_color: 'Of the edges of panel, pool and cards.',
    text_color: 'Of the title and of the names under pictures.',
    card_color: 'Behind names and transparent pictures.',
    corner: 'How round corners are: 0 square, 50 as `midnight`.',
    glass: 'Blurs what is behind the panel.',
    font: 'A family that ships, for the board and all texts; `GET /fonts` lists them.',
    font_field: 'The form field of a font (TTF, OTF or WOFF2) for the board and all texts; wins over `font`.',
  },
  style: CAPTION_STYLE,
  subtitle_style: CAPTION_STYLE,
  presets: { size: SIZE },
  motion: {
    from: 'The view it begins with: `x` and `y` are its centre in percent of the picture (50), `scale` is 1 to 10 times its fit (1).',
    to: 'The view it ends with.',
    ease: '`ease_in_out` if absent.',
    before:
      'The motion begins so many seconds before the slot; 0 if absent. For the later part of a clip that was split.',
    after: 'The motion ends so many seconds after the slot; 0 if absent.',
  },
  transition: {
    kind: '`dip` goes through the background colour. `wipe` runs from left to right. `push` comes from the right.',
    duration: 'Seconds, centred on the cut; 0.5 if absent.',
  },
};
