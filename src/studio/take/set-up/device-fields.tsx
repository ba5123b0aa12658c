import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../kit/icon.tsx';
import * as texts from '../../texts/en/take.ts';
import { openStream } from '../control/enter-take.ts';
import { stream } from '../control/take-state.ts';
import { choices, listDevices, setChoices } from '../devices.ts';

const MAX_DELAY_MS = 500;

/** The devices of one kind; the choice is stored. */
export function DeviceChoice({
  kind,
  label,
  of,
}: {
  readonly kind: MediaDeviceKind;
  readonly label: string;
  readonly of: 'camera' | 'microphone';
}) {
  const devices = useSignal<readonly MediaDeviceInfo[]>([]);
  const source = stream.value;
  useEffect(() => {
    const list = () =>
      void listDevices(kind).then((found) => {
        devices.value = found;
      });
    list();
    navigator.mediaDevices?.addEventListener('devicechange', list);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', list);
  }, [source, kind]);
  const [track] = (kind === 'videoinput' ? source?.getVideoTracks() : source?.getAudioTracks()) ?? [];
  const used = track?.getSettings().deviceId ?? '';
  return (
    <label class="tk-field">
      <span>{label}</span>
      <select
        value={used}
        disabled={devices.value.length === 0}
        onChange={(event) => {
          setChoices({ [of]: event.currentTarget.value });
          void openStream();
        }}
      >
        {devices.value.length === 0 && <option value="">{texts.noDevice}</option>}
        {devices.value.map(({ deviceId, label: name }, i) => (
          <option key={deviceId} value={deviceId}>
            {name === '' ? texts.deviceNumber(label, i + 1) : name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The latency of a device cannot be measured. It is set here and stored for the device. */
export function DelayFields() {
  const tracks = stream.value?.getTracks() ?? [];
  return (
    <details class="tk-delays">
      <summary>
        <Icon name="right" />
        {texts.delays}
      </summary>
      {tracks.map((track) => {
        const id = track.getSettings().deviceId ?? '';
        const delay = choices.value.delays[id] ?? 0;
        return (
          <label key={track.id} class="tk-field">
            <span>{(track.kind === 'video' ? texts.pictureDelay : texts.soundDelay)(delay)}</span>
            <input
              type="range"
              min={-MAX_DELAY_MS}
              max={MAX_DELAY_MS}
              step={10}
              value={delay}
              onInput={(event) =>
                setChoices({ delays: { ...choices.value.delays, [id]: Number(event.currentTarget.value) } })
              }
            />
          </label>
        );
      })}
    </details>
  );
}
