import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskedFiles } from '../../../src/studio/preview/canvas/asked-files.ts';

/** A page that responds on request. */
function slowPage() {
  const answers: ((file: Blob | null) => void)[] = [];
  const files = new AskedFiles(() => new Promise((answer) => answers.push(answer)));
  return { files, answers };
}

test('a file that arrives during a request for it is requested again if the response is that it is missing', async () => {
  const { files, answers } = slowPage();
  const asked = files.file('a');
  assert.equal(files.came('a'), false);
  answers[0]!(null);
  await Promise.resolve();
  const file = new Blob(['a']);
  answers[1]!(file);
  assert.equal(await asked, file);
  assert.equal(await files.file('a'), file);
  assert.equal(answers.length, 2);
});

test('a missing file is reported once when it arrives, and requested by the next caller that needs it', async () => {
  const { files, answers } = slowPage();
  const asked = files.file('a');
  answers[0]!(null);
  assert.equal(await asked, null);
  assert.deepEqual([files.came('a'), files.came('a'), files.came('b')], [true, false, false]);
  const again = files.file('a');
  answers[1]!(new Blob(['a']));
  assert.equal(await (await again)!.text(), 'a');
});
