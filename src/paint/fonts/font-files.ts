import { cutFamily, ROLE_WEIGHT, SHIPPED_FONTS, SHIPPED_NAMES } from '../../plan/model/fonts.ts';
import { packageFile } from '../../platform/program-files.ts';
import { FAMILY, inRole, type TextRole } from '../layout/text/typeface.ts';

/** A font file of ours and the family we register it as. */
interface FontFile {
  readonly family: string;
  /** Absolute. */
  readonly path: string;
  /** The role whose weight it has, if there is one for each; the three of a script have the same characters. */
  readonly role?: TextRole;
  /** Whether it is used only where a request names its family. (C63) */
  readonly isNamed?: true;
}

const EVERY_ROLE = ['display', 'strong', 'text'] as const;
/** As a package of Google's fonts names them. */
const WEIGHT_NAMES: Readonly<Record<number, string>> = {
  400: '400Regular',
  500: '500Medium',
  600: '600SemiBold',
  700: '700Bold',
  800: '800ExtraBold',
  900: '900Black',
};

/** Their strokes are thinner than those of other scripts at the same weight. */
const THIN = 100;

/** Every font there is. They ship with the package; the jail of a painter must allow reading them. */
export const FONT_FILES: readonly FontFile[] = [
  ...EVERY_ROLE.map((role) => ({
    family: FAMILY[role],
    path: weighed('noto-sans', 'NotoSans', ROLE_WEIGHT[role]),
    role,
  })),
  ...inEveryRole(FAMILY.arabic, (role) => weighed('noto-sans-arabic', 'NotoSansArabic', ROLE_WEIGHT[role])),
  ...inEveryRole(FAMILY.hebrew, (role) => weighed('noto-sans-hebrew', 'NotoSansHebrew', ROLE_WEIGHT[role])),
  { family: FAMILY.japanese, path: embedpdf('fonts-jp', 'NotoSansJP-Bold.otf') },
  { family: FAMILY.korean, path: embedpdf('fonts-kr', 'NotoSansKR-Bold.otf') },
  { family: FAMILY.chinese, path: embedpdf('fonts-sc', 'NotoSansHans-Bold.otf') },
  { family: FAMILY.emoji, path: expo('noto-color-emoji', '400Regular/NotoColorEmoji_400Regular.ttf') },
  ...(
    [
      'thai',
      'lao',
      'myanmar',
      'bengali',
      'gujarati',
      'gurmukhi',
      'kannada',
      'malayalam',
      'tamil',
      'telugu',
      'armenian',
      'georgian',
      'ethiopic',
    ] as const
  ).flatMap((script) =>
    inEveryRole(FAMILY[script], (role) => fontsource(`noto-sans-${script}`, script, ROLE_WEIGHT[role])),
  ),
  ...inEveryRole(FAMILY.khmer, (role) => fontsource('noto-sans-khmer', 'khmer', ROLE_WEIGHT[role] + THIN)),
  ...inEveryRole(FAMILY.sinhala, (role) => fontsource('noto-sans-sinhala', 'sinhala', ROLE_WEIGHT[role] + THIN)),
  ...inEveryRole(FAMILY.tibetan, (role) => fontsource('noto-serif-tibetan', 'tibetan', ROLE_WEIGHT[role] + THIN)),
  { family: FAMILY.symbols, path: fontsource('noto-sans-symbols', 'symbols', 700) },
  { family: FAMILY.moreSymbols, path: fontsource('noto-sans-symbols-2', 'symbols', 400) },
  ...namedFonts(),
];

function namedFonts(): FontFile[] {
  return SHIPPED_NAMES.filter((name) => name !== 'Noto Sans').flatMap((name) =>
    SHIPPED_FONTS[name].weights.map((weight) => ({
      family: cutFamily(name, weight),
      path: weighed(name.toLowerCase().replaceAll(' ', '-'), name.replaceAll(' ', ''), weight),
      isNamed: true as const,
    })),
  );
}

function inEveryRole(family: string, path: (role: TextRole) => string): FontFile[] {
  return EVERY_ROLE.map((role) => ({ family: inRole(family, role), path: path(role), role }));
}

function weighed(name: string, file: string, weight: number): string {
  return expo(name, `${WEIGHT_NAMES[weight]}/${file}_${WEIGHT_NAMES[weight]}.ttf`);
}

function expo(name: string, file: string): string {
  return packageFile(`@expo-google-fonts/${name}`, file);
}

function embedpdf(name: string, file: string): string {
  return packageFile(`@embedpdf/${name}`, `fonts/${file}`);
}

/** Of these only the part for the script itself; Latin is in the families of the roles. */
function fontsource(name: string, part: string, weight: number): string {
  return packageFile(`@fontsource/${name}`, `files/${name}-${part}-${weight}-normal.woff`);
}
