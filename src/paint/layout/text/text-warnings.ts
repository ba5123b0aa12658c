import type { Issue } from '../../../errors.ts';
import type { RenderPlan } from '../../../plan/render-plan.ts';
import { type Coverage, missingGlyphs } from './glyph-coverage.ts';
import { SUBTITLE_LENGTH } from './subtitle-layout.ts';
import { TITLE_LENGTH } from './title-layout.ts';

const NAMED_AT_MOST = 5;

/** A warning for every text of the plan in which a character comes out as an empty box, and for every one cut. (R14) */
export function textWarnings(plan: RenderPlan, coverage: () => Coverage): Issue[] {
  return [...cutWarnings(plan), ...glyphWarnings(plan, coverage)];
}

function cutWarnings({ painted }: RenderPlan): Issue[] {
  const cut = (path: string, text: string, max: number): Issue[] => {
    if (text.length <= max) return [];
    const message = `The text has ${text.length} characters; a canvas shows at most ${max}, the rest is cut.`;
    return [{ path, code: 'paint.text_cut', message }];
  };
  return [
    ...painted.subtitle.flatMap(({ path, text }) => cut(`${path}/text`, text, SUBTITLE_LENGTH)),
    ...painted.title.flatMap(({ path, text, subtext }) => [
      ...cut(`${path}/text`, text, TITLE_LENGTH),
      ...cut(`${path}/subtext`, subtext, TITLE_LENGTH),
    ]),
  ];
}

function glyphWarnings({ board, painted }: RenderPlan, coverage: () => Coverage): Issue[] {
  const texts: { path: string; text: string }[] = painted.subtitle.map(({ path, text }) => ({
    path: `${path}/text`,
    text,
  }));
  for (const { path, text, subtext } of painted.title) {
    texts.push({ path: `${path}/text`, text }, { path: `${path}/subtext`, text: subtext });
  }
  if (board !== null && painted.board.length > 0) {
    texts.push({ path: '/tier_list/title', text: board.title });
    board.rows.forEach(({ label }, row) => {
      texts.push({ path: `/tier_list/rows/${row}/label`, text: label });
    });
    board.items.forEach(({ name }, item) => {
      texts.push({ path: `/tier_list/items/${item}/name`, text: name });
    });
  }
  return texts.flatMap(({ path, text }) => {
    const missing = missingGlyphs(text, coverage);
    if (missing.length === 0) return [];
    const named = missing.slice(0, NAMED_AT_MOST).map((character) => `${character} (U+${hex(character)})`);
    const more = missing.length > NAMED_AT_MOST ? ` and ${missing.length - NAMED_AT_MOST} more` : '';
    return [
      { path, code: 'paint.glyph_missing', message: `No font has ${named.join(', ')}${more}: shown as empty boxes.` },
    ];
  });
}

function hex(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}
