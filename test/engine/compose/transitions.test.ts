import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import { frames } from '../../../src/time.ts';
import { CLIP_TRANSITIONS } from '../../../src/timeline/choices.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { paintFrameNumber } from '../../fixtures/frame-number.ts';
import { fileSource, source, videoPlan } from '../video-plan.ts';
import { composeFrames, frameHashes } from './compose-frames.ts';

const [WIDTH, HEIGHT] = [160, 128];
const CANVAS = { width: WIDTH, height: HEIGHT, background: '#808080' };
const GREY = 126;
/** The second clip's frames begin here. */
const SECOND = 1000;
const [CUT, HALF] = [30, 6];

async function crossed(kind: string, more: object = {}) {
  const size = { width: WIDTH, height: HEIGHT };
  const sources = {
    a: await source({ frames: 60, ...size }),
    b: await source({ frames: 60, firstNumber: SECOND, ...size }),
  };
  const transition = { kind, duration: (2 * HALF) / 30 };
  const videos = [
    { file_field: 'a', duration: 1 },
    { file_field: 'b', start: 1, duration: 1, trim_start: 0.5, transition, ...more },
  ];
  return videoPlan(sources, { videos }, CANVAS);
}

type Picture = (x: number, y: number) => number;

function numbered(number: number): Picture {
  const data = new Uint8Array(WIDTH * HEIGHT);
  paintFrameNumber(number, { data, stride: WIDTH, width: WIDTH, height: HEIGHT });
  const clamped = (value: number, most: number) => Math.min(most - 1, Math.max(0, Math.floor(value)));
  return (x, y) => data[clamped(y, HEIGHT) * WIDTH + clamped(x, WIDTH)]!;
}

function enlarged(picture: Picture, scale: number): Picture {
  return (x, y) => picture(WIDTH / 2 + (x - WIDTH / 2) / scale, HEIGHT / 2 + (y - HEIGHT / 2) / scale);
}

const eased = (done: number) => done * done * (3 - 2 * done);
const mixed = (from: number, to: number, share: number) => from + (to - from) * share;

/** What each transition shows of two pictures, sample by sample. */
const PLAIN: Readonly<
  Record<(typeof CLIP_TRANSITIONS)[number], (from: Picture, to: Picture, done: number) => Picture>
> = {
  crossfade: (from, to, done) => (x, y) => mixed(from(x, y), to(x, y), done),
  dip: (from, to, done) => (x, y) =>
    done < 0.5 ? mixed(from(x, y), GREY, 2 * done) : mixed(GREY, to(x, y), 2 * done - 1),
  wipe: (from, to, done) => (x, y) => {
    const soft = 0.06 * WIDTH;
    const share = Math.min(1, Math.max(0, (eased(done) * (WIDTH + soft) - Math.floor(x)) / soft));
    return mixed(from(x, y), to(x, y), share);
  },
  push: (from, to, done) => (x, y) => {
    const left = WIDTH - 2 * Math.round((eased(done) * WIDTH) / 2);
    return x < left ? from(x + WIDTH - left, y) : to(x - left, y);
  },
  zoom: (from, to, done) => (x, y) => {
    const share = eased(Math.min(1, Math.max(0, 2 * done - 0.5)));
    const scale = (seen: number) => 1 + 0.6 * Math.min(1, seen / 0.75) ** 2;
    return mixed(enlarged(from, scale(done))(x, y), enlarged(to, scale(1 - done))(x, y), share);
  },
};

/** The mean distance of luma, away from the edges of cells. */
function distance(luma: Uint8Array, stride: number, expected: Picture): number {
  let [sum, count] = [0, 0];
  for (let y = 1; y < HEIGHT; y += 3) {
    for (let x = 1; x < WIDTH; x += 3) {
      const here = expected(x + 0.5, y + 0.5);
      const around = [expected(x - 2, y - 2), expected(x + 3, y - 2), expected(x - 2, y + 3), expected(x + 3, y + 3)];
      if (around.some((other) => Math.abs(other - here) > 24)) continue;
      sum += Math.abs(luma[y * stride + x]! - here);
      count += 1;
    }
  }
  assert.ok(count > 500, `only ${count} samples were compared`);
  return sum / count;
}

for (const kind of CLIP_TRANSITIONS) {
  test(`[C58] every frame of a ${kind} shows the due source frames, mixed by its progress`, async () => {
    const render = await crossed(kind);
    const shown: number[] = [];
    await composeFrames(render, { start: frames(CUT - HALF - 1), end: frames(CUT + HALF + 1) }, (frame, n) => {
      const done = (n - CUT + HALF + 0.5) / (2 * HALF);
      const [a, b] = [n, SECOND + 15 + n - CUT];
      const luma = frame.data![0]!;
      const stride = frame.linesize[0]!;
      const expected = (first: number, second: number) => {
        if (done < 0) return numbered(first);
        return done > 1 ? numbered(second) : PLAIN[kind](numbered(first), numbered(second), done);
      };
      const found = distance(luma, stride, expected(a, b));
      assert.ok(found < 3, `frame ${n} is ${found.toFixed(2)} off`);
      // Its neighbours would be further off.
      if (done < 0.45) assert.ok(distance(luma, stride, expected(a - 1, b)) > found + 0.4, `frame ${n}`);
      if (done > 0.55) assert.ok(distance(luma, stride, expected(a, b - 1)) > found + 0.4, `frame ${n}`);
      shown.push(n);
    });
    assert.equal(shown.length, 2 * HALF + 2);
  });
}

test('[C58] a range that starts inside a transition equals the whole video to the pixel', async () => {
  for (const kind of CLIP_TRANSITIONS) {
    const render = await crossed(kind);
    const whole = await frameHashes(render, { start: frames(CUT - HALF), end: frames(CUT + HALF) });
    const part = await frameHashes(render, { start: frames(CUT + 2), end: frames(CUT + HALF) });
    assert.deepEqual(part, whole.slice(HALF + 2), kind);
  }
});

test('[C58] without a neighbour a clip appears from the background', async () => {
  const render = await crossed('crossfade', { start: 1.1 });
  const seen: number[] = [];
  await composeFrames(render, { start: frames(33), end: frames(45) }, (frame, n) => {
    const done = (n - 33 + 0.5) / 12;
    const number = numbered(SECOND + 15 + n - 33);
    seen.push(distance(frame.data![0]!, frame.linesize[0]!, (x, y) => mixed(GREY, number(x, y), done)));
  });
  assert.equal(seen.length, 12);
  assert.ok(Math.max(...seen) < 3, seen.join());
});

test('[C58] where the new clip is transparent, the old one disappears as the new one appears', async () => {
  const size = { width: WIDTH, height: HEIGHT };
  const clear = await source({ frames: 60, ...size, alpha: true, codec: 'png', container: 'mov' });
  const sources = { a: await source({ frames: 60, ...size }), b: clear };
  const videos = [
    { file_field: 'a', duration: 1 },
    { file_field: 'b', start: 1, duration: 1, transition: { kind: 'crossfade', duration: 0.4 } },
  ];
  const render = videoPlan(sources, { videos }, CANVAS);
  const ends: number[] = [];
  await composeFrames(render, { start: frames(24), end: frames(37) }, (frame, n) => {
    // On the right the second clip shows what is below: the background.
    const before = numbered(n);
    const done = Math.min(1, (n - 24 + 0.5) / 12);
    let sum = 0;
    for (let y = 8; y < HEIGHT; y += 16) {
      for (let x = 104; x < WIDTH; x += 8) {
        sum += Math.abs(frame.data![0]![y * frame.linesize[0]! + x]! - mixed(before(x, y), GREY, done));
      }
    }
    ends.push(sum / 56);
  });
  assert.ok(Math.max(...ends) < 4, ends.map((end) => end.toFixed(1)).join());
});

/** A picture of one grey. */
function flat(grey: number) {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = `rgb(${grey},${grey},${grey})`;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const file = join(clipFolder(), `flat-${grey}.png`);
  writeFileSync(file, canvas.toBuffer('image/png'));
  return fileSource(file, { kind: 'still', duration: 0, width: WIDTH, height: HEIGHT });
}

test('[C58] a picture over the old clip and under the new one disappears with the old one', async () => {
  const greys = { a: 40, p: 220, b: 120 };
  const luma = (grey: number) => 16 + (grey * 219) / 255;
  const box = {
    x_percent: 0,
    y_percent: 0,
    width_percent: 50,
    height_percent: 100,
    fit: 'cover',
    layer: 'below_board',
  };
  const videos = [
    { file_field: 'a', duration: 1 },
    { file_field: 'p', duration: 2, ...box },
    { file_field: 'b', start: 1, duration: 1, transition: { kind: 'crossfade', duration: (2 * HALF) / 30 } },
  ];
  const sources = { a: flat(greys.a), p: flat(greys.p), b: flat(greys.b) };
  let seen = 0;
  await composeFrames(
    videoPlan(sources, { videos }, CANVAS),
    { start: frames(CUT - HALF - 2), end: frames(CUT + HALF + 2) },
    (frame, n) => {
      const done = Math.min(1, Math.max(0, (n - CUT + HALF + 0.5) / (2 * HALF)));
      const row = frame.data![0]!.subarray(64 * frame.linesize[0]!);
      for (const [x, grey] of [
        [40, greys.p],
        [120, greys.a],
      ] as const) {
        const expected = mixed(luma(grey), luma(greys.b), done);
        assert.ok(Math.abs(row[x]! - expected) < 3, `frame ${n} has ${row[x]} at ${x}, not ${expected}`);
      }
      seen += 1;
    },
  );
  assert.equal(seen, 2 * HALF + 4);
});
