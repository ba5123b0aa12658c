import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { frames } from '../../src/time.ts';
import { plan } from '../request-builder.ts';

type Matches = (red: number, green: number, blue: number, alpha: number) => boolean;

const GREEN: Matches = (r, g, b, a) => a > 200 && g > 200 && r < 110 && b < 160;
const YELLOW: Matches = (r, g, b, a) => a > 200 && r > 200 && g > 150 && b < 80;
const WHITE: Matches = (r, g, b, a) => a > 200 && r > 245 && g > 245 && b > 245;
const BLACK: Matches = (r, g, b, a) => a > 200 && r < 10 && g < 10 && b < 10;

/** A caption of four words, spoken at 1, 2, 3 and 4 s, at frame `n`: where pixels of a kind are. */
async function painted(style: unknown, n: number, text = 'alpha bravo charlie delta', more: object = {}) {
  const words = text.split(' ').map((word, at) => ({ text: word, start: at + 1 }));
  const subtitles = [{ text, words, start: 0, duration: 6, style, ...more }];
  const made = plan({ tier_list: {}, timeline_data: { subtitles } }, {}, 'portrait');
  const painter = await SkiaPainter.create({ plan: made, files: new Map() });
  const layer = made.painted.subtitle.find(({ shows }) => shows.start <= n && n < shows.end)!;
  const { rect, rgba } = painter.paint('subtitle', layer, frames(n))!.still;
  return (matches: Matches) => {
    let [count, left, right, sum] = [0, Number.POSITIVE_INFINITY, 0, 0];
    for (let at = 0; at < rgba.length; at += 4) {
      if (!matches(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!, rgba[at + 3]!)) continue;
      const x = rect.x + ((at / 4) % rect.width);
      [count, left, right, sum] = [count + 1, Math.min(left, x), Math.max(right, x), sum + x];
    }
    return { count, width: right - left + 1, centre: sum / count };
  };
}

test('[C62] an outline of 0.09 em is seen on both sides of a letter', async () => {
  const find = await painted('outline', 0, 'I');
  const letter = find(WHITE).width;
  const outlined = find((...pixel) => WHITE(...pixel) || BLACK(...pixel)).width;
  const seen = (outlined - letter) / 2 / 76;
  assert.ok(Math.abs(seen - 0.09) < 0.02, `${seen.toFixed(3)} em`);
});

test('[C62] words not yet spoken are full white, in every style', async () => {
  const all = (await painted('outline', 0))(WHITE).count;
  const lit = (await painted('outline', 30))(WHITE).count;
  assert.ok(lit > all * 0.6 && lit < all * 0.95, 'one of four words is lit, the others are white');
  assert.equal((await painted('outline', 0))(YELLOW).count, 0);
});

test('[C62] the active word grows to 1.12 of its size within 90 ms, and the one before it shrinks back', async () => {
  const style = { base: 'pop', max_words: 9 };
  const plain = (await painted({ ...style, highlight: 'color' }, 61))(GREEN).width;
  const first = (await painted(style, 60))(GREEN).width / plain;
  const grown = (await painted(style, 62))(GREEN).width / plain;
  const later = (await painted(style, 80))(GREEN).width / plain;
  assert.ok(first > 1.03 && first < 1.11, `${first} at first`);
  assert.ok(Math.abs(grown - 1.12) < 0.02, `${grown} after 67 ms`);
  assert.equal(later, grown);
});

test('[C62] only the active word has a pill, and is legible on it', async () => {
  const isPill: Matches = (r, g, b, a) => a > 200 && Math.abs(r - 255) < 3 && Math.abs(g - 255) < 3 && Math.abs(b) < 3;
  const style = { base: 'pill', highlight_color: '#ffff00' };
  const pill = (await painted(style, 30))(isPill);
  const none = (await painted(style, 0))(isPill);
  assert.ok(pill.count > 76 * 76 && none.count === 0);
  const dark = (await painted(style, 30))((r, g, b, a) => a > 200 && r < 30 && g < 30 && b < 30);
  assert.ok(dark.count > 0, 'white letters would not be read on yellow');
});

test('[C62] right-to-left words light up from the right', async () => {
  const arabic = 'هذا أفضل طعام هنا';
  const centres: number[] = [];
  for (const n of [30, 60, 90, 120]) {
    centres.push((await painted({ base: 'outline' }, n, arabic, { size: 40 }))(YELLOW).centre);
  }
  assert.deepEqual(
    centres,
    [...centres].sort((a, b) => b - a),
  );
  const [first] = [(await painted('pop', 30, 'אחת שתיים שלוש ארבע חמש'))(GREEN).centre];
  assert.ok(first! > 540 * 0.86, 'a page begins at its right');
});
