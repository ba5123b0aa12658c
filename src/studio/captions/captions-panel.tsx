import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { TiercutError } from '../../../packages/client/src/client.ts';
import type { Seconds } from '../../time.ts';
import { captionLines, isUnsure, nextUnsure, putCaptions } from '../document/caption-lines.ts';
import type { Entry } from '../document/entries.ts';
import type { TimelineData } from '../document/project.ts';
import type { EntryRef } from '../document/selection.ts';
import { voiceRequest } from '../document/service-requests.ts';
import { projectId } from '../keeping/autosave.ts';
import { keyName, onKey } from '../keys/keys.ts';
import { focusSoon, keepFocus } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { drawer } from '../kit/drawers.tsx';
import { Icon } from '../kit/icon.tsx';
import { announce } from '../kit/messages.ts';
import { hasDrawers } from '../kit/phone.ts';
import { megabytes } from '../kit/shown-values.ts';
import type { UsualTime } from '../kit/time-left.ts';
import { useTimeLeft } from '../kit/use-time-left.ts';
import { mediaFile } from '../media/media-store.ts';
import { captionsSpeed } from '../session/captions-speed.ts';
import { putTimeline } from '../session/edit-timeline.ts';
import { remembered } from '../session/remembered.ts';
import { service, uploadMedia } from '../session/service.ts';
import { hasService } from '../session/service-state.ts';
import { captionsOf, edit, face, project, readOnly, timelineData } from '../session/session.ts';
import * as texts from '../texts/en/captions.ts';
import { focusWord } from './caption-focus.ts';
import { Lines } from './caption-list.tsx';
import { CaptionSearch, endSearch, startSearch } from './caption-search.tsx';
import { CaptionStyles } from './caption-styles.tsx';
import { captionLanguages, Guide, readLanguages, SpeechModelNeeded } from './speech-model.tsx';
import { CaptionsFault, type FoundWords, transcribeHere } from './transcribe-here.ts';

/** Captions as text: each line with its words and times. (C77) */
export function CaptionsPanel() {
  const lines = captionLines(timelineData.value);
  const entry = captionsOf.value?.entry ?? null;
  const isStarted = useRef(false);
  useEffect(() => {
    face.value = 'preview';
    if (isStarted.current || entry === null || lines.length > 0 || readOnly.value) return;
    // A model is loaded only when the button asks for it.
    if (captionLanguages.value.length === 0 || studioConfig.speech !== null) return;
    isStarted.current = true;
    void transcribeVoice(entry);
  }, []);
  // On a phone the panel is below the picture.
  useEffect(() => document.querySelector('.centre')?.scrollTo(0, 0), [drawer.value]);
  const panel = useRef<HTMLElement>(null);
  // Also where the focus is on the picture or nowhere.
  useEffect(() => onKey('escape', null, () => drawer.value === null && close()), []);
  useLayoutEffect(() => {
    // Opens the inspector if it is a closed drawer.
    if (panel.current?.checkVisibility() === false) drawer.value = 'details';
    else panel.current?.querySelector('button')?.focus();
  }, []);
  const unsure = lines.reduce((sum, { words }) => sum + words.filter(isUnsure).length, 0);
  const styles = lines.length > 0 && <CaptionStyles />;
  return (
    <>
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
          {lines.length > 0 && <small class="q">{texts.lineCount(lines.length)}</small>}
          <button type="button" class="bt plain" onClick={close}>
            {texts.done}
          </button>
        </div>
        {lines.length > 0 && (
          <div class="captions-find">
            <CaptionSearch lines={lines} />
            {unsure > 0 && (
              <button type="button" class="bt" onClick={() => focusWord(nextUnsure(lines, null, 1), 'all')}>
                <Icon name="warn" />
                {texts.toCheck(unsure)} <kbd>{texts.tabKey}</kbd>
              </button>
            )}
          </div>
        )}
        <section class="scr" tabIndex={0} aria-label={texts.title}>
          <Transcribing isEmpty={lines.length === 0} />
          {hasDrawers.value && styles}
          {lines.length > 0 && <Lines lines={lines} />}
        </section>
        {lines.length > 0 && (
          <p class="captions-keys by-mouse">
            {texts.keys.map(([key, effect]) => (
              <span key={key}>
                <kbd>{key}</kbd> {effect}
              </span>
            ))}
            <span>{texts.timesStay}</span>
          </p>
        )}
      </aside>
      {!hasDrawers.value && styles}
    </>
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
  if (running !== null) return <Running {...running} />;
  if (captionLanguages.value.length === 0 && studioConfig.service?.modelInstall !== 'auto') {
    return (
      <div class="captions-run">
        <SpeechModelNeeded />
      </div>
    );
  }
  if (isEmpty) {
    return (
      <div class="captions-run">
        <p class="q">
          {studioConfig.speech === null ? texts.intro : texts.introHere(megabytes(studioConfig.speech.bytes))}
        </p>
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

const STEPS = { sending: texts.sending, loading: texts.loadingModel, transcribing: texts.transcribed };

/** The progress, and the time left: as measured, or as long as it took the last time. */
function Running({ step, share, usual, cancel }: Transcription) {
  const left = useTimeLeft(share, usual);
  const percent = Math.round(share * 100);
  return (
    <div class="captions-run">
      <p role="status">{STEPS[step](percent)}</p>
      <progress aria-label={texts.start} max={100} value={percent} />
      {left !== null && <p class="q">{left}</p>}
      <button type="button" class="bt wide" onClick={cancel}>
        {texts.cancel}
      </button>
    </div>
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
            {hasService ? texts.onlyLanguage(only!) : texts.onlyEnglish} <Guide />
          </span>
        </p>
      )}
    </div>
  );
}

/** A transcription. First its sound is sent to the service, or a model is loaded here. */
interface Transcription {
  readonly step: keyof typeof STEPS;
  /** From 0 to 1. */
  readonly share: number;
  /** How long the service takes for it; null if unknown, and while it is sent. */
  readonly usual: UsualTime | null;
  readonly cancel: () => void;
}

/** Null if none is running. */
const transcribing = signal<Transcription | null>(null);
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
  // Its words belong to no other project.
  const of = projectId.value;
  const stopWatching = projectId.subscribe((id) => id !== of && cancel());
  // The button that was pressed gives way to Cancel, and that to the lines.
  keepFocus('.captions-run .bt');
  const seconds = spokenSeconds(request.timeline_data);
  const usualSeconds = captionsSpeed.value && seconds / captionsSpeed.value;
  let usual: UsualTime | null = null;
  const show = (step: Transcription['step'], share: number) => {
    transcribing.value = { step, share, usual, cancel };
  };
  const { speech } = studioConfig;
  const first = speech === null ? 'sending' : 'loading';
  show(first, 0);
  announce(STEPS[first](0));
  let beganMs = 0;
  const begins = () => {
    beganMs = Date.now();
    usual = usualSeconds === null ? null : { seconds: usualSeconds, beganMs };
  };
  const onStep = (step: Transcription['step'], share: number) => {
    if (step === 'transcribing' && beganMs === 0) begins();
    show(step, share);
  };
  try {
    const { segments, isUnclear } = await (speech === null
      ? transcribeThere(request, aborted, onStep)
      : transcribeHere(request, speech, aborted, onStep));
    if (aborted.aborted) return;
    const took = (Date.now() - beganMs) / 1000;
    // The same sound is not transcribed twice: an answer at once is no measurement.
    if (took > MIN_MEASURED_SECONDS) captionsSpeed.value = seconds / took;
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
    stopWatching();
    keepFocus('.captions-word[tabindex="0"]', '.captions-run .bt');
    transcribing.value = null;
  }
}

/** Uploads what the service lacks; the service transcribes it. */
async function transcribeThere(
  request: NonNullable<ReturnType<typeof voiceRequest>>,
  aborted: AbortSignal,
  onStep: (step: 'sending' | 'transcribing', share: number) => void,
): Promise<FoundWords> {
  const files = await Promise.all(Object.values(request.media).map(({ media }) => mediaFile(media)));
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  let before = 0;
  for (const [index, { media }] of Object.values(request.media).entries()) {
    const file = files[index];
    if (file == null) throw new TiercutError('client.usage', texts.missing);
    const onProgress = (sent: number) => onStep('sending', (before + sent) / Math.max(1, bytes));
    await uploadMedia(media, file, { signal: aborted, onProgress });
    before += file.size;
  }
  onStep('transcribing', 0);
  const { segments = [], warnings } = await service.transcribe(request, {
    signal: aborted,
    language: captionsLanguage.value,
    onTranscribed: (progress) => onStep('transcribing', progress),
  });
  return { segments, isUnclear: warnings.some(({ code }) => code === 'captions.language_unclear') };
}

/** A shorter work is not measured. */
const MIN_MEASURED_SECONDS = 2;

/** How much there is to transcribe. */
function spokenSeconds(spoken: object): Seconds {
  return Object.values(spoken)
    .flat()
    .reduce((sum, { duration = 0 }: { readonly duration?: number }) => sum + duration, 0);
}

function faultWords(error: unknown): string {
  if (error instanceof CaptionsFault) return error.message;
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
