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
];

function expo(name: string, file: string): string {
  return join(dirname(require.resolve(`@expo-google-fonts/${name}/package.json`)), file);
}

/** These packages export their entry alone, which lies one folder down. */
function embedpdf(name: string, file: string): string {
  return join(dirname(require.resolve(`@embedpdf/${name}`)), '..', 'fonts', file);
}
