import { waitingItems } from '../../document/take/performance.ts';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { Radios } from '../../kit/radios.tsx';
import { isFullPageDrawn } from '../../preview/stage-client.ts';
import { decided } from '../../session/session.ts';
import { timecode } from '../../session/transport.ts';
import * as texts from '../../texts/en/take.ts';
import { hasTake, leaveTake, openStream, preselectStart } from '../control/enter-take.ts';
import { startTake } from '../control/run-take.ts';
import { deviceFault, hasPicture, isPerformed, performed, startFrame, stream, where } from '../control/take-state.ts';
import { choices, setChoices, type TakeSource } from '../devices.ts';
import { LevelMeter } from '../level-meter.tsx';
import { LivePicture } from '../live-picture.tsx';
import { lengthWords, useRoom } from '../room.ts';
import { DelayFields, DeviceChoice } from './device-fields.tsx';
import { LayoutChoice } from './layout-choice.tsx';

const SOURCES: readonly { readonly value: TakeSource; readonly icon: IconName; readonly words: string }[] = [
  { value: 'camera', icon: 'camera', words: texts.camera },
  { value: 'screen', icon: 'screen', words: texts.screen },
  { value: 'voice', icon: 'mic', words: texts.voice },
  { value: 'play', icon: 'play', words: texts.perform },
];

/** Before a recording: live preview, devices, and where the take starts. */
export function SetUp() {
  const { source } = choices.value;
  const isBlocked = source !== 'play' && stream.value === null;
  const cards = waitingItems(decided.value.tier_list, performed.value).length;
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
        <LivePicture class="tk-stage" mirrored={choices.value.mirror} />
        {hasPicture() && <LayoutChoice />}
      </section>
      <aside class="tk-side">
        <div class="tk-scroll">
          <button type="button" class="bt tk-back" onClick={leaveTake}>
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
              preselectStart();
              void openStream();
            }}
          />
          <p class="q">{texts.sourceNotes[source]}</p>
          {deviceFault.value !== null && (
            <p class="tk-fault" role="alert">
              <Icon name="error" />
              <span>{texts.deviceFaults[deviceFault.value]}</span>
              <button type="button" class="bt" onClick={() => void openStream()}>
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
                  <span class="q">{texts.staysNote}</span>
                </span>
              </p>
            </>
          )}
        </div>
        <footer>
          <button type="button" class="bt prim tk-go" disabled={isBlocked} onClick={() => void startTake()} autofocus>
            <Icon name={source === 'play' ? 'play' : 'record'} />
            {source === 'play' ? texts.start : texts.record}
            <kbd>{texts.keys.space}</kbd>
          </button>
          <p class="q">{texts.cardsToRank(cards, timecode(startFrame.value))}</p>
        </footer>
      </aside>
    </>
  );
}

/** Where on the timeline the take starts; an existing take is replaced from there on, except by a voice-over. */
function Beginning() {
  const places = hasTake() && isPerformed.value ? texts.placesAfterTake : texts.places;
  const words = (['start', 'playhead', 'end'] as const).map((value) => ({ value, words: places[value] }));
  return (
    <div class="tk-field">
      <span>{texts.startsAtTime(timecode(startFrame.value))}</span>
      <Radios
        label={texts.startsAt}
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
