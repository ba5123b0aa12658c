import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardView } from '../../../src/studio/document/card-view.ts';

const item = (image_zoom: number, x?: number, y?: number) => ({
  id: 'a',
  image_zoom,
  ...(x === undefined ? {} : { image_focus: { x, y: y! } }),
});
const WIDE = { width: 800, height: 600 };

/** What of a picture, in its pixels, such an element of 100 px shows: computed as browsers lay it out. */
function seen(style: Readonly<Record<string, string>>, { width, height }: typeof WIDE, isWhole: boolean) {
  const numbers = (name: string, start: readonly number[]) =>
    style[name] === undefined ? start : [...style[name].matchAll(/(-?[\d.]+)%/g)].map(([, number]) => Number(number));
  const fit = isWhole ? Math.min(100 / width, 100 / height) : Math.max(100 / width, 100 / height);
  const position = numbers('object-position', [50, 50]);
  const origin = numbers('transform-origin', [50, 50]);
  const [top, right, bottom, left] = numbers('clip-path', [0, 0, 0, 0]);
  const scale = Number(style.scale ?? 1);
  const axis = (length: number, which: 0 | 1, near: number, far: number) => {
    const start = ((100 - length * fit) * position[which]!) / 100;
    const drawn = (at: number) => origin[which]! + (at - origin[which]!) * scale;
    // The clipped part fills the element exactly.
    assert.ok(Math.abs(drawn(near)) < 0.01 && Math.abs(drawn(100 - far) - 100) < 0.01, JSON.stringify(style));
    return [near, 100 - far].map((at) => Math.round((at - start) / fit)).join('..');
  };
  return `${axis(width, 0, left!, right!)} ${axis(height, 1, top!, bottom!)}`;
}

test('[R35] a card on the board shows the part of its picture that focus and zoom select, in any browser', () => {
  const cases = [
    [item(1), false, '100..700 0..600'],
    [item(1, 0, 50), false, '0..600 0..600'],
    [item(1, 60, 50), false, '180..780 0..600'],
    [item(2), false, '250..550 150..450'],
    [item(2, 90, 10), false, '500..800 0..300'],
    [item(3, 40, 60), false, '220..420 260..460'],
    // Shown uncropped, a picture is zoomed from its fit; an axis that is shorter than the card stays centred.
    [item(1.2, 0, 0), true, '0..667 -33..633'],
    [item(2, 100, 100), true, '400..800 200..600'],
  ] as const;
  for (const [given, isWhole, wanted] of cases) {
    const style = cardView(given, WIDE, isWhole);
    assert.equal(seen(style, WIDE, isWhole), wanted, JSON.stringify(given));
    // Only Chromium supports it.
    assert.equal(style['object-view-box'], undefined);
  }
});
