import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf, tone, wavFile } from '../../engine/sound/wav-file.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { refusingHost } from '../refusing-host.ts';

const SECOND = 48_000;
const FILES = {
  music: wavFile([samplesOf(4 * SECOND, tone(100))]),
  voice: wavFile([samplesOf(4 * SECOND, (n) => (n > SECOND && n < 2 * SECOND ? tone(400)(n) : 0))]),
};

/** What an edit changes of the two tracks. */
interface Edit {
  readonly music?: object;
  readonly voice?: object;
}

/** A service that records the operations of its children. */
class NotingService implements AsyncDisposable {
  readonly #fixture: ExportsFixture;
  readonly #asked: string[];

  private constructor(fixture: ExportsFixture, asked: string[]) {
    this.#fixture = fixture;
    this.#asked = asked;
  }

  static async open(): Promise<NotingService> {
    const asked: string[] = [];
    const fixture = await ExportsFixture.open({ prerender: 'selected' }, undefined, ({ host }) => ({
      host: refusingHost(host, (operation) => {
        asked.push(operation);
        return null;
      }),
    }));
    fixture.startWorker();
    return new NotingService(fixture, asked);
  }

  /** Exports music under a voice. @returns how often voice was looked for and sound rendered, and the file's hash. */
  async export({ music, voice }: Edit, tenant = 'one') {
    const { api } = this.#fixture;
    this.#asked.length = 0;
    const soundtracks = [
      { file_field: 'music', role: 'music', start: 0, duration: 3, ...music },
      { file_field: 'voice', role: 'voice', start: 0, duration: 3, ...voice },
    ];
    const submission = this.#fixture.submission({ timeline_data: { soundtracks } }, FILES, { tenant });
    const { id } = await api.submit(submission, uncancelled);
    const { state, outputs } = (await Array.fromAsync(api.follow(id, uncancelled))).at(-1)!;
    assert.equal(state, 'completed', this.#fixture.logged.join('\n'));
    const count = (name: string) => this.#asked.filter((operation) => operation === name).length;
    return { looked: count('find_voice'), rendered: count('render_sound'), sha256: outputs[0]!.sha256 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fixture[Symbol.asyncDispose]();
  }
}

test('[R28] the voice of a source and its trim is found once; later exports of the tenant use it', async () => {
  await using service = await NotingService.open();
  const first = await service.export({});
  assert.deepEqual([first.looked, first.rendered], [1, 1]);

  const quieter: Edit = { music: { volume: 0.5 }, voice: { start: 0.5 } };
  const edited = await service.export(quieter);
  assert.deepEqual([edited.looked, edited.rendered], [0, 1], 'neither levels nor places on the timeline matter');
  const trimmed = await service.export({ voice: { trim_start: 0.5, duration: 2.5 } });
  assert.deepEqual([trimmed.looked, trimmed.rendered], [1, 1]);

  const fresh = await service.export(quieter, 'another');
  assert.deepEqual([fresh.looked, fresh.rendered], [1, 1], 'tenants share nothing');
  assert.equal(edited.sha256, fresh.sha256, 'kept voice gives the same sound as found voice');
  assert.notEqual(edited.sha256, first.sha256);

  const plain = await service.export({ music: { role: undefined }, voice: { trim_start: 0.25 } });
  assert.deepEqual([plain.looked, plain.rendered], [0, 1], 'without music nobody looks');
});
