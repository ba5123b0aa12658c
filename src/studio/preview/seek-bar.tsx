import { playhead } from '../session/session.ts';
import { lengthInFrames, seek, timecode } from '../session/transport.ts';
import * as texts from '../texts/en/late.ts';

/** For touch; with a mouse, the timeline's ruler does it. */
export function SeekBar() {
  return (
    <input
      type="range"
      class="pv-seek"
      aria-label={texts.position}
      aria-valuetext={timecode(playhead.value)}
      min={0}
      max={Math.max(1, lengthInFrames())}
      value={playhead.value}
      onInput={(event) => seek(Number(event.currentTarget.value))}
    />
  );
}
