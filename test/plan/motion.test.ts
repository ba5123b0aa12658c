import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { viewAt } from '../../src/plan/frame/clip-at-frame.ts';
import type { ClipLayer } from '../../src/plan/model/clip-layer.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { frames } from '../../src/time.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import { picture, plan, TIER_LIST } from '../request-builder.ts';

const WIDE = { p: picture('p', 4000, 1000) };
const STILL = { p: picture('p', 1920, 1080) };

function made(video: object, media = STILL, preset?: string): RenderPlan {
  const videos = [{ file_field: 'p', duration: 2, ...video }];
  return plan({ tier_list: TIER_LIST, timeline_data: { videos }, settings: {} }, media, preset);
}

function near(view: object, expected: object, by = 0.01): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = (view as Record<string, number>)[name]!;
    assert.ok(Math.abs(found - value) < by, `${name} is ${found}, not ${value}`);
  }
}

const ends = ({ clips: [clip] }: RenderPlan) => {
  const { motion, shows } = clip as ClipLayer;
  const linear = { ...motion!, ease: 'linear' as const };
  const past = (n: number) => viewAt({ ...linear, over: { start: shows.start, end: shows.end } }, frames(n));
  return [past(shows.start - 1), past(shows.end)] as const;
};

test('[C59] a view starts and ends as requested, and is half-way in the middle', () => {
  const motion = { from: { scale: 1 }, to: { x: 75, y: 25, scale: 2 }, ease: 'linear' };
  const planned = made({ motion });
  const [first, last] = ends(planned);
  near(first, { x: 0, y: 0, width: 1920, height: 1080 });
  near(last, { x: 960, y: 0, width: 960, height: 540 });
  const clip = planned.clips[0]!;
  const [before, after] = [viewAt(clip.motion!, frames(29)), viewAt(clip.motion!, frames(30))];
  near({ width: (before.width + after.width) / 2 }, { width: 1920 / 1.5 }, 1);
  assert.deepEqual(clip.crop, { x: 0, y: 0, width: 1920, height: 1080 });
});

test("[C59] in cover a view pans over all of the cropped picture; in contain it stays in the picture's area", () => {
  const motion = { from: { x: 0 }, to: { x: 100 } };
  const covered = made({ fit: 'cover', motion }, WIDE);
  const [first, last] = ends(covered);
  near(first, { x: 0, width: 1778, height: 1000 }, 1);
  near(last, { x: 4000 - 1778, width: 1778 }, 1);
  const contained = made({ motion: { to: { scale: 2 } } }, WIDE).clips[0]!;
  assert.deepEqual([contained.dest.width, contained.dest.height], [1920, 480]);
  assert.notEqual(contained.matte, null);
});

test('[C59] a view that would leave the picture is moved into it, with a warning that gives the position', () => {
  const { warnings } = made({ motion: { from: { x: 0, scale: 2 }, to: { x: 50 } } });
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/videos/0/motion/from motion.outside'],
  );
  assert.match(warnings[0]!.message, /25, 50/);
});

test('[C59] invalid fields are refused at their paths', () => {
  assert.throws(
    () => made({ motion: { from: { scale: 11 }, to: { x: 101 }, ease: 'bounce' } }),
    (error: { issues: { path: string }[] }) => {
      assert.deepEqual(
        error.issues.map(({ path }) => path.replace('/timeline_data/videos/0/motion', '')),
        ['/from/scale', '/to/x', '/ease'],
      );
      return true;
    },
  );
  assert.throws(() => made({ motion: 'swing' }), /ken_burns/);
});

test('[C59] ken_burns differs from clip to clip, is the same for an id, and never warns', () => {
  const motions = Array.from({ length: 12 }, (_, index) => made({ id: `photo ${index}`, motion: 'ken_burns' }));
  assert.ok(new Set(motions.map(({ clips }) => JSON.stringify(clips[0]!.motion))).size > 3);
  assert.ok(motions.every(({ warnings }) => warnings.length === 0));
  assert.deepEqual(made({ id: 'photo 3', motion: 'ken_burns' }).clips, motions[3]!.clips);
});

test("[C59] without an id, ken_burns depends on the content of the file, not on its field or the clip's position", () => {
  const photos = Array.from({ length: 12 }, (_, index) => picture(`photo ${index}`, 1920, 1080));
  const motions = (order: readonly number[], field: string) => {
    const media = Object.fromEntries(order.map((photo) => [`${field}${photo}`, photos[photo]!]));
    const videos = Object.keys(media).map((file_field, index) => {
      return { file_field, start: 2 * index, duration: 2, motion: 'ken_burns' };
    });
    const { clips } = plan({ tier_list: TIER_LIST, timeline_data: { videos }, settings: {} }, media);
    return clips.map(({ motion }) => JSON.stringify([motion!.from, motion!.to]));
  };
  const all = photos.map((_, photo) => photo);
  const first = motions(all, 'a');
  assert.ok(new Set(first).size > 3);
  assert.deepEqual(motions(all.toReversed(), 'b').toReversed(), first);
  assert.deepEqual(motions(all.slice(5), 'c'), first.slice(5));
});

test('[C59] a preset may have its own motion', () => {
  const video = { motion: 'ken_burns', presets: { portrait: { motion: { to: { scale: 3 } } } } };
  const scales = DEFAULT_PRESETS.map(({ name }) => made(video, STILL, name).clips[0]!.motion!.to.scale);
  assert.equal(scales[1], 3);
  assert.ok(scales[0]! < 1.2 && scales[2]! < 1.2);
});

test('[C59] a key changes with the motion, and a later part of it has another', () => {
  const keys = (motion: unknown) => made({ motion, duration: 20 }).chunks.map(({ key }) => key);
  const base = keys({ to: { scale: 2 } });
  assert.equal(new Set(base).size, base.length);
  assert.notDeepEqual(keys({ to: { scale: 2.1 } }), base);
  assert.notDeepEqual(keys({ to: { scale: 2 }, ease: 'linear' }), base);
});

test('[C59] timeline_json of older clients accepts motion too', () => {
  const videos = [{ media_id: 'p', duration: 2, motion: { to: { scale: 2 } } }];
  const media_manifest = [{ id: 'p', file_field: 'p' }];
  const planned = plan({ timeline_json: { videos }, media_manifest } as never, STILL);
  assert.equal(planned.clips[0]!.motion!.to.scale, 2);
});

const percent = fc.double({ min: 0, max: 100, noNaN: true });
const camera = fc.record({ x: percent, y: percent, scale: fc.double({ min: 1, max: 10, noNaN: true }) });

test('[C59] in every case, each view is within the decoded part, and that within the cropped picture', () => {
  const place = fc.record({
    from: camera,
    to: camera,
    fit: fc.constantFrom('contain', 'cover', 'blur'),
    box: fc.option(
      fc.record({ x_percent: fc.integer({ min: -40, max: 90 }), width_percent: fc.integer({ min: 10, max: 120 }) }),
    ),
    size: fc.constantFrom([1920, 1080], [300, 4000], [640, 640]),
    cropped: fc.boolean(),
  });
  fc.assert(
    fc.property(place, ({ from, to, fit, box, size, cropped }) => {
      const media = { p: picture('p', size[0]!, size[1]!) };
      const crop = cropped ? { crop_x: 0.1, crop_y: 0.2, crop_w: 0.5, crop_h: 0.6 } : {};
      const { clips } = made({ motion: { from, to }, fit, ...box, ...crop }, media);
      for (const clip of clips) {
        if (clip.motion === null) continue;
        for (const n of [0, 10, 31, 59]) {
          const view = viewAt(clip.motion, frames(n));
          assert.ok(view.x >= clip.crop.x - 0.01 && view.y >= clip.crop.y - 0.01);
          assert.ok(view.x + view.width <= clip.crop.x + clip.crop.width + 0.01);
          assert.ok(view.y + view.height <= clip.crop.y + clip.crop.height + 0.01);
        }
        assert.ok(clip.crop.x >= 0 && clip.crop.x + clip.crop.width <= size[0]!);
      }
    }),
    { numRuns: 150 },
  );
});
