import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LAYOUT_NAMES, type LayoutName, layoutPlaces, layoutWords } from '../document/layout-commands.ts';
import { waitingItems } from '../document/take/performance.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon, type IconName } from '../kit/icon.tsx';
import { type Choice, Radios } from '../kit/radios.tsx';
import { decided, shape } from '../session/session.ts';
import { timecode } from '../session/transport.ts';
import { choices, choose, listDevices, type TakeSource } from './devices.ts';
import { LevelMeter } from './level-meter.tsx';
import { LivePicture } from './live-picture.tsx';
import { lengthWords, useRoom } from './room.ts';
import {
  deviceFault,
  hasPicture,
  hasTake,
  layout,
  leaveTake,
  openStream,
  performed,
  startFrame,
  startTake,
  stream,
  type Where,
  where,
} from './take-session.ts';
import { DEVICE_WORDS, WORDS } from './words.ts';

const SOURCES: readonly { readonly value: TakeSource; readonly icon: IconName; readonly words: string }[] = [
  { value: 'camera', icon: 'camera', words: 'Camera' },
  { value: 'screen', icon: 'screen', words: 'Screen' },
  { value: 'voice', icon: 'mic', words: 'Voice' },
  { value: 'play', icon: 'play', words: 'Perform' },
];

const SOURCE_NOTES: Readonly<Record<TakeSource, string>> = {
  camera: 'Records your camera and microphone while you rank.',
  screen: 'Records a screen or a window, and your microphone, while you rank.',
  voice: 'Records a voice-over. The timeline plays along; nothing else changes.',
  play: 'Records nothing. The timeline plays, and you rank along with it.',
};

/** Before anything is recorded: what the video will look like, devices, where it begins. */
export function SetUp() {
  const { source } = choices.value;
  const isBlocked = source !== 'play' && stream.value === null;
  const cards = waitingItems(decided.value.tier_list, performed.value).length;
  return (
    <>
      <section class="tk-main">
        <header class="tk-head">
          <div>
            <h1 id="take-title">{WORDS.title}</h1>
            <p class="q">{WORDS.subtitle}</p>
          </div>
          <span class="tk-fine">
            <Icon name="check" />
            {WORDS.looks}
          </span>
        </header>
        <div class="tk-stage">
          <LivePicture mirrored={choices.value.mirror} />
        </div>
        {hasPicture() && <Layouts />}
      </section>
      <aside class="tk-side">
        <div class="tk-scroll">
          <button type="button" class="bt tk-back" onClick={leaveTake}>
            <Icon name="close" />
            {WORDS.back}
            <kbd>Esc</kbd>
          </button>
          <h2>Record</h2>
          <Radios
            label="Record"
            class="seg"
            value={source}
            choices={SOURCES.map(({ value, icon, words }) => ({
              value,
              words: (
                <>
                  <Icon name={icon} />
                  {words}
                </>
              ),
            }))}
            onChoose={(value) => {
              choose({ source: value as TakeSource });
              void openStream();
            }}
          />
          <p class="q">{SOURCE_NOTES[source]}</p>
          {deviceFault.value !== null && (
            <p class="tk-fault" role="alert">
              <Icon name="error" />
              <span>{DEVICE_WORDS[deviceFault.value]}</span>
              <button type="button" class="bt" onClick={() => void openStream()}>
                Try again
              </button>
            </p>
          )}
          {source === 'camera' && <DeviceChoice kind="videoinput" label="Camera" of="camera" />}
          {source !== 'play' && (
            <>
              <DeviceChoice kind="audioinput" label="Microphone" of="microphone" />
              <LevelMeter words />
            </>
          )}
          <Beginning />
          {source !== 'play' && (
            <>
              <Switch label="Count down 3-2-1" of="countDown" />
              {source === 'camera' && (
                <Switch label="Mirror my picture" note="Only here. The video is not mirrored." of="mirror" />
              )}
              <Delays />
              <Room />
              <p class="tk-note">
                <Icon name="lock" />
                <span>
                  <b>{WORDS.stays}</b>
                  <span class="q">{WORDS.staysMore}</span>
                </span>
              </p>
            </>
          )}
        </div>
        <footer>
          <button type="button" class="bt prim tk-go" disabled={isBlocked} onClick={() => void startTake()} autofocus>
            <Icon name={source === 'play' ? 'play' : 'record'} />
            {source === 'play' ? 'Start' : 'Record'}
            <kbd>Space</kbd>
          </button>
          <p class="q">
            {cards} {cards === 1 ? 'card waits' : 'cards wait'}. The take starts at {timecode(startFrame.value)}.
          </p>
        </footer>
      </aside>
    </>
  );
}

function Layouts() {
  const preset = studioConfig.presets.find(({ name }) => name === shape.value) ?? studioConfig.presets[0];
  const all: readonly Choice<string>[] = LAYOUT_NAMES.map((name) => {
    const { board, cam } = layoutPlaces(name, preset);
    return {
      value: name,
      words: (
        <>
          <span class="lay" style={{ aspectRatio: `${preset.width} / ${preset.height}` }}>
            {(
              [
                ['lay-cam', cam],
                ['lay-board', board],
              ] as const
            ).map(([kind, { x, y, width, height }]) => (
              <i
                key={kind}
                class={kind}
                style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
              />
            ))}
          </span>
          {layoutWords(name)}
        </>
      ),
    };
  });
  return (
    <div class="tk-layouts">
      <h2>Layout</h2>
      <Radios
        label="Layout"
        class="tk-lays"
        value={layout.value as string}
        choices={all}
        onChoose={(name) => {
          layout.value = name as LayoutName;
        }}
      />
    </div>
  );
}

/** The devices of one kind; the chosen one is remembered. */
function DeviceChoice({
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
          choose({ [of]: event.currentTarget.value });
          void openStream();
        }}
      >
        {devices.value.length === 0 && <option value="">None</option>}
        {devices.value.map(({ deviceId, label: name }, i) => (
          <option key={deviceId} value={deviceId}>
            {name === '' ? `${label} ${i + 1}` : name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Where on the timeline it begins; a take that is there already is replaced from there on. */
function Beginning() {
  const words: readonly Choice<Where>[] = [
    { value: 'start', words: hasTake() ? 'Replace' : 'Start' },
    { value: 'playhead', words: hasTake() ? 'Retake' : 'Playhead' },
    { value: 'end', words: hasTake() ? 'Append' : 'End' },
  ];
  return (
    <div class="tk-field">
      <span>Begins at {timecode(startFrame.value)}</span>
      <Radios
        label="Begins at"
        class="seg"
        value={where.value}
        choices={words}
        onChoose={(value) => {
          where.value = value;
        }}
      />
    </div>
  );
}

function Switch({
  label,
  note,
  of,
}: {
  readonly label: string;
  readonly note?: string;
  readonly of: 'countDown' | 'mirror';
}) {
  return (
    <label class="tk-switch">
      <span>
        <b>{label}</b>
        {note !== undefined && <span class="q">{note}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={choices.value[of]}
        checked={choices.value[of]}
        onChange={(event) => choose({ [of]: event.currentTarget.checked })}
      />
    </label>
  );
}

const MOST_DELAY_MS = 500;

/** What a device itself is late by cannot be measured; it is set here, and remembered for the device. */
function Delays() {
  const tracks = stream.value?.getTracks() ?? [];
  return (
    <details class="tk-delays">
      <summary>
        <Icon name="right" />
        Sync of devices
      </summary>
      {tracks.map((track) => {
        const id = track.getSettings().deviceId ?? '';
        const delay = choices.value.delays[id] ?? 0;
        return (
          <label key={track.id} class="tk-field">
            <span>
              {track.kind === 'video' ? 'Picture' : 'Sound'} is late by {delay} ms
            </span>
            <input
              type="range"
              min={-MOST_DELAY_MS}
              max={MOST_DELAY_MS}
              step={10}
              value={delay}
              onInput={(event) =>
                choose({ delays: { ...choices.value.delays, [id]: Number(event.currentTarget.value) } })
              }
            />
          </label>
        );
      })}
    </details>
  );
}

/** How long it can be, by what is free. */
function Room() {
  const room = useRoom();
  if (room === null) return null;
  const { bytes, seconds, perMinute } = room;
  return (
    <p class="tk-note">
      <Icon name="disk" />
      <span>
        <b>Room for {lengthWords(seconds)}</b>
        <span class="q">
          {(bytes / 1e9).toFixed(1)} GB free, about {Math.round(perMinute / 1e6)} MB a minute.
        </span>
      </span>
    </p>
  );
}
