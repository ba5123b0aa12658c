import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { cutsOf } from '../document/found-pauses.ts';
import {
  applyLayout,
  hasLayout,
  LAYOUT_NAMES,
  type LayoutName,
  layoutOf,
  layoutWords,
} from '../document/layout-commands.ts';
import { placeSound, waitingMusic } from '../document/sound-commands.ts';
import { exportOpen } from '../export/export-progress.ts';
import { LayoutPicture } from '../frame/layout-menu.tsx';
import { onKey } from '../keys/keys.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon, IconButton, type IconName } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { clock } from '../kit/shown-values.ts';
import { spanWords } from '../kit/time-left.ts';
import { speechProgress } from '../media/pauses-of-file.ts';
import { captionsSpeed } from '../session/captions-speed.ts';
import { lookForPauses } from '../session/look-for-pauses.ts';
import { finishedTake, openTake } from '../session/open-take.ts';
import { decided, edit, openCaptions, playhead, project, rate } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import { useTryOut } from '../session/try-out.ts';
import * as texts from '../texts/en/take.ts';
import { cutLength, cutOut } from '../timeline/act/pauses-review.ts';
import { zoomToFit } from '../timeline/act/timeline-actions.ts';
import { pausesOfClips, type TakePauses } from './take-figures.ts';

/** How far music is lowered under the voice, unless the project says otherwise. */
const USUAL_DUCK_DB = 12;

function close(): void {
  finishedTake.value = null;
  focusSoon('.tl-list');
}

/** The next steps for a finished take: each is one click and one undo step. Offered once. */
export function AfterTake() {
  const { fields, cards } = finishedTake.value!;
  // A pause and a full file start another clip, and cuts make more of them.
  const parts = clipsOf(fields);
  const clips = parts.map(({ lane, id }) => ({ lane, id }));
  const ids = clips.map(({ id }) => id).join();
  const pauses = useSignal<TakePauses>(null);
  useEffect(() => {
    const search = pausesOfClips(clips);
    const stop = search.pauses.subscribe((found) => {
      pauses.value = found;
    });
    return () => {
      stop();
      search.end();
    };
  }, [ids]);
  const seconds = parts.reduce((sum, { duration = 0 }) => sum + duration, 0);
  const music = waitingMusic(project.value);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current!.focus();
    zoomToFit();
    // Also where the focus is nowhere. Elsewhere Escape may mean something else, and the panel is offered once.
    return onKey('escape', null, ({ target }) => target === document.body && close());
  }, []);
  return (
    <aside
      ref={panel}
      class="tk-after"
      tabIndex={-1}
      aria-label={texts.afterTake}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <div>
          <h2>{texts.onTimeline}</h2>
          <p class="q">{texts.summary(clock(seconds), cards)}</p>
        </div>
        <IconButton icon="close" label={texts.close} onClick={close} />
      </header>
      {clips.length > 0 && <PausesOffer pauses={pauses.value} onReview={() => lookForPauses(...clips)} />}
      <Offer icon="text" title={texts.captions} note={texts.captionsNote(captionsTake(seconds))} button={texts.create}>
        {() => openCaptions(null)}
      </Offer>
      {music !== null && (
        <Offer
          icon="music"
          title={texts.music}
          note={texts.musicNote(music.name, project.value.settings.duck_db ?? USUAL_DUCK_DB)}
          button={texts.add}
        >
          {() => edit(texts.addMusic, (draft) => placeSound(draft, music.field, { ...music, role: 'music' }))}
        </Offer>
      )}
      {hasLayout(project.value) && <LayoutOffer />}
      <Offer
        icon="retake"
        title={texts.retakeFrom}
        note={
          playhead.value === 0
            ? texts.retakeAllNote
            : texts.retakeNote(clock(secondsOf(playhead.value as Frames, rate.value)))
        }
        button={texts.retake}
      >
        {openTake}
      </Offer>
      <footer>
        <button
          type="button"
          class="bt prim"
          onClick={() => {
            close();
            exportOpen.value = true;
          }}
        >
          <Icon name="export" />
          {texts.exportVideos(studioConfig.presets.length)}
        </button>
        <p class="q">{texts.exportNote}</p>
      </footer>
    </aside>
  );
}

/** How long captions of a take take, as text; null if the speed of the service is not known. */
function captionsTake(seconds: number): string | null {
  const speed = captionsSpeed.value;
  return speed === null ? null : spanWords(seconds / speed);
}

/** The clips of a take, as they are now. */
function clipsOf(fields: readonly string[]) {
  const { timeline_data } = project.value;
  return (['videos', 'soundtracks'] as const).flatMap((lane) =>
    timeline_data[lane]
      .filter((entry) => fields.includes(entry.file_field))
      .map(({ id, duration }) => ({ lane, id, duration })),
  );
}

interface PausesOfferProps {
  readonly pauses: TakePauses;
  readonly onReview: () => void;
}

function PausesOffer({ pauses, onReview }: PausesOfferProps) {
  if (pauses === 'unknown') {
    return (
      <Offer icon="scissors" title={texts.removePauses} note={texts.pausesUnknown} button={texts.review}>
        {onReview}
      </Offer>
    );
  }
  const count = pauses?.length ?? 0;
  const cuts = cutsOf(pauses ?? []);
  const note =
    pauses === null
      ? texts.findingPauses(speechProgress.value === null ? null : Math.round(speechProgress.value * 100))
      : count === 0
        ? texts.noPauses
        : texts.savesTime(cutLength(cuts));
  return (
    <div class="tk-offer">
      <Icon name="scissors" />
      <p>
        <b>{pauses === null || count === 0 ? texts.removePauses : texts.removeCounted(count)}</b>
        <span class="q" role="status">
          {note}
        </span>
      </p>
      {count > 0 && (
        <button type="button" class="lk" onClick={onReview}>
          {texts.lookFirst}
        </button>
      )}
      <button type="button" class="bt" disabled={count === 0} onClick={() => cutOut(cuts, count)}>
        {texts.remove}
      </button>
    </div>
  );
}

interface OfferProps {
  readonly icon: IconName;
  readonly title: string;
  readonly note: string;
  readonly button: string;
  readonly children: () => void;
}

function Offer({ icon, title, note, button, children: run }: OfferProps) {
  return (
    <div class="tk-offer">
      <Icon name={icon} />
      <p>
        <b>{title}</b>
        <span class="q">{note}</span>
      </p>
      <button type="button" class="bt" onClick={run}>
        {button}
      </button>
    </div>
  );
}

function LayoutOffer() {
  const now = layoutOf(decided.value, studioConfig.presets);
  const tryOut = useTryOut();
  return (
    <div class="tk-offer">
      <Icon name="layout" />
      <p>
        <b>{texts.layout}</b>
        <span class="q">{texts.layoutNote(now && layoutWords(now))}</span>
      </p>
      <Radios
        label={texts.layout}
        class="tk-small-lays"
        value={now ?? ''}
        choices={LAYOUT_NAMES.map((name) => ({
          value: name as string,
          words: (
            <>
              <LayoutPicture name={name} preset={shownPreset.value} />
              <span>{layoutWords(name)}</span>
            </>
          ),
        }))}
        onPoint={(name) =>
          tryOut(name === null ? null : (draft) => applyLayout(draft, name as LayoutName, studioConfig.presets))
        }
        onChoose={(name) =>
          edit(texts.layoutOf(layoutWords(name as LayoutName)), (draft) =>
            applyLayout(draft, name as LayoutName, studioConfig.presets),
          )
        }
      />
    </div>
  );
}
