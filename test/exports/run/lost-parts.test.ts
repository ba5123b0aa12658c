import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { RenderHost } from '../../../src/sandbox/render-host.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const LONG = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 60 }] } };
const signal = AbortSignal.timeout(120_000);

/** Children that do what they are asked, except where `refuses` finds a reason not to. */
function refusing(host: RenderHost, refuses: (operation: string, preset: string) => ExportError | null): RenderHost {
  const open: RenderHost['open'] = async (task) => {
    const child = await host.open(task);
    const request = child.request.bind(child);
    child.request = (operation, params, options) => {
      const { preset } = (params as { plan?: { preset: string } }).plan ?? { preset: '' };
      const error = refuses(operation, preset);
      return error === null ? request(operation, params, options) : Promise.reject(error);
    };
    return child;
  };
  return new Proxy(host, {
    get: (target, name) => {
      const value = name === 'open' ? open : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('[C34] a shape that fails beside a fine one takes its jobs along, and says why', async () => {
  const tried: string[] = [];
  await using exports = await ExportsFixture.open({}, undefined, ({ host }) => ({
    host: refusing(host, (operation, preset) => {
      tried.push(`${operation} ${preset}`);
      if (operation !== 'render_chunks' || preset !== 'preset_two') return null;
      return new ExportError('invalid', 'media.broken', 'The clip is broken.');
    }),
  }));
  exports.startWorker();
  const { id } = await exports.api.submit(exports.submission(LONG), signal);
  const { state, failure, outputs } = (await Array.fromAsync(exports.api.follow(id, signal))).at(-1)!;
  assert.deepEqual(
    [state, failure, ...outputs.map((output) => output.state)],
    ['completed', null, 'completed', 'failed', 'completed'],
    exports.logged.join('\n'),
  );
  assert.equal(outputs[1]!.failure?.code, 'media.broken');
  assert.equal(tried.filter((what) => what === 'render_chunks preset_two').length, 1, 'nobody goes on for nothing');
  const left = await exports.ports.database.query(
    `select id, state from jobs where state <> 'done' and id like '%preset_two%'`,
  );
  assert.deepEqual(left, []);
  assert.doesNotMatch(exports.logged.join('\n'), /not under way|stumbled/);
});

test('[C28] a poster that cannot be made costs the poster, not the video', async () => {
  await using exports = await ExportsFixture.open({}, undefined, ({ host }) => ({
    host: refusing(host, (operation) =>
      operation === 'render_still' ? new ExportError('internal', 'render.crashed', 'It ended.') : null,
    ),
  }));
  exports.startWorker();
  const { id } = await exports.api.submit(exports.submission(LONG), signal);
  const { state, warnings, outputs } = (await Array.fromAsync(exports.api.follow(id, signal))).at(-1)!;
  assert.deepEqual(
    [state, ...outputs.map((output) => output.state)],
    ['completed', 'completed', 'completed', 'completed'],
    exports.logged.join('\n'),
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['poster.failed'],
  );
  assert.equal(await exports.api.poster(id), null);
  assert.ok((await exports.api.openOutput(id, 'preset_one')) !== null);
});
