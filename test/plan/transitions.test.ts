import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clipTime } from '../../src/plan/frame/clip-at-frame.ts';
import { clipLevel } from '../../src/plan/frame/sound-envelope.ts';
import type { AudioClip } from '../../src/plan/model/audio-plan.ts';
import type { ClipLayer } from '../../src/plan/model/clip-layer.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { type Frames, frames, sampleAtFrame } from '../../src/time.ts';
import { CLIP_TRANSITIONS } from '../../src/timeline/choices.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import { facts, picture, plan, TIER_LIST } from '../request-builder.ts';

const MEDIA = { a: facts('a'), b: facts('b'), c: facts('c') };

function made(videos: readonly object[], media: Record<string, MediaFacts> = MEDIA, preset?: string): RenderPlan {
  return plan({ tier_list: TIER_LIST, timeline_data: { videos }, settings: {} }, media, preset);
}

function warned({ warnings }: RenderPlan): string[] {
  return warnings.filter(({ code }) => code !== 'media.unreferenced').map(({ path, code }) => `${path} ${code}`);
}

/** Two clips of three seconds that meet at second 3. */
function pair(transition: object, first: object = {}, second: object = {}): object[] {
  return [
    { file_field: 'a', duration: 3, trim_start: 2, ...first },
    { file_field: 'b', start: 3, duration: 3, trim_start: 10, transition, ...second },
  ];
}

test('[C58] a transition is centred on the cut: both clips show only there', () => {
  for (const kind of CLIP_TRANSITIONS) {
    const crossed = made(pair({ kind, duration: 1 }));
    const { clips, spans } = crossed;
    assert.deepEqual(warned(crossed), []);
    assert.deepEqual(
      clips.map(({ shows }) => shows),
      [
        { start: 0, end: 105 },
        { start: 75, end: 180 },
      ],
    );
    assert.deepEqual(clips[1]!.transition, { kind, frames: 30, from: 0 });
    assert.deepEqual(
      spans.map(({ start, end, layers }) => [start, end, layers.length]),
      [
        [0, 75, 1],
        [75, 105, 2],
        [105, 180, 1],
      ],
    );
  }
});

test('[C58] each source frame has the same time as without the transition; outside the trim, the file continues', () => {
  const rate = { num: 30, den: 1 };
  const cut = made(pair({ kind: 'crossfade', duration: 1 }).map((clip) => ({ ...clip, transition: undefined })));
  const crossed = made(pair({ kind: 'crossfade', duration: 1 }));
  for (const [clip, range] of [
    [0, [0, 90]],
    [1, [90, 180]],
  ] as const) {
    for (let n = range[0]; n < range[1]; n += 1) {
      assert.equal(clipTime(crossed.clips[clip]!, frames(n), rate), clipTime(cut.clips[clip]!, frames(n), rate));
    }
  }
  const at = (clip: number, n: number) => Math.floor((clipTime(crossed.clips[clip]!, frames(n), rate) * 30) / 1e6);
  assert.deepEqual([at(0, 89), at(0, 90), at(0, 104)], [149, 150, 164]);
  assert.deepEqual([at(1, 75), at(1, 89), at(1, 90)], [285, 299, 300]);
});

test('[C58] where a file ends, its first or last frame holds', () => {
  const media = { ...MEDIA, a: facts('a', { duration: 5 }) };
  const { clips, rate } = made(pair({ kind: 'crossfade', duration: 1 }, {}, { trim_start: 0.2 }), media);
  const at = (clip: number, n: number) => clipTime(clips[clip]!, frames(n), rate);
  assert.equal(at(0, 95), 4_999_999);
  assert.equal(at(0, 104), 4_999_999);
  assert.equal(at(1, 75), 0);
  assert.ok(at(1, 86) > 0);
});

test('[C58] a clip that holds its last frame before the cut keeps holding it', () => {
  const { clips, rate } = made(pair({ kind: 'crossfade' }, { trim_end: 4 }));
  assert.equal(clipTime(clips[0]!, frames(80), rate), 3_999_999);
  assert.equal(clipTime(clips[0]!, frames(96), rate), 3_999_999);
});

test('[C58] a transition longer than its clips is shortened, with a warning; two never share a frame', () => {
  const videos = [
    { file_field: 'a', duration: 2 },
    { file_field: 'b', start: 2, duration: 0.5, transition: { kind: 'push', duration: 3 } },
    { file_field: 'c', start: 2.5, duration: 2, transition: { kind: 'wipe', duration: 3 } },
  ];
  const shortened = made(videos);
  assert.deepEqual(warned(shortened), [
    '/timeline_data/videos/1/transition/duration transition.shortened',
    '/timeline_data/videos/2/transition/duration transition.shortened',
  ]);
  assert.match(shortened.warnings.find(({ code }) => code === 'transition.shortened')!.message, /lasts 0\.5 s/);
  assert.deepEqual(
    shortened.spans.map(({ layers }) => layers.length),
    [1, 2, 2, 1],
  );
});

test('[C58] without a neighbour it starts from the background, with a warning; with a box it is ignored, with a warning', () => {
  const alone = made(pair({ kind: 'dip' }, { duration: 2.9 }));
  assert.deepEqual(warned(alone), ['/timeline_data/videos/1/transition transition.no_neighbour']);
  assert.deepEqual(alone.clips[1]!.transition, { kind: 'dip', frames: 15, from: null });
  assert.equal(alone.clips[1]!.shows.start, 90);

  const boxed = made(pair({ kind: 'dip' }, {}, { width_percent: 50 }));
  assert.deepEqual(warned(boxed), ['/timeline_data/videos/1/transition transition.boxed']);
  assert.equal(boxed.clips[1]!.transition, null);

  const otherLayer = made(pair({ kind: 'dip' }, {}, { layer: 'above_board' }));
  assert.deepEqual(warned(otherLayer), ['/timeline_data/videos/1/transition transition.no_neighbour']);
});

test('[C58] it replaces fades, entrances and exits at the cut, with a warning for each', () => {
  const replaced = made(
    pair({ kind: 'crossfade' }, { fade_out: 1, exit: 'rise', fade_in: 1 }, { fade_in: 1, enter: 'slide', fade_out: 1 }),
  );
  assert.deepEqual(warned(replaced).sort(), [
    '/timeline_data/videos/0/exit transition.replaces',
    '/timeline_data/videos/0/fade_out transition.replaces',
    '/timeline_data/videos/1/enter transition.replaces',
    '/timeline_data/videos/1/fade_in transition.replaces',
  ]);
  const [first, second] = replaced.clips as [ClipLayer, ClipLayer];
  assert.deepEqual([first.fadeIn, first.fadeOut, first.exit], [30, 0, null]);
  assert.deepEqual([second.fadeIn, second.fadeOut, second.enter], [0, 30, null]);
});

test('[C58] invalid fields are refused at their paths, and the message lists the kinds', () => {
  assert.throws(
    () => made(pair({ kind: 'swirl', duration: 5 })),
    (error: { issues: { path: string; code: string; message: string }[] }) => {
      assert.deepEqual(
        error.issues.map(({ path, code }) => `${path} ${code}`),
        [
          '/timeline_data/videos/1/transition/kind field.choice',
          '/timeline_data/videos/1/transition/duration field.range',
        ],
      );
      assert.match(error.issues[0]!.message, /"crossfade", "dip", "wipe", "push", "zoom"/);
      return true;
    },
  );
});

test('[C58] the sounds cross at equal power where both are inside their trims, to the sample', () => {
  const { audio } = made(pair({ kind: 'crossfade', duration: 1 }));
  const [first, second] = audio.clips as [AudioClip, AudioClip];
  assert.deepEqual([first.slot.end, second.slot.start], [144_000 + 24_000, 144_000]);
  const edge = 240;
  for (let sample = 144_000 + edge; sample < 168_000 - edge; sample += 97) {
    const [one, other] = [first, second].map((clip) =>
      clipLevel(clip, clip.slot.end - clip.slot.start, sample - clip.slot.start),
    ) as [number, number];
    assert.ok(Math.abs(one ** 2 + other ** 2 - 1) < 1e-9);
  }
  // A trim that ends at the cut leaves nothing to cross with: not a sample of what was cut off is heard.
  const trimmed = made(pair({ kind: 'crossfade', duration: 1 }, { trim_end: 5 })).audio.clips;
  assert.deepEqual([trimmed[0]!.slot.end, trimmed[0]!.fadeOut, trimmed[1]!.fadeIn], [144_000, 0, 0]);
  // Beside a picture, a sound fades alone.
  const media = { ...MEDIA, b: picture('b') };
  const [alone] = made(pair({ kind: 'crossfade', duration: 1 }, { trim_end: 5 }), media).audio.clips;
  assert.deepEqual([alone!.slot.end, alone!.fadeOut], [144_000, 24_000]);
});

test('[C58] all presets have the same sound, whatever box a clip has in one of them', () => {
  const videos = pair({ kind: 'crossfade', duration: 1 }, {}, { presets: { portrait: { width_percent: 50 } } });
  const plans = DEFAULT_PRESETS.map(({ name }) => made(videos, MEDIA, name));
  assert.equal(new Set(plans.map(({ audio }) => JSON.stringify(audio))).size, 1);
  assert.equal(new Set(plans.map(({ clips }) => clips[1]!.transition === null)).size, 2);
});

test('[C58] a key changes with the kind, the length and the neighbour of a transition, and moves with the passage', () => {
  const keys = (videos: object[]) => made(videos).chunks.map(({ key }) => key);
  const base = keys(pair({ kind: 'crossfade', duration: 1 }));
  for (const other of [
    pair({ kind: 'wipe', duration: 1 }),
    pair({ kind: 'crossfade', duration: 0.8 }),
    pair({ kind: 'crossfade', duration: 1 }, { file_field: 'c' }),
    pair({ kind: 'crossfade', duration: 1 }).reverse(),
  ]) {
    assert.notDeepEqual(keys(other), base);
  }
});

const RATES = [24, 25, 29.97, 30, 60];
const timeline = fc.record({
  fps: fc.constantFrom(...RATES),
  clips: fc.array(
    fc.record({
      length: fc.double({ min: 0.05, max: 4, noNaN: true }),
      gap: fc.constantFrom(0, 0, 0, 0.5),
      speed: fc.constantFrom(0.5, 1, 2),
      transition: fc.option(
        fc.record({
          kind: fc.constantFrom(...CLIP_TRANSITIONS),
          duration: fc.double({ min: 0.1, max: 3, noNaN: true }),
        }),
        { nil: undefined },
      ),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

test('[C58] however long clips and transitions are: at most two clips at once, every cut stays where it is', () => {
  fc.assert(
    fc.property(timeline, ({ fps, clips }) => {
      let at = 0;
      const videos = clips.map(({ length, gap, speed, transition }) => {
        const start = at + gap;
        at = start + length;
        return { file_field: 'a', start, duration: length, trim_start: 20, speed, transition };
      });
      const documents = (sent: readonly object[]) => ({
        tier_list: TIER_LIST,
        timeline_data: { videos: sent },
        settings: { fps },
      });
      const crossed = plan(documents(videos), MEDIA);
      const cut = plan(documents(videos.map((video) => ({ ...video, transition: undefined }))), MEDIA);
      assert.equal(crossed.totalFrames, cut.totalFrames);
      assert.deepEqual(
        crossed.clips.map(({ id }) => id),
        cut.clips.map(({ id }) => id),
      );
      for (const span of crossed.spans) assert.ok(span.layers.length <= 2);
      for (const [index, clip] of crossed.clips.entries()) {
        const own = cut.clips[index]!.shows;
        assert.ok(clip.shows.start <= own.start && own.end <= clip.shows.end);
        assert.equal(clip.shows.start + clip.lead, own.start);
        const middle = frames(Math.floor((own.start + own.end) / 2));
        assert.equal(clipTime(clip, middle, crossed.rate), clipTime(cut.clips[index]!, middle, cut.rate));
        if (clip.transition === null || clip.transition.from === null) continue;
        const from = crossed.clips[clip.transition.from]!;
        assert.equal(from.transitionOut, clip.transition.frames);
        assert.equal(from.shows.end, clip.shows.start + clip.transition.frames);
      }
      for (const sound of crossed.audio.clips)
        assert.ok(sound.slot.end <= sampleAtFrame(crossed.totalFrames as Frames, crossed.rate));
    }),
    { numRuns: 150 },
  );
});

test('[C58] timeline_json of older clients accepts transitions too', () => {
  const videos = [
    { media_id: 'a', duration: 3 },
    { media_id: 'b', start: 3, duration: 3, trim_start: 10, transition: { kind: 'zoom', duration: 0.4 } },
  ];
  const media_manifest = ['a', 'b'].map((media_id) => ({ id: media_id, file_field: media_id }));
  const made = plan({ timeline_json: { videos }, media_manifest } as never, { a: MEDIA.a, b: MEDIA.b });
  assert.deepEqual(made.clips[1]!.transition, { kind: 'zoom', frames: 12, from: 0 });
});

test('[C58] of many clips that meet at one frame, each is replaced once', () => {
  const transition = { kind: 'crossfade', duration: 1 };
  const count = 8;
  const before = Array.from({ length: count }, () => ({ file_field: 'a', duration: 3 }));
  const after = Array.from({ length: count + 1 }, () => ({ file_field: 'b', start: 3, duration: 3, transition }));
  const crossed = made([...before, ...after]);
  const alone = warned(crossed).filter((warning) => warning.endsWith('transition.no_neighbour'));
  assert.deepEqual(alone, [`/timeline_data/videos/${2 * count}/transition transition.no_neighbour`]);
});
