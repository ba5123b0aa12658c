import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { TiercutError } from '../../../packages/client/src/client.ts';
import type { Seconds } from '../../time.ts';
import { CAPTION_STYLES } from '../../timeline/choices.ts';
import { captionLines, isUnsure, nextUnsure, putCaptions } from '../document/caption-lines.ts';
import type { Entry } from '../document/entries.ts';
import type { TimelineData } from '../document/project.ts';
import type { EntryRef } from '../document/selection.ts';
import { voiceRequest } from '../document/service-requests.ts';
import { keyName } from '../keys/keys.ts';
import { focusSoon, keepFocus } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { drawer } from '../kit/drawers.tsx';
import { Icon } from '../kit/icon.tsx';
import { announce } from '../kit/messages.ts';
import { Radios } from '../kit/radios.tsx';
import { mediaFile } from '../media/media-store.ts';
import { putTimeline } from '../session/edit-timeline.ts';
import { remembered } from '../session/remembered.ts';
import { service, uploadMedia } from '../session/service.ts';
import { captionsOf, edit, face, project, readOnly, settings, timelineData } from '../session/session.ts';
import * as texts from '../texts/en/captions.ts';
import { focusWord } from './caption-focus.ts';
import { Lines } from './caption-list.tsx';
import { CaptionSearch, endSearch, startSearch } from './caption-search.tsx';
import { captionLanguages, Guide, readLanguages, SpeechModelNeeded } from './speech-model.tsx';

const STYLES = CAPTION_STYLES.map((value) => ({ value, words: value[0]!.toUpperCase() + value.slice(1) }));

/** Captions as text: each line with its words and times. (C77) */
export function CaptionsPanel() {
  const lines = captionLines(timelineData.value);
  const entry = captionsOf.value?.entry ?? null;
  const isStarted = useRef(false);
  useEffect(() => {
    face.value = 'preview';
    if (isStarted.current || entry === null || lines.length > 0 || readOnly.value) return;
    if (captionLanguages.value.length === 0) return;
    isStarted.current = true;
    void transcribeVoice(entry);
  }, []);
  // On a phone the panel is below the picture.
  useEffect(() => document.querySelector('.centre')?.scrollTo(0, 0), [drawer.value]);
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Opens the inspector if it is a closed drawer.
    if (panel.current?.checkVisibility() === false) drawer.value = 'details';
    else panel.current?.querySelector('button')?.focus();
  }, []);
  const unsure = lines.reduce((sum, { words }) => sum + words.filter(isUnsure).length, 0);
  return (
    <aside
      ref={panel}
      class="insp captions"
      aria-label={texts.title}
      onKeyDown={(event) => {
        if (keyName(event) === 'ctrl+f' && lines.length > 0) {
          event.preventDefault();
          startSearch();
        }
        if (event.key !== 'Escape' || drawer.value !== null) return;
        event.stopPropagation();
        close();
      }}
    >
      <div class="phd">
        <h2>{texts.title}</h2>
        <button type="button" class="bt plain" onClick={close}>
          {texts.done}
        </button>
      </div>
      {lines.length > 0 && <CaptionSearch lines={lines} />}
      <section class="scr" tabIndex={0} aria-label={texts.title}>
        <Transcribing isEmpty={lines.length === 0} />
        {lines.length > 0 && (
          <>
            <Style />
            <p class="captions-count q">
              {texts.lineCount(lines.length)}
              {unsure > 0 && (
                <button type="button" class="bt" onClick={() => focusWord(nextUnsure(lines, null, 1), 'all')}>
                  <Icon name="warn" />
                  {texts.toCheck(unsure)} <kbd>{texts.tabKey}</kbd>
                </button>
              )}
            </p>
            <Lines lines={lines} />
            <p class="field-note q by-mouse">{texts.keys}</p>
          </>
        )}
      </section>
    </aside>
  );
}

function close(): void {
  transcribing.value?.cancel();
  endSearch();
  captionsOf.value = null;
  captionsFault.value = null;
  focusSoon('.tl-list');
}

/** The start button and its language, the progress, and the error. */
function Transcribing({ isEmpty }: { readonly isEmpty: boolean }) {
  const { value: running } = transcribing;
  const isOpen = useSignal(false);
  // An error opens it. It stays open while the user corrects the language, which removes the error.
  useSignalEffect(() => {
    if (captionsFault.value !== null) isOpen.value = true;
    else if (transcribing.value !== null) isOpen.value = false;
  });
  if (running !== null) {
    const percent = running.progress === null ? null : Math.round(running.progress * 100);
    return (
      <div class="captions-run">
        <p role="status">{percent === null ? texts.sending : texts.transcribed(percent)}</p>
        <progress aria-label={texts.start} max={100} value={percent ?? 0} />
        <button type="button" class="bt wide" onClick={running.cancel}>
          {texts.cancel}
        </button>
      </div>
    );
  }
  if (captionLanguages.value.length === 0 && studioConfig.modelInstall !== 'auto') {
    return (
      <div class="captions-run">
        <SpeechModelNeeded />
      </div>
    );
  }
  if (isEmpty) {
    return (
      <div class="captions-run">
        <p class="q">{texts.intro}</p>
        <Start class="prim" />
      </div>
    );
  }
  return (
    <details
      open={isOpen.value}
      onToggle={({ currentTarget: { open } }) => {
        isOpen.value = open;
      }}
    >
      <summary>
        <Icon name="right" />
        {texts.again}
      </summary>
      <div class="captions-run">
        <Start class="" />
      </div>
    </details>
  );
}

function Start({ class: look }: { readonly class: 'prim' | '' }) {
  return (
    <>
      <Language />
      <button
        type="button"
        class={`bt wide ${look}`}
        disabled={readOnly.value}
        onClick={() => void transcribeVoice(captionsOf.value?.entry ?? null)}
      >
        <Icon name="wave" />
        {texts.start}
      </button>
      <div role="alert">
        {captionsFault.value !== null && (
          <p class="field-note iswarn">
            <Icon name="warn" />
            <span>{captionsFault.value}</span>
          </p>
        )}
      </div>
    </>
  );
}

/** Sets one style for all captions and removes those of single lines. (C62) */
function Style() {
  const { subtitle_style: style } = settings.value;
  const value = typeof style === 'string' ? style : (style?.base ?? 'plain');
  return (
    <>
      <span class="l">{texts.style}</span>
      <Radios
        label={texts.style}
        class="captions-styles"
        each="bt"
        value={value}
        choices={STYLES}
        onChoose={(chosen) =>
          edit(texts.changeStyle, (draft) => {
            draft.settings.subtitle_style = chosen;
            for (const line of draft.timeline_data.subtitles) if (line.words !== undefined) delete line.style;
          })
        }
      />
    </>
  );
}

/** The language of the speech, and how to get a model for another one. (C77) */
function Language() {
  const { value: known } = captionLanguages;
  const { value: chosen } = captionsLanguage;
  const hasModel = chosen === AUTOMATIC || known.includes(chosen);
  // A language that was chosen before may have lost its model.
  const offered = chosen === AUTOMATIC || hasModel ? known : [...known, chosen];
  const named = offered
    .map((code) => ({ code, name: texts.languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const [only] = known;
  return (
    <div class="captions-language">
      <label for="captions-language">{texts.language}</label>
      <select
        id="captions-language"
        value={chosen}
        onChange={({ currentTarget: { value } }) => {
          captionsLanguage.value = value;
          captionsFault.value = null;
        }}
      >
        <option value={AUTOMATIC}>{texts.automatic}</option>
        {named.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      {!hasModel && (
        <p class="field-note iswarn">
          <Icon name="warn" />
          <span>
            {texts.noLanguage(chosen)} <Guide />
          </span>
        </p>
      )}
      {known.length === 0 && <p class="field-note q">{texts.installsFirst}</p>}
      {hasModel && known.length === 1 && (
        <p class="field-note q">
          <span>
            {texts.onlyLanguage(only!)} <Guide />
          </span>
        </p>
      )}
    </div>
  );
}

/** The progress of a transcription; null if none is running. */
const transcribing = signal<{ readonly progress: number | null; readonly cancel: () => void } | null>(null);
/** Why there are no captions; null if there is no error. */
const captionsFault = signal<string | null>(null);

/** The service detects the language or uses that of its model. */
const AUTOMATIC = 'auto';
/** The language of the speech: an ISO 639 code, or automatic. */
const captionsLanguage = remembered('tiercut-captions-language', AUTOMATIC, (kept) =>
  typeof kept === 'string' && /^[a-z]{2,3}$/.test(kept) ? kept : null,
);

/** Transcribes the voice and puts the captions on the timeline, as one step. (C77) */
async function transcribeVoice(only: EntryRef | null): Promise<void> {
  const request = voiceRequest(project.value, only);
  captionsFault.value = null;
  if (request === null) {
    captionsFault.value = texts.none;
    return;
  }
  const ended = new AbortController();
  const { signal: aborted } = ended;
  const cancel = () => ended.abort();
  // The button that was pressed gives way to Cancel, and that to the lines.
  keepFocus('.captions-run .bt');
  transcribing.value = { progress: null, cancel };
  announce(texts.sending);
  try {
    for (const { media } of Object.values(request.media)) {
      const file = await mediaFile(media);
      if (file === null) throw new TiercutError('client.usage', texts.missing);
      await uploadMedia(media, file, { signal: aborted });
    }
    const { segments = [], warnings } = await service.transcribe(request, {
      signal: aborted,
      language: captionsLanguage.value,
      onTranscribed: (progress) => {
        transcribing.value = { progress, cancel };
      },
    });
    const isUnclear = warnings.some(({ code }) => code === 'captions.language_unclear');
    if (segments.length === 0) captionsFault.value = isUnclear ? texts.unheard : texts.silent;
    else {
      const { start, end } = spanOf(request.timeline_data, only);
      edit(texts.start, (draft) => {
        const before = timelineData.value;
        putTimeline(draft, before, putCaptions(before, segments, { start, end }));
        // Unless a person chose another look: the usual one is stored as none. (R44)
        if (before.subtitles.length === 0) draft.settings.subtitle_style ??= 'pop';
      });
      announce(texts.linesMade(segments.length));
      if (captionLanguages.value.length === 0) void readLanguages();
      if (isUnclear) captionsFault.value = texts.unclear;
    }
  } catch (error) {
    if (!aborted.aborted) captionsFault.value = faultWords(error);
  } finally {
    keepFocus('.captions-word[tabindex="0"]', '.captions-run .bt');
    transcribing.value = null;
  }
}

function faultWords(error: unknown): string {
  if (!(error instanceof TiercutError)) throw error;
  if (error.code === 'captions.no_model') return texts.noModel;
  return error.code === 'captions.no_language' ? texts.noLanguage(captionsLanguage.value) : error.message;
}

/** The transcribed range: everything, or the slot of one entry. */
function spanOf(timeline: TimelineData, only: EntryRef | null): { start: Seconds; end: Seconds } {
  const [entry] = only === null ? [] : (timeline[only.lane] as readonly Entry[]);
  if (entry === undefined) return { start: 0, end: Number.POSITIVE_INFINITY };
  const { start = 0, duration = Number.POSITIVE_INFINITY } = entry;
  return { start, end: start + duration };
}
