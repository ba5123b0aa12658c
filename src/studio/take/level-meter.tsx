import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as texts from '../texts/en/take.ts';
import { stream } from './control/take-state.ts';
import { levelOf } from './level.ts';

const QUIET_DB = -60;
/** The good range for speech. */
const [LOW_DB, HIGH_DB] = [-30, -3];

/** The level of the microphone, with a hint. */
export function LevelMeter({ words = false }: { readonly words?: boolean }) {
  const peak = useSignal(QUIET_DB);
  const source = stream.value;
  useEffect(() => {
    if (source === null || source.getAudioTracks().length === 0) return;
    const level = levelOf(source);
    const stop = level.peak.subscribe((value) => {
      peak.value = value;
    });
    return () => {
      stop();
      level[Symbol.dispose]();
    };
  }, [source]);
  const kind = kindOf(peak.value);
  return (
    <div class="tk-level" data-kind={kind}>
      {words && (
        <p>
          <span class="q">{texts.saySomething}</span>
          <b>{texts.levels[kind]}</b>
        </p>
      )}
      <span
        class="tk-meter"
        role="meter"
        aria-label={texts.level}
        aria-valuemin={QUIET_DB}
        aria-valuemax={0}
        aria-valuenow={Math.round(peak.value)}
        aria-valuetext={texts.levelValue(Math.round(peak.value))}
      >
        <i style={{ width: `${(1 - peak.value / QUIET_DB) * 100}%` }} />
      </span>
    </div>
  );
}

function kindOf(db: number): keyof typeof texts.levels {
  if (db > HIGH_DB) return 'loud';
  return db > LOW_DB ? 'good' : 'quiet';
}
