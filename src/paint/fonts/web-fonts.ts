import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SHIPPED_FONTS, SHIPPED_NAMES } from '../../plan/model/fonts.ts';
import { merged, readFontCoverage } from './font-coverage.ts';
import { FONT_FILES } from './font-files.ts';

/** A font of ours as a page loads it. */
export interface WebFont {
  readonly family: string;
  /** Contains a hash of the bytes: the content under a name never changes. */
  readonly name: string;
  readonly bytes: number;
  /** Absolute. */
  readonly path: string;
  /** First and last of each range of code points that it has glyphs for, one after the other; empty if texts name the font. */
  readonly coverage: readonly number[];
}

let fonts: Promise<readonly WebFont[]> | null = null;

/** All fonts. They are read on the first call: that takes a moment, and most deployments never need it. */
export function webFonts(): Promise<readonly WebFont[]> {
  fonts ??= Promise.all(FONT_FILES.map(webFont));
  return fonts;
}

async function webFont({ family, path, isNamed }: (typeof FONT_FILES)[number]): Promise<WebFont> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const slug = family.toLowerCase().replaceAll(' ', '-');
  const name = `${slug}.${hash.digest('hex').slice(0, 16)}${extname(path)}`;
  const { size } = await stat(path);
  return { family, name, bytes: size, path, coverage: isNamed ? [] : merged(readFontCoverage(path)).flat() };
}

/** The families that a request can name, and the file name of a picture of each. (C63) */
export const LISTED_FONTS = SHIPPED_NAMES.map((name) => ({
  name,
  weights: SHIPPED_FONTS[name].weights,
  sample: `${name.toLowerCase().replaceAll(' ', '-')}.png`,
}));
