import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoudnessMeter } from '../../src/sound/dsp/loudness-meter.ts';
import { silentStereo } from '../../src/sound/dsp/stereo.ts';
import { madeSound } from '../../src/sound/made-sounds.ts';
import { SAMPLE_RATE } from '../../src/time.ts';
import { THEMES } from '../../src/timeline/choices.ts';
import { plan } from '../request-builder.ts';

const ROWS = ['S', 'A', 'B', 'C'];

/** The sound of a reveal in each row, `gap` seconds apart. */
function planned(theme: string, reveal: string, gap: number) {
  const items = ROWS.map((label) => ({ id: label, name: label }));
  return plan(
    {
      tier_list: {
        title: 'Snacks',
        rows: ROWS.map((label) => ({ id: label, label, item_ids: [label] })),
        items,
      },
      timeline_data: {
        tier_blocks: [{ start: 0, duration: 18 }],
        tier_tiles: items.map(({ id }, nth) => ({ tier_item_id: id, position: 0.5 + gap * nth, reveal })),
      },
      settings: { theme, reveal_sound: 'theme' },
    },
    {},
  ).audio;
}

/** The loudest three seconds, in LUFS, and the highest sample. */
function loudest({ clips, totalSamples }: ReturnType<typeof planned>): { lufs: number; peak: number } {
  const mix = silentStereo(totalSamples);
  for (const { source, slot, trim, gain } of clips) {
    const sound = madeSound(source as Parameters<typeof madeSound>[0]);
    const first = Math.round((trim.start / 1e6) * SAMPLE_RATE);
    for (let n: number = slot.start; n < slot.end; n += 1) {
      mix.left[n]! += gain * (sound.left[first + n - slot.start] ?? 0);
      mix.right[n]! += gain * (sound.right[first + n - slot.start] ?? 0);
    }
  }
  const meter = new LoudnessMeter();
  let lufs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < totalSamples; at += SAMPLE_RATE / 10) {
    const to = at + SAMPLE_RATE / 10;
    meter.push({ left: mix.left.subarray(at, to), right: mix.right.subarray(at, to) });
    lufs = Math.max(lufs, meter.shortTerm() ?? lufs);
  }
  const peak = mix.left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { lufs, peak };
}

for (const theme of THEMES) {
  test(`[R41] the sounds of ${theme} are heard and stay below −20 LUFS, without clipping`, () => {
    for (const [reveal, gap] of [
      ['spotlight', 3.5],
      ['slam', 1],
      ['pop', 0.5],
    ] as const) {
      const { lufs, peak } = loudest(planned(theme, reveal, gap));
      assert.ok(lufs < -20, `${reveal} every ${gap} s: ${lufs} LUFS`);
      assert.ok(lufs > -50, `${reveal} every ${gap} s: ${lufs} LUFS`);
      assert.ok(peak < 0.9, `${peak}`);
    }
  });

  test(`[R36] before the verdict, ${theme} sounds the same in every row`, () => {
    for (const reveal of ['spotlight', 'slam']) {
      const { clips } = planned(theme, reveal, 4);
      const early = ROWS.map((_, nth) => {
        const at = (0.5 + 4 * nth) * SAMPLE_RATE;
        const own = clips.filter(
          ({ slot }) => slot.start >= at - 0.5 * SAMPLE_RATE && slot.start < at + 3 * SAMPLE_RATE,
        );
        return own.filter(({ slot }) => slot.start < at + 0.2 * SAMPLE_RATE).map(({ source, gain }) => [source, gain]);
      });
      for (const sounds of early.slice(1)) assert.deepEqual(sounds, early[0]);
    }
  });
}

test('[R37] no two themes sound the same', () => {
  const heard = THEMES.map((theme) => planned(theme, 'spotlight', 4).clips.map(({ source, gain }) => [source, gain]));
  assert.equal(new Set(heard.map((sounds) => JSON.stringify(sounds))).size, THEMES.length);
});
