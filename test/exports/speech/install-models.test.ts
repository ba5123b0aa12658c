import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ExportError } from '../../../src/errors.ts';
import { InstallModels } from '../../../src/exports/speech/install-models.ts';
import { CAPTION_MODELS, MODEL_FILES } from '../../../src/speech/models/caption-models.ts';
import { InstalledModels, modelFolder } from '../../../src/speech/models/installed-models.ts';
import { tempFolder } from '../../store/temp-folder.ts';

/** Models that are fetched when the test lets them. */
function modelsIn(t: TestContext, installsAtFirstUse: boolean) {
  const modelsDir = tempFolder(t);
  const clock = { ms: 0 };
  const fetches: { readonly fetched: () => void; readonly failed: (error: Error) => void }[] = [];
  const logged: string[] = [];
  const installs = new InstallModels({
    ...{ modelsDir, models: new InstalledModels(modelsDir), installsAtFirstUse, now: () => clock.ms },
    log: (_, message) => logged.push(message),
    install: async (folder, name, { signal, onPackage = () => {} }) => {
      for (const packed of CAPTION_MODELS[name].packages) {
        onPackage(packed);
        await new Promise<void>((fetched, failed) => {
          fetches.push({ fetched, failed });
          signal.addEventListener('abort', () => failed(signal.reason));
        });
      }
      const made = modelFolder(folder, name);
      mkdirSync(made);
      writeFileSync(join(made, MODEL_FILES.decoder), '');
      return made;
    },
  });
  t.after(() => installs[Symbol.dispose]());
  const next = async (error?: Error) => {
    const { fetched, failed } = fetches.shift()!;
    if (error === undefined) fetched();
    else failed(error);
    await turn();
  };
  const states = () => installs.list().map(({ state, progress }) => `${state} ${progress.toFixed(2)}`);
  return { installs, clock, fetches, logged, next, states };
}

test('[C77] a model is installed once, with progress by package', async (t) => {
  const { installs, fetches, logged, next, states } = modelsIn(t, false);
  assert.deepEqual(states(), ['available 0.00', 'available 0.00']);
  assert.throws(() => installs.requireModel(), { code: 'captions.no_model' });
  assert.equal(installs.install('base').state, 'installing');
  installs.install('base');
  assert.equal(fetches.length, 1, 'a second request starts no second download');
  assert.throws(() => installs.requireModel(), { code: 'captions.installing', kind: 'unavailable' });
  await next();
  assert.deepEqual(states(), ['installing 0.79', 'available 0.00']);
  await next();
  assert.deepEqual(states(), ['installed 1.00', 'available 0.00']);
  installs.requireModel();
  assert.equal(installs.install('base').state, 'installed');
  assert.deepEqual([fetches.length, logged], [0, ['speech model being installed', 'speech model installed']]);
});

test('[C77] the first request installs the best model if the service may; a failure is reported for a minute', async (t) => {
  const { installs, clock, fetches, next, states } = modelsIn(t, true);
  assert.throws(() => installs.requireModel(), { code: 'captions.installing' });
  assert.deepEqual(states(), ['installing 0.00', 'available 0.00']);
  await next(new ExportError('unavailable', 'captions.install_failed', 'The registry is closed.'));
  assert.deepEqual(states(), ['failed 0.00', 'available 0.00']);
  assert.equal(installs.list()[0]!.failure?.message, 'The registry is closed.');
  clock.ms += 59_999;
  assert.throws(() => installs.requireModel(), { code: 'captions.install_failed', message: 'The registry is closed.' });
  assert.equal(fetches.length, 0);
  clock.ms += 1;
  assert.throws(() => installs.requireModel(), { code: 'captions.installing' });
  assert.equal(fetches.length, 1);
});

test('[C77] an installation ends with the service, and is no failure', async (t) => {
  const { installs, logged } = modelsIn(t, true);
  installs.install('tiny');
  installs[Symbol.dispose]();
  await turn();
  assert.deepEqual(logged, ['speech model being installed']);
});
