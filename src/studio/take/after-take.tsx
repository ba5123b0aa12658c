import { useEffect, useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
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
import { focusSoon } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon, IconButton, type IconName } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { clock } from '../kit/shown-values.ts';
import { lookForPauses } from '../session/look-for-pauses.ts';
import { finishedTake, openTake } from '../session/open-take.ts';
import { edit, openCaptions, playhead, project, rate } from '../session/session.ts';
import * as texts from '../texts/en/take.ts';

function close(): void {
  finishedTake.value = null;
  focusSoon('.tl-list');
}

/** The next steps for a finished take: each is one click and one undo step. Offered once. */
export function AfterTake() {
  const { fields, seconds, cards } = finishedTake.value!;
  const { timeline_data } = project.value;
  // A pause and a full file start another clip.
  const clips = (['videos', 'soundtracks'] as const).flatMap((lane) =>
    timeline_data[lane].filter((entry) => fields.includes(entry.file_field)).map(({ id }) => ({ lane, id })),
  );
  const music = waitingMusic(project.value);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current!.focus(), []);
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
      {clips.length > 0 && (
        <Offer icon="scissors" title={texts.removePauses} note={texts.removePausesNote} button={texts.review}>
          {() => lookForPauses(...clips)}
        </Offer>
      )}
      <Offer icon="text" title={texts.captions} note={texts.captionsNote} button={texts.create}>
        {() => openCaptions(null)}
      </Offer>
      {music !== null && (
        <Offer icon="music" title={texts.music} note={music.name} button={texts.add}>
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
  const now = layoutOf(project.value, studioConfig.presets);
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
        choices={LAYOUT_NAMES.map((name) => ({ value: name as string, words: layoutWords(name) }))}
        onChoose={(name) =>
          edit(texts.layoutOf(layoutWords(name as LayoutName)), (draft) =>
            applyLayout(draft, name as LayoutName, studioConfig.presets),
          )
        }
      />
    </div>
  );
}
