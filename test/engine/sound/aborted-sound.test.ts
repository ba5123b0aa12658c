import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { renderSound } from '../../../src/engine/sound/render-sound.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { audioPlan, clipAt } from './sound-plan.ts';
import { samplesOf, tone, wavFile } from './wav-file.ts';

const SECOND = 48_000;

test('[R16] an abort ends it immediately and leaves no file', async () => {
  const file = wavFile([samplesOf(SECOND, tone(440))]);
  const audio = audioPlan([clipAt(0, 3600 * SECOND, { loop: true })]);
  const controller = new AbortController();
  const out = join(clipFolder(), 'aborted.mp4');
  let toldLater = 0;
  const rendered = renderSound({
    plan: { audio },
    files: new Map([[0, file]]),
    out,
    limits: DEFAULT_MEDIA_LIMITS,
    signal: controller.signal,
    onProgress: (share) => {
      assert(share >= 0 && share <= 1);
      if (controller.signal.aborted) toldLater += 1;
      else if (share >= 0.001) controller.abort(new Error('enough'));
    },
  });
  await assert.rejects(rendered, /enough/);
  assert.equal(toldLater, 0, 'not one more second of sound is mixed');
  assert(!existsSync(out) && !existsSync(`${out}.part`));
});
