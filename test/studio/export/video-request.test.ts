import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from '../../../src/studio/document/project.ts';
import { requestOfFormats, videoRequest } from '../../../src/studio/document/service-requests.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { ranked } from '../document/project-builder.ts';

test('[C13] an export of some formats starts with the main one, or else the first of them in its own size', () => {
  const settingsOf = (settings: Project['settings'], formats: readonly string[]) =>
    requestOfFormats(videoRequest({ ...ranked(2), settings }), formats, DEFAULT_PRESETS).settings;
  const settings = { preset: 'landscape', width: 1280, height: 720, fps: 30 };
  assert.deepEqual(settingsOf(settings, ['preset_one', 'preset_three']), settings);
  assert.deepEqual(settingsOf(settings, ['preset_two', 'preset_three']), { preset: 'preset_two', fps: 30 });
  assert.deepEqual(settingsOf({ fps: 30 }, ['preset_one']), { fps: 30 }, 'the first preset is the default');
});
