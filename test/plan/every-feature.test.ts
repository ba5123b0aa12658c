import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intersect } from '../../src/plan/model/canvas.ts';
import { facts, picture, plan } from '../request-builder.ts';

const spoken = (text: string, start: number, duration: number, style: string | object) => {
  const words = text.split(' ');
  const step = duration / words.length;
  return { text, start, duration, style, words: words.map((word, at) => ({ text: word, start: start + at * step })) };
};
const kinds = ['crossfade', 'dip', 'wipe', 'push', 'zoom'];
const MEDIA = {
  film: facts('film', { duration: 20 }),
  photo: picture('photo', 1600, 1200),
  earth: picture('earth', 512, 512),
  pluto: picture('pluto', 512, 512),
};

/** Transitions, motion, titles, caption styles, a named font and confetti in one project, over a background. */
function project(background: object) {
  return {
    tier_list: {
      title: 'The planets, ranked',
      rows: ['s', 'c'].map((id, at) => ({ id, item_ids: [['earth', 'pluto'][at]] })),
      items: ['earth', 'pluto'].map((id) => ({ id, file_field: id, score: '9/10' })),
    },
    timeline_data: {
      videos: [
        { id: 'first', file_field: 'film', start: 0, duration: 2 },
        ...kinds.map((kind, at) => ({
          ...{ id: kind, start: 2 + 2 * at, duration: 2, transition: { kind, duration: 0.5 } },
          ...(at % 2 === 0
            ? { file_field: 'photo', fit: 'cover', motion: 'ken_burns' }
            : { file_field: 'film', trim_start: 4, motion: { from: { scale: 1 }, to: { x: 30, scale: 2 } } }),
        })),
      ],
      titles: [
        { kind: 'card', text: 'The planets, ranked', subtext: 'From S to C', start: 0, duration: 1.8 },
        { kind: 'lower_third', text: 'Ada Lovelace', subtext: 'Planet scientist', start: 2, duration: 3 },
        { kind: 'label', text: 'Round one', align: 'right', start: 4, duration: 3 },
      ],
      subtitles: [
        spoken('Everyone here has an opinion', 2, 2, 'pop'),
        spoken('Nobody asked the bear what he thinks', 4, 2, 'shout'),
        spoken('And yet he answers anyway', 6, 2, 'pill'),
        spoken('Outlined words are easy to read', 8, 2, 'outline'),
        spoken('Earth is where we keep our stuff', 13, 2.5, 'box'),
        spoken('Right up there', 15.5, 2.5, { base: 'pop', font: 'Anton', max_words: 3 }),
        { text: 'A plain one', start: 18, duration: 1, style: 'plain' },
      ],
      tier_blocks: [{ start: 12, duration: 8 }],
      tier_tiles: [
        { tier_item_id: 'pluto', position: 13, reveal: 'spotlight' },
        { tier_item_id: 'earth', position: 16.2, reveal: 'spotlight' },
      ],
    },
    settings: { background, theme: { base: 'neon', font: 'Montserrat' }, effects: { s: 'confetti' } },
  };
}

const BACKGROUNDS = {
  gradient: { kind: 'gradient', colors: ['#241a52', '#a3336f', '#ff922b'], angle: 135, moving: true },
  blur: { kind: 'blur', of: 'first' },
};

for (const [name, background] of Object.entries(BACKGROUNDS)) {
  for (const preset of ['landscape', 'portrait', 'square']) {
    test(`[C21, C55, C58, C59, C60, C61, C62, C63] one project has every feature, over a ${name}, as ${preset}`, () => {
      const { warnings, painted, totalFrames } = plan(project(background), MEDIA, preset);
      assert.deepEqual(warnings, []);
      assert.equal(totalFrames, 600);
      // No text covers another one or the board.
      const { title, subtitle, board } = painted;
      // `pop` turns a page, `shout` only in portrait.
      assert.deepEqual([title.length, subtitle.length, board.length], [3, preset === 'portrait' ? 9 : 8, 1]);
      const shown = [
        ...title.filter(({ kind }) => kind !== 'card').map(({ shows, textRect }) => ({ shows, rect: textRect })),
        ...subtitle.map(({ shows, rect }) => ({ shows, rect })),
        ...board.map(({ shows, rect }) => ({ shows, rect })),
      ];
      for (const [at, one] of shown.entries()) {
        for (const other of shown.slice(at + 1)) {
          if (one.shows.start >= other.shows.end || other.shows.start >= one.shows.end) continue;
          assert.equal(intersect(one.rect, other.rect), null, JSON.stringify([one, other]));
        }
      }
    });
  }
}
