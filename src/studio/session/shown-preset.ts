import { computed } from '@preact/signals';
import type { Preset } from '../../timeline/presets.ts';
import { studioConfig } from '../kit/assets.ts';
import { shownPresetName } from './session.ts';

/** The preset that the preview shows. */
export const shownPreset = computed<Preset>(
  () => studioConfig.presets.find(({ name }) => name === shownPresetName.value) ?? studioConfig.presets[0],
);
