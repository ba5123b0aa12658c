import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaPaths, projectFileOf } from '../../src/archive/project-archive.ts';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];

test('[C89, C82] both shapes of a project get the paths of their media in an archive', () => {
  const project = {
    media: { clip: `sha256:${A}`, web: 'https://cdn.example/x.png' },
    media_refs: { song: B },
    studio: { media: { clip: { name: 'take.MP4' } } },
  };
  const paths = mediaPaths([project]);
  assert.deepEqual(
    [...paths],
    [
      [B, `media/${B}`],
      [A, `media/${A}.mp4`],
    ],
  );
  const { media, media_refs } = projectFileOf(project, paths);
  assert.deepEqual(media, { clip: `media/${A}.mp4`, web: 'https://cdn.example/x.png', song: `media/${B}` });
  assert.equal(media_refs, undefined);
  assert.deepEqual(projectFileOf(project, new Map()).media, project.media, 'what is not stored stays a reference');
});
