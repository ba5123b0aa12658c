import { settings } from '../session/session.ts';
import { heardLoudness } from '../session/transport.ts';
import * as texts from '../texts/en/loudness.ts';

/** During playback: the loudness of the last three seconds, before normalization. */
export function Loudness() {
  const tenths = heardLoudness.value;
  if (tenths === null) return null;
  const words = texts.lufs((tenths / 10).toFixed(1).replace('-', '−'));
  const aim = settings.value.loudness;
  return (
    <span
      class="pv-loud"
      role="meter"
      aria-label={texts.loudness}
      aria-valuemin={-70}
      aria-valuemax={0}
      aria-valuenow={tenths / 10}
      aria-valuetext={words}
      title={aim === undefined ? texts.loudnessKept : texts.loudnessSet(aim)}
    >
      {words}
    </span>
  );
}
