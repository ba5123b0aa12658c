import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LAYOUT_NAMES, type LayoutName, layoutPlaces, layoutWords } from '../document/layout-commands.ts';
import { chooseFiles, MEDIA_FILES, takeFiles } from '../files/take-files.ts';
import { Icon, type IconName } from '../kit/icon.tsx';
import { type Choice, Radios } from '../kit/radios.tsx';
import { isFullPageDrawn } from '../preview/canvas-client.tsx';
import { whereFilesAre } from '../session/may-send.ts';
import { decided } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import { timecode } from '../session/transport.ts';
import * as texts from '../texts/en/take.ts';
import { choices, listDevices, setChoices } from './devices.ts';
import { LevelMeter, LivePicture, lengthWords, useRoom } from './live-parts.tsx';
import { take } from './page-take.ts';
import { hasTake, type TakeSource } from './take.ts';

const SOURCES: readonly { readonly value: TakeSource; readonly icon: IconName; readonly words: string }[] = [
  { value: 'camera', icon: 'camera', words: texts.camera },
  { value: 'screen', icon: 'screen', words: texts.screen },
  { value: 'voice', icon: 'mic', words: texts.voice },
  { value: 'play', icon: 'play', words: texts.perform },
];

/** Before a recording: live preview, devices, and where the take starts. */
export function SetUp() {
  const { source } = choices.value;
  const isBlocked = source !== 'play' && take.stream.value === null;
  const cards = take.cardsLeft.value.length;
  return (
    <>
      <section class="tk-main">
        <header class="tk-head">
          <div>
            <h1 id="take-title">{texts.title}</h1>
            <p class="q">{texts.subtitle}</p>
          </div>
          {isFullPageDrawn.value && (
            <span class="tk-fine">
              <Icon name="check" />
              {texts.looks}
            </span>
          )}
        </header>
        <LivePicture class="tk-canvas" mirrored={choices.value.mirror} />
        {take.hasPicture && <LayoutChoice />}
      </section>
      <aside class="tk-side">
        <div class="tk-scroll">
          <button type="button" class="bt tk-back" onClick={() => take.leave()}>
            <Icon name="close" />
            {texts.back}
            <kbd>{texts.keys.escape}</kbd>
          </button>
          <h2>{texts.record}</h2>
          <Radios
            label={texts.record}
            class="seg tk-sources"
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
              setChoices({ source: value as TakeSource });
              take.preselectStart();
              void take.openStream();
            }}
          />
          <p class="q">{texts.sourceNotes[source]}</p>
          {take.deviceFault.value !== null && (
            <p class="tk-fault" role="alert">
              <Icon name="error" />
              <span>{texts.deviceFaults[take.deviceFault.value]}</span>
              <button type="button" class="bt" onClick={() => void take.openStream()}>
                {texts.tryAgain}
              </button>
            </p>
          )}
          {source === 'camera' && <DeviceChoice kind="videoinput" label={texts.camera} of="camera" />}
          {source !== 'play' && (
            <>
              <DeviceChoice kind="audioinput" label={texts.microphone} of="microphone" />
              <LevelMeter words />
            </>
          )}
          <Beginning />
          {take.asksForRanking.value && <RankingChoice />}
          {take.isPerformed.value && <Switch label={texts.nextCard} note={texts.nextCardNote} of="nextCard" />}
          {source !== 'play' && (
            <>
              <Switch label={texts.countDown} of="countDown" />
              {source === 'camera' && <Switch label={texts.mirror} note={texts.mirrorNote} of="mirror" />}
              <DelayFields />
              <Room />
              <p class="tk-note">
                <Icon name="lock" />
                <span>
                  <b>{texts.stays}</b>
                  <span class="q">
                    {whereFilesAre()} {texts.atMostLost}
                  </span>
                </span>
              </p>
            </>
          )}
        </div>
        <footer>
          {take.isPerformed.value && decided.value.tier_list.items.length === 0 && (
            <button type="button" class="bt wide" onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
              <Icon name="picture" />
              {texts.addCards}
            </button>
          )}
          <button type="button" class="bt prim tk-go" disabled={isBlocked} onClick={() => void take.start()}>
            <Icon name={source === 'play' ? 'play' : 'record'} />
            {source === 'play' ? texts.start : texts.record}
            <kbd>{texts.keys.space}</kbd>
          </button>
          <p class="q">{texts.cardsToRank(cards, timecode(take.startFrame.value))}</p>
        </footer>
      </aside>
    </>
  );
}

/** Where on the timeline the take starts; an existing take is replaced from there on, except by a voice-over. */
function Beginning() {
  const places = hasTake() && take.isPerformed.value ? texts.placesAfterTake : texts.places;
  const words = (['start', 'playhead', 'end'] as const).map((value) => ({ value, words: places[value] }));
  return (
    <div class="tk-field">
      <span>{texts.startsAtTime(timecode(take.startFrame.value))}</span>
      <Radios
        label={texts.startsAt}
        class="seg"
        value={take.where.value}
        choices={words}
        onChoose={(value) => {
          take.where.value = value;
        }}
      />
    </div>
  );
}

/** What becomes of the cards that are ranked before the take. */
function RankingChoice() {
  const value = take.keepsRanking.value ? 'on' : 'again';
  return (
    <div class="tk-field">
      <span>{texts.ranking}</span>
      <Radios
        label={texts.ranking}
        class="seg tk-rankings"
        value={value}
        choices={(['again', 'on'] as const).map((each) => ({ value: each, words: texts.rankings[each] }))}
        onChoose={(chosen) => {
          take.keepsRanking.value = chosen === 'on';
        }}
      />
      <p class="q">{texts.rankingNotes[value]}</p>
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
  readonly of: 'countDown' | 'mirror' | 'nextCard';
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
        onChange={(event) => setChoices({ [of]: event.currentTarget.checked })}
      />
    </label>
  );
}

/** How long the recording can be with the free space. */
function Room() {
  const room = useRoom();
  if (room === null) return null;
  const { bytes, seconds, perMinute } = room;
  return (
    <p class="tk-note">
      <Icon name="disk" />
      <span>
        <b>{texts.space(lengthWords(seconds))}</b>
        <span class="q">{texts.spaceNote((bytes / 1e9).toFixed(1), Math.round(perMinute / 1e6))}</span>
      </span>
    </p>
  );
}

/** The layouts of camera and board to choose from, each with its picture. */
function LayoutChoice() {
  const preset = shownPreset.value;
  const all: readonly Choice<string>[] = LAYOUT_NAMES.map((name) => {
    const { board, cam } = layoutPlaces(name, preset);
    return {
      value: name,
      words: (
        <>
          <span
            class="lay"
            style={{
              aspectRatio: `${preset.width} / ${preset.height}`,
              '--ratio': String(preset.width / preset.height),
            }}
          >
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
      <h2>{texts.layout}</h2>
      <Radios
        label={texts.layout}
        class="tk-lays"
        value={take.layout.value as string}
        choices={all}
        onChoose={(name) => {
          take.layout.value = name as LayoutName;
        }}
      />
    </div>
  );
}

const MAX_DELAY_MS = 500;

/** The devices of one kind; the choice is stored. */
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
  const source = take.stream.value;
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
          void take.openStream();
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
function DelayFields() {
  const tracks = take.stream.value?.getTracks() ?? [];
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
