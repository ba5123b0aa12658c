/** The wire's words for what can be chosen, as people say it. Those that are not here are said as they are, with a capital. */
const WORDS: Readonly<Record<string, string>> = {
  'layer.below_board': 'Behind the board',
  'layer.above_board': 'In front of the board',
  'fit.contain': 'Show all',
  'fit.cover': 'Fill',
  'fit.blur': 'Show all, blur',
  'background.color': 'Colour',
  'background.blur': 'Blurred clip',
  'reveal.none': 'None',
  'enter.none': 'None',
  'exit.none': 'None',
  'shape.rect': 'Rectangle',
  'motion.ken_burns': 'Ken Burns',
  'ease.ease_in_out': 'Ease',
  auto: 'Automatic',
  'crop_unit.auto': 'Automatic',
  'crop_unit.fraction': 'Fractions',
  'crop_unit.pixel': 'Pixels',
  'volume_unit.gain': 'Times (×)',
  'trim_end_as.out_point': 'End point',
  'trim_end_as.cut': 'Amount cut',
};

export function choiceWords(field: string, choice: string): string {
  return WORDS[`${field}.${choice}`] ?? WORDS[choice] ?? sentence(choice.replaceAll('_', ' '));
}

export function sentence(words: string): string {
  return (words[0]?.toUpperCase() ?? '') + words.slice(1);
}

/** What is chosen where nothing is, by whose field it is: where that is not always one and the same of the choices. */
const UNSET: Readonly<Record<string, string>> = {
  'video.fit': 'As the video',
  'video.shape': 'Automatic',
  'video.layer': 'Automatic',
  'video.motion': 'None',
  'transition.kind': 'None',
  'presets.motion': 'As in all formats',
  'presets.layer': 'As in all formats',
  'tile.reveal': 'As the video',
  'tile.effect': 'As its row',
  'tile.sound_field': 'As the video',
  'tile.to_row': 'None',
  'item.fit': 'As all cards',
  'item.file_field': 'None',
  'block.enter': 'Usual (fade)',
  'block.exit': 'Usual (fade)',
  'card.fit': 'Automatic',
  'soundtrack.role': 'None',
  'presets.fit': 'As in all formats',
  'theme.font': 'Noto Sans',
  'theme.font_field': 'None',
  'settings.encoder_preset': 'By quality',
};

export function unsetWords(owner: string, field: string): string {
  return UNSET[`${owner}.${field}`] ?? 'Usual';
}

const UNITS: readonly (readonly [unit: string, fields: RegExp])[] = [
  [
    's',
    /^(start|duration|position|trim_start|trim_end|fade_in|fade_out|offset|enter_duration|music_fade|hold|stamp_at|reveal_hold)$/,
  ],
  ['°', /^angle$/],
  ['%', /_percent$|^(background_alpha|panel_opacity|corner)$/],
  ['px', /^(size|border_width|width|height)$/],
  ['×', /^speed$/],
  ['fps', /^fps$/],
  ['kbit/s', /^audio_bitrate$/],
  ['LUFS', /^loudness$/],
  ['dB', /^duck_db$/],
];

/** What a number counts; null where it counts nothing, or what the settings say. */
export function unitOf(
  field: string,
  settings: { readonly volume_unit?: string | undefined; readonly crop_unit?: string | undefined },
): string | null {
  if (/volume$/.test(field)) return settings.volume_unit === 'percent' ? '%' : '×';
  if (/^crop_[xywh]$/.test(field)) return { percent: '%', pixel: 'px' }[settings.crop_unit ?? ''] ?? null;
  return UNITS.find(([, fields]) => fields.test(field))?.[0] ?? null;
}
