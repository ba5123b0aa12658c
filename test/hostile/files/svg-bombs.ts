import { svgFile, useBomb } from '../../fixtures/svg-file.ts';
import { greyPng } from './picture-bombs.ts';

/** SVGs over a limit. @param file a file that one of them tries to read. */
export function svgBombs(file: string): Readonly<Record<string, Buffer>> {
  const depth = 100_000;
  const png = greyPng(30_000, 30_000).toString('base64');
  return {
    'entities.svg': svgFile('&a;', '', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file://${file}">]>`),
    'laughs.svg': svgFile('&b;', '', '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'),
    'deep.svg': svgFile('<g>'.repeat(depth) + '</g>'.repeat(depth)),
    'uses.svg': svgFile(useBomb(40)),
    'noise.svg': svgFile(
      '<filter id="f"><feTurbulence numOctaves="99999"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    'pixels.svg': svgFile(`<image href="data:image/png;base64,${png}" width="9" height="9"/>`),
  };
}
