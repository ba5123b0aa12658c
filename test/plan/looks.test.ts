import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { type FactsOrError, resolveFacts } from '../../src/plan/resolve-facts.ts';
import type { RequestDocuments } from '../../src/timeline/request-documents.ts';
import { facts, parse, picture, plan, TIER_LIST } from '../request-builder.ts';

const FONT = facts('font', { kind: 'font', duration: 0, width: 0, height: 0, sound: false });
const MEDIA = {
  a: facts('a'),
  font: FONT,
  wide: picture('wide', 1600, 400),
  tall: picture('tall', 600, 900),
  tall2: picture('tall2', 600, 800),
};

/** A clip for four seconds, a board for four, a subtitle for four: each is a chunk. */
function documents(
  settings: object = {},
  change: { items?: readonly object[]; presets?: object } = {},
): RequestDocuments {
  const { items = [{ id: 'x', file_field: 'tall' }], presets = {} } = change;
  return {
    tier_list: { rows: [{ id: 's', item_ids: ['x'] }], items },
    timeline_data: {
      videos: [{ file_field: 'a', start: 0, duration: 4, presets }],
      tier_blocks: [{ start: 4, duration: 4, presets }],
      subtitles: [{ text: 'hello', start: 8, duration: 4, presets }],
    },
    settings: { background: '#000000', ...settings },
  };
}

function used(request: RequestDocuments, preset?: string): RenderPlan {
  const named = JSON.stringify(request);
  const media = Object.entries(MEDIA).filter(([field]) => named.includes(`"${field}"`));
  return plan(request, Object.fromEntries(media), preset);
}

/** Which of the three keys differ: of the clip, the board, the subtitle. */
function changed(before: RenderPlan, after: RenderPlan): string {
  assert.equal(before.chunks.length, 3);
  return ['clip', 'board', 'subtitle'].filter((_, i) => before.chunks[i]!.key !== after.chunks[i]!.key).join();
}

test('[C42] a box for one preset applies there, and does not change the others', () => {
  const before = documents();
  const after = documents({}, { presets: { portrait: { x_percent: 20, width_percent: 60 } } });
  assert.equal(changed(used(before), used(after)), '');
  assert.equal(changed(used(before, 'square'), used(after, 'square')), '');
  const portrait = used(after, 'portrait');
  assert.equal(changed(used(before, 'portrait'), portrait), 'clip,board,subtitle');
  assert.deepEqual([portrait.painted.board[0]!.rect.x, portrait.painted.board[0]!.rect.width], [216, 648]);
  assert.deepEqual([portrait.painted.subtitle[0]!.rect.x, portrait.painted.subtitle[0]!.rect.width], [216, 648]);
});

test('[C42] an entry that is hidden in a preset is not in its plan; a clip is still heard', () => {
  const { clips, painted, audio, warnings, totalFrames } = used(
    documents({}, { presets: { preset_two: { hidden: true } } }),
    'portrait',
  );
  assert.deepEqual([clips, painted.board, painted.subtitle, warnings], [[], [], [], []]);
  assert.equal(audio.clips.length, 1);
  assert.equal(totalFrames, 360);
});

test('[C42] a clip may have another fit, and a subtitle another size, in one preset', () => {
  const request = {
    ...documents(),
    timeline_data: {
      videos: [{ file_field: 'a', duration: 1, fit: 'contain', presets: { square: { fit: 'cover' } } }],
      subtitles: [{ text: 'x', start: 0, duration: 1, size: 40, presets: { square: { size: 80 } } }],
    },
  };
  const { clips, painted } = plan(request, { a: MEDIA.a, tall: MEDIA.tall }, 'square');
  assert.deepEqual(clips[0]!.crop, { x: 420, y: 0, width: 1080, height: 1080 });
  assert.equal(painted.subtitle[0]!.sizePx, 80);
});

test('[C46, R43] cards of pictures are square, and pictures decide how they fill them, unless a request says more', () => {
  const fields = ['wide', 'tall', 'tall2', undefined];
  const items = fields.map((file_field, i) => ({ id: i === 0 ? 'x' : `i${i}`, ...(file_field && { file_field }) }));
  const { board } = used(documents({}, { items }));
  assert.deepEqual(board!.card, { shape: 'square', names: 'auto' });
  assert.deepEqual(
    board!.items.map(({ fit }) => fit),
    ['auto', 'auto', 'auto', 'cover'],
  );
  const asked = used(documents({ card: { shape: 'landscape', fit: 'contain' } }, { items })).board!;
  assert.equal(asked.card.shape, 'landscape');
  assert.deepEqual(new Set(asked.items.slice(0, 3).map(({ fit }) => fit)), new Set(['contain']));
  const names = used(documents({}, { items: [{ id: 'x' }] })).board!.card;
  assert.deepEqual(names, { shape: 'text', names: 'never' });
  assert.equal(used(documents({ card: { names: 'always' } }, { items: [{ id: 'x' }] })).board!.card.names, 'never');
});

test('[C46, R18] shape, names and fit of cards are in the keys of boards and in no others', () => {
  const before = used(documents());
  assert.equal(changed(before, used(documents({ card: { shape: 'portrait' } }))), 'board');
  assert.equal(changed(before, used(documents({ card: { shape: 'square' } }))), '', 'as auto takes it');
  assert.equal(changed(before, used(documents({ card: { names: 'never' } }))), 'board');
  assert.equal(
    changed(before, used(documents({}, { items: [{ id: 'x', file_field: 'tall', fit: 'contain' }] }))),
    'board',
  );
});

test('[C47, R18] a theme is in the keys of boards, its font in those of all texts', () => {
  const before = used(documents());
  assert.equal(changed(before, used(documents({ theme: 'midnight' }))), '');
  assert.equal(changed(before, used(documents({ theme: 'paper' }))), 'board,subtitle');
  assert.equal(changed(before, used(documents({ theme: { glass: true } }))), 'board');
  assert.equal(changed(before, used(documents({ theme: { line_color: '#123456' } }))), 'board');
  assert.equal(changed(before, used(documents({ theme: { font_field: 'font' } }))), 'board,subtitle');
  const { theme, sources } = used(documents({ theme: { font_field: 'font' } }));
  assert.equal(sources[theme.font!.source!]!.hash, FONT.hash);
});

test('[C63, R18, R37] a named font replaces those of the theme, and is in the keys of all texts', () => {
  const before = used(documents());
  const named = used(documents({ theme: { font: 'Oswald' } }));
  assert.equal(changed(before, named), 'board,subtitle');
  assert.deepEqual(named.theme.font!.families, {
    display: 'Tiercut Oswald 700',
    strong: 'Tiercut Oswald 700',
    text: 'Tiercut Oswald 600',
  });
  assert.equal(changed(named, used(documents({ theme: { font: 'Anton' } }))), 'board,subtitle');
  assert.equal(before.theme.font!.families.display, 'Tiercut Inter 900');
  assert.equal(used(documents({ theme: { font: 'Noto Sans' } })).theme.font, null);
});

test("[C47] the font of a theme must be a font, and an item's picture or a clip must not", () => {
  const request = (field: string) => parse(documents({ theme: { font_field: field } }));
  const found = (fields: readonly (keyof typeof MEDIA)[]) => new Map(fields.map((field) => [field, MEDIA[field]]));
  const code = (named: string, uploads: Parameters<typeof resolveFacts>[1]) => {
    try {
      resolveFacts(request(named), uploads);
      return '';
    } catch (error) {
      assert.ok(error instanceof ExportError);
      return `${error.path} ${error.code}`;
    }
  };
  assert.equal(code('font', found(['font', 'a', 'tall'])), '');
  assert.equal(code('a', found(['a', 'tall'])), '/settings/theme/font_field media.no_font');
  const error = { kind: 'invalid', code: 'media.broken_font', message: 'The font is damaged.' } as const;
  const broken = new Map<string, FactsOrError>([
    ...found(['a', 'tall']),
    ['font', { hash: FONT.hash, error }] as const,
  ]);
  assert.equal(code('font', broken), '/settings/theme/font_field media.broken_font');
  const { board, warnings } = plan(
    { ...documents({}, { items: [{ id: 'x', file_field: 'font' }] }) },
    { a: MEDIA.a, font: FONT },
  );
  assert.equal(board!.items[0]!.image, null);
  assert.deepEqual(
    warnings.map(({ code: warned }) => warned),
    ['item.no_image'],
  );
  assert.throws(
    () => plan({ tier_list: TIER_LIST, timeline_data: { videos: [{ file_field: 'font' }] } }, { font: FONT }),
    ({ code: thrown }: ExportError) => thrown === 'media.no_picture',
  );
});

test("[R35] focus and zoom of a picture are in the board's keys; the centre at its fit equals no value", () => {
  const plain = used(documents());
  const seen = (item: object) => used(documents({}, { items: [{ id: 'x', file_field: 'tall', ...item }] }));
  const middle = seen({ image_focus: { x: 50 }, image_zoom: 1 });
  assert.deepEqual(middle, plain);
  const moved = seen({ image_focus: { y: 20 } });
  assert.equal(changed(plain, moved), 'board');
  assert.deepEqual(moved.board!.items[0]!.view, { x: 50, y: 20, scale: 1 });
  assert.equal(changed(moved, seen({ image_focus: { y: 20 }, image_zoom: 2 })), 'board');
  assert.throws(() => seen({ image_zoom: 0.5 }), { code: 'field.range' });
  assert.throws(() => seen({ image_focus: { x: 101 } }), { code: 'field.range' });
});
