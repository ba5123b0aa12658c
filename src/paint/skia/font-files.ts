import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { FAMILY } from '../layout/typeface.ts';

/** A font file of ours and the family we register it as. */
export interface FontFile {
  readonly family: string;
  /** Absolute. */
  readonly path: string;
}

const require = createRequire(import.meta.url);

/** Every font there is. They come with the install; whoever jails a painter must let it read these. */
export const FONT_FILES: readonly FontFile[] = [
  { family: FAMILY.display, path: expo('noto-sans', '800ExtraBold/NotoSans_800ExtraBold.ttf') },
  { family: FAMILY.strong, path: expo('noto-sans', '700Bold/NotoSans_700Bold.ttf') },
  { family: FAMILY.text, path: expo('noto-sans', '600SemiBold/NotoSans_600SemiBold.ttf') },
  { family: FAMILY.arabic, path: embedpdf('fonts-arabic', 'NotoNaskhArabic-Bold.ttf') },
  { family: FAMILY.hebrew, path: embedpdf('fonts-hebrew', 'NotoSansHebrew-Bold.ttf') },
  { family: FAMILY.japanese, path: embedpdf('fonts-jp', 'NotoSansJP-Bold.otf') },
  { family: FAMILY.korean, path: embedpdf('fonts-kr', 'NotoSansKR-Bold.otf') },
  { family: FAMILY.chinese, path: embedpdf('fonts-sc', 'NotoSansHans-Bold.otf') },
  { family: FAMILY.emoji, path: expo('noto-color-emoji', '400Regular/NotoColorEmoji_400Regular.ttf') },
  ...(
    [
      'thai',
      'lao',
      'khmer',
      'myanmar',
      'bengali',
      'gujarati',
      'gurmukhi',
      'kannada',
      'malayalam',
      'sinhala',
      'tamil',
      'telugu',
      'armenian',
      'georgian',
      'ethiopic',
      'symbols',
    ] as const
  ).map((script) => ({ family: FAMILY[script], path: fontsource(`noto-sans-${script}`, `${script}-700`) })),
  { family: FAMILY.tibetan, path: fontsource('noto-serif-tibetan', 'tibetan-700') },
  { family: FAMILY.moreSymbols, path: fontsource('noto-sans-symbols-2', 'symbols-400') },
];

function expo(name: string, file: string): string {
  return join(dirname(require.resolve(`@expo-google-fonts/${name}/package.json`)), file);
}

/** These packages export their entry alone, which lies one folder down. */
function embedpdf(name: string, file: string): string {
  return join(dirname(require.resolve(`@embedpdf/${name}`)), '..', 'fonts', file);
}

/** Of these only the part for the script itself; Latin is in the families of the voices. */
function fontsource(name: string, part: string): string {
  return join(dirname(require.resolve(`@fontsource/${name}/package.json`)), 'files', `${name}-${part}-normal.woff`);
}
