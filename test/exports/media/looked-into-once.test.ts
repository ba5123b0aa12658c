import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from '../../../src/exports/gate.ts';
import { CLIP } from '../../service/sample-request.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

test('concurrent exports probe the same clip once for each tenant', async () => {
  let looks = 0;
  await using exports = await ExportsFixture.open({}, undefined, ({ host }) => ({
    probing: new Gate(1),
    host: new Proxy(host, {
      get: (target, name) => {
        if (name === 'probe') looks += 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  }));
  const submit = (text: string, tenant: string) => {
    const timeline_data = {
      videos: [{ file_field: 'clip', duration: 1 }],
      subtitles: [{ text, start: 0, duration: 1 }],
    };
    return exports.api.submit(exports.submission({ timeline_data }, { clip: CLIP.file }, { tenant }), uncancelled);
  };
  await Promise.all(['a', 'b', 'c', 'd'].map((text) => submit(text, 'default')));
  assert.equal(looks, 1);
  await submit('e', 'another');
  assert.equal(looks, 2);
});
