import { packageFile } from '../../platform/package-file.ts';

const latin = [
  expo('noto-sans', '400Regular/NotoSans_400Regular.ttf'),
  expo('noto-sans', '700Bold/NotoSans_700Bold.ttf'),
  expo('noto-sans', '800ExtraBold/NotoSans_800ExtraBold.ttf'),
];

/** The fonts of drawings, by the needs of their texts. */
export const SVG_FONTS: Readonly<Record<'none' | 'latin' | 'all', readonly string[]>> = {
  none: [],
  latin,
  all: [
    ...latin,
    expo('noto-sans-arabic', '700Bold/NotoSansArabic_700Bold.ttf'),
    expo('noto-sans-hebrew', '700Bold/NotoSansHebrew_700Bold.ttf'),
    packageFile('@embedpdf/fonts-jp', 'fonts/NotoSansJP-Bold.otf'),
    packageFile('@embedpdf/fonts-kr', 'fonts/NotoSansKR-Bold.otf'),
    packageFile('@embedpdf/fonts-sc', 'fonts/NotoSansHans-Bold.otf'),
  ],
};

function expo(name: string, file: string): string {
  return packageFile(`@expo-google-fonts/${name}`, file);
}
