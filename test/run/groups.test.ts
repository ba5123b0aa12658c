import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupOf, isSerial, placeOf, sharesProcess, unusedPatterns } from './groups.ts';
import { testFiles } from './test-files.ts';

const FILES = testFiles();

function fileOf(path: string) {
  const file = FILES.find((one) => one.path === path);
  assert.ok(file, `there is no ${path}`);
  return file;
}

test('the imports of a test file, direct or indirect, show whether it can start a program, and which', () => {
  assert.equal(fileOf('test/time.test.ts').startsProcesses, false);
  assert.equal(fileOf('test/service/walk.test.ts').startsProcesses, true);
  const browser = fileOf('test/studio/page/shell.test.ts');
  assert.deepEqual([browser.usesBrowser, groupOf(browser)], [true, 'all']);
});

test('a file whose tests run side by side is known by its text', () => {
  assert.equal(fileOf('test/store/s3/s3-faults.test.ts').isConcurrent, true);
  assert.equal(fileOf('test/time.test.ts').isConcurrent, false);
});

test('a test file is quick unless the table says otherwise, and every file in the table exists', () => {
  assert.equal(groupOf(fileOf('test/time.test.ts')), 'quick');
  assert.equal(groupOf(fileOf('test/cluster/service.test.ts')), 'all');
  assert.equal(groupOf(fileOf('test/cluster/faults.test.ts')), 'slow');
  assert.deepEqual(unusedPatterns(FILES), []);
});

test('tests that measure time run alone', () => {
  assert.ok(isSerial(fileOf('test/cluster/faults.test.ts')));
  assert.ok(isSerial({ ...fileOf('test/time.test.ts'), readsClock: true }));
  assert.ok(!isSerial(fileOf('test/time.test.ts')));
});

test('quick files share processes, unless they measure theirs; whole services and concurrent tests have their own', () => {
  const shared = ['time', 'http/routes/usage'].map((name) => fileOf(`test/${name}.test.ts`));
  const apart = ['outbound/costly-responses', 'store/s3/s3-faults', 'cluster/service', 'studio/page/shell'];
  assert.deepEqual(shared.map(sharesProcess), [true, true]);
  assert.deepEqual(
    apart.map((name) => sharesProcess(fileOf(`test/${name}.test.ts`))),
    apart.map(() => false),
  );
});

test('the files that take longest are begun first', () => {
  const places = ['test/hostile/requests/held-loop', 'test/studio/page/shell', 'test/cluster/service'].map((name) =>
    placeOf(fileOf(`${name}.test.ts`)),
  );
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(places).size, 3);
});

test('few files keep goldens, none of them in a browser', () => {
  const golden = FILES.filter(({ hasGoldens }) => hasGoldens);
  assert.ok(golden.length > 0 && golden.length < 20);
  assert.ok(golden.some(({ path }) => path === 'test/plan/plan-goldens.test.ts'));
  assert.ok(golden.every(({ usesBrowser }) => !usesBrowser));
});
