import { Icon, IconButton, type IconName } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { openTake } from '../session/open-take.ts';
import { spreadEvenly } from '../session/reveal-edits.ts';
import { snapping, zoom } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline.ts';
import { isRecording } from './act/recording.ts';
import { recorder } from './act/reveal-recorder.ts';
import { openOrder, removeSelected, revealHere, splitHere, zoomBy, zoomToFit } from './act/timeline-actions.ts';
import { rippling, scale, selectedRefs } from './act/timeline-model.ts';
import { penOn } from './act/volume-pen.ts';
import { MAX_PX_PER_SECOND, MIN_PX_PER_SECOND } from './view/time-scale.ts';

const AddLines = shownLater(async () => (await import('./add-lines.tsx')).AddLines);

/** The buttons above the lanes. */
export function TimelineTools() {
  const isNone = selectedRefs.value.length === 0;
  return (
    <div class="tl-tools">
      <div class="tl-group">
        <Menu
          class="bt"
          button={
            <>
              <Icon name="plus" />
              <span class="tl-word">{page.add}</span>
            </>
          }
        >
          <AddLines />
        </Menu>
        <Tool icon="scissors" label={texts.splitHere} hint={texts.splitHereHint} run={splitHere} />
        <Tool
          icon="trash"
          label={page.remove}
          hint={texts.removeHint}
          run={() => void removeSelected(rippling.value)}
          disabled={isNone}
        />
        <button
          type="button"
          class="ib tl-pen"
          aria-label={texts.volumePen}
          aria-pressed={penOn.value}
          title={texts.volumePenHint}
          onClick={() => {
            penOn.value = !penOn.value;
          }}
        >
          <Icon name="pen" />
        </button>
        <button type="button" class="bt" onClick={revealHere} title={texts.revealHereHint}>
          <Icon name="reveal" />
          <span class="tl-word minor">{texts.revealHere}</span>
          <kbd>R</kbd>
        </button>
        <button type="button" class="bt" onClick={spreadEvenly} title={texts.spreadEvenlyHint}>
          <Icon name="spread" />
          <span class="tl-word minor">{texts.spreadEvenly}</span>
        </button>
        <button type="button" class="bt" onClick={openOrder} title={texts.orderHint}>
          <Icon name="order" />
          <span class="tl-word minor">{texts.order}</span>
        </button>
        <button
          type="button"
          class="bt"
          aria-pressed={isRecording.value}
          onClick={async () => {
            const { startRecording, stopRecording } = await recorder();
            if (isRecording.value) stopRecording();
            else startRecording();
          }}
          title={texts.tapToRecordHint}
        >
          <Icon name="reveal" />
          <span class="tl-word">{texts.tapToRecord}</span>
        </button>
        <button type="button" class="bt take-button" onClick={openTake} title={texts.recordTakeHint}>
          <Icon name="record" />
          <span class="tl-word">{page.recordTake}</span>
        </button>
      </div>
      <div class="tl-group">
        <button
          type="button"
          class="bt"
          aria-pressed={snapping.value}
          title={texts.snappingHint}
          onClick={() => {
            snapping.value = !snapping.value;
          }}
        >
          <Icon name="magnet" />
          <span class="tl-word">{texts.snapping}</span>
          <kbd>N</kbd>
        </button>
        <button
          type="button"
          class="bt"
          aria-pressed={rippling.value}
          title={texts.rippleHint}
          onClick={() => {
            rippling.value = !rippling.value;
          }}
        >
          <Icon name="ripple" />
          <span class="tl-word">{texts.ripple}</span>
        </button>
        <span class="tl-sep" />
        <ZoomTools />
      </div>
    </div>
  );
}

/** How much of the time is seen. */
export function ZoomTools() {
  return (
    <>
      <Tool icon="minus" label={texts.zoomOut} hint={texts.zoomOutHint} run={() => zoomBy(1 / 1.5)} />
      <ZoomSlider />
      <Tool icon="plus" label={texts.zoomIn} hint={texts.zoomInHint} run={() => zoomBy(1.5)} />
      <button type="button" class="bt" onClick={zoomToFit} title={texts.fitHint}>
        <Icon name="fit" />
        <span class="tl-word">{texts.fit}</span>
      </button>
    </>
  );
}

function Tool({
  icon,
  label,
  hint,
  run,
  disabled,
}: {
  icon: IconName;
  label: string;
  hint: string;
  run: () => void;
  disabled?: boolean;
}) {
  return <IconButton icon={icon} label={label} title={hint} disabled={disabled ?? false} onClick={run} />;
}

/** Logarithmic, so that each step looks the same. */
function ZoomSlider() {
  const [min, max] = [Math.log(MIN_PX_PER_SECOND), Math.log(MAX_PX_PER_SECOND)];
  return (
    <input
      type="range"
      class="tl-zoom"
      aria-label={texts.zoom}
      min={0}
      max={100}
      step={0.5}
      value={((Math.log(zoom.value) - min) / (max - min)) * 100}
      onInput={(event) => {
        const wanted = Math.exp(min + (Number(event.currentTarget.value) / 100) * (max - min));
        zoomBy(wanted / scale.value.pxPerSecond);
      }}
    />
  );
}
