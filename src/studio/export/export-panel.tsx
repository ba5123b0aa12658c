import { computed, effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Export, Output, Short } from '../../../packages/client/src/client.ts';
import type { Issue } from '../../errors.ts';
import { boardSummary, revealsNothing } from '../document/automatic-reveals.ts';
import { fieldIssues } from '../document/field-faults.ts';
import { isBare } from '../document/project.ts';
import { selectionAt } from '../document/selection.ts';
import { requestFields } from '../document/service-requests.ts';
import { focusDetails, focusSoon } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Icon } from '../kit/icon.tsx';
import { formatName, megabytes } from '../kit/shown-values.ts';
import { useTimeLeft } from '../kit/use-time-left.ts';
import { decideToSend, maySend } from '../session/may-send.ts';
import { keyWanted, serviceGone } from '../session/service-state.ts';
import { decided, developer, exported, planned, project, selection } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import * as hereTexts from '../texts/en/export-here.ts';
import * as page from '../texts/en/page.ts';
import { BeforeExport } from './before-export.tsx';
import { CopyButton } from './copy-button.tsx';
import { exportWords, formatsToMake, formatsWords } from './export-choices.ts';
import { exportPlace } from './export-place.ts';
import { ExportPlayer } from './export-player.tsx';
import {
  type ExportStep,
  exportOpen,
  exportStep,
  type HereVideo,
  isOpen,
  isUnderWay,
  madeFormats,
  progressSamples,
} from './export-progress.ts';
import { curlCommand, exportTitle, isTakenByYouTube, readyWords, stateWords, timeWords } from './export-words.ts';
import { HereVideos, hereSubtitle, hereTitle } from './here-videos.tsx';
import { KeyForm } from './key-form.tsx';
import { PresetIcon } from './preset-icon.tsx';
import { Publish } from './publish.tsx';
import { publishedByService, publishedHere } from './publish-source.ts';
import { pickedUp, startExport, stopExport } from './run-export.ts';

/** The export, from the button to three MP4s. Closing the panel stops nothing. */
export function ExportPanel() {
  const now = exportStep.value;
  const errors = whatIsWrong();
  const again = exportAgain();
  const nowMs = useNow(isUnderWay(now));
  const asks = useSignal(false);
  useEffect(() => {
    void mayBegin().then((may) => {
      asks.value = may && revealsNothing(boardSummary(decided.value));
      if (may && !asks.value) void startExport();
    });
  }, []);
  useDownloadFocus((now.step === 'made' || now.step === 'here') && isUnderWay(now));
  const begin = () => {
    asks.value = false;
    void startExport();
  };
  const close = () => {
    exportOpen.value = false;
  };
  return (
    <Dialog
      title={asks.value ? texts.beforeExport : titleOf()}
      subtitle={asks.value ? formatsWords() : subtitleOf(nowMs)}
      class="export"
      onClose={close}
      closeLabel={isUnderWay(now) ? texts.closeRunning : page.close}
      tools={
        <>
          {again !== null && errors.length === 0 && !asks.value && (
            <button type="button" class={`bt ${isUnderWay(now) ? '' : 'prim'}`} onClick={begin}>
              <Icon name="export" />
              {again}
            </button>
          )}
          {isUnderWay(now) && (
            <button type="button" class="bt" onClick={() => void stopExport()}>
              {now.step === 'made' || now.step === 'here' ? texts.stopAll : texts.stop}
            </button>
          )}
        </>
      }
    >
      {serviceGone.value && (
        <p class="note" role="status">
          <Icon name="warn" />
          <span>
            <b>{texts.noResponse}</b>
            {texts.noResponseMore}
          </span>
        </p>
      )}
      {keyWanted.value && <KeyForm />}
      {asks.value && <BeforeExport summary={boardSummary(decided.value)} onGo={close} onExport={begin} />}
      {errors.length > 0 && now.step !== 'made' && now.step !== 'here' && <InTheWay onGo={close} />}
      {now.step === 'waiting' && <p class="q">{texts.drawingExample}</p>}
      {now.step === 'uploading' && !keyWanted.value && <Uploading bytes={now.bytes} of={now.of} name={now.name} />}
      {now.step === 'sending' && !keyWanted.value && <p class="q">{texts.sendingProject}</p>}
      {now.step === 'failed' && !asks.value && <Failed message={now.message} paths={now.issues} />}
      {now.step === 'here' && !asks.value && (
        <>
          <HereVideos videos={now.videos} />
          {!isUnderWay(now) && <PublishHere {...now} />}
        </>
      )}
      {now.step === 'made' && !asks.value && (
        <div class="xg">
          <ExportPlayer view={now.view} />
          <div class="xr">
            <ExportOutputs view={now.view} />
            {now.view.error !== undefined && now.view.error.code !== 'output.stopped' && (
              <Failed message={now.view.error.detail} paths={now.view.error.errors} />
            )}
            <Chapters text={now.chapters} />
            {developer.value && <Curl />}
          </div>
          {now.view.duration !== null && <Publish key={now.view.export_id} open={() => publishedByService(now.view)} />}
        </div>
      )}
      {studioConfig.service?.drafts && <DraftSwitch />}
    </Dialog>
  );
}

/** The first format that this browser rendered. */
function PublishHere({ videos, plans }: ExportStep & { readonly step: 'here' }) {
  const made = videos.find(({ file, short }) => file !== null && short === null);
  const plan = made && plans.get(made.preset);
  const { value: project } = exported;
  if (plan === undefined || project === null) return null;
  const name = made!.file!.name.replace(/\.mp4$/, '');
  return <Publish key={made!.file!.url} open={() => publishedHere(project, plan, name)} />;
}

/** When the export is complete, the first download has the focus, unless the user is elsewhere in the panel. */
function useDownloadFocus(runs: boolean): void {
  const ran = useRef(false);
  useEffect(() => {
    const isComplete = ran.current && !runs;
    ran.current = runs;
    const at = document.activeElement;
    const isElsewhere = at !== null && at !== document.body && at.closest('.export header') === null;
    if (isComplete && (!isElsewhere || at.matches('dialog'))) focusSoon('.or.done a');
  }, [runs]);
}

/** The current time, updated every few seconds while it is needed. */
function useNow(matters: boolean): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    if (!matters) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [matters]);
  return Math.max(now.value, progressSamples.value.at(-1)?.ms ?? 0);
}

const TICK_MS = 5000;

/** Opening the panel starts an export, unless the same project is already exported or has errors. */
async function mayBegin(): Promise<boolean> {
  await pickedUp();
  if (!isBare(decided.value)) await isPlanned();
  const now = exportStep.value;
  const same =
    isSameProject.value && isSameFormats() && isSamePlace() && now.step !== 'failed' && now.step !== 'stopped';
  return exportOpen.value && whatIsWrong().length === 0 && !same && !isUnderWay(now);
}

/** The label of the button for another export; null if it would be the same. */
function exportAgain(): string | null {
  const now = exportStep.value;
  if (now.step === 'stopped') return exportWords(false);
  if (now.step !== 'made' && now.step !== 'here') return null;
  if (exported.value !== null && !isSameProject.value) return exportWords(true);
  if (!isSameFormats() || !isSamePlace()) return exportWords(false);
  if (now.step === 'here') return now.videos.every(isComing) ? null : exportWords(false);
  const isWhole = Object.values(now.view.outputs).every(({ state }) => state !== 'failed' && state !== 'cancelled');
  return isWhole ? null : exportWords(false);
}

/** Whether the current export is that of the project as it is: opening a project again makes another object of it. */
const isSameProject = computed(() => {
  const { value: made } = exported;
  if (made === null || made === decided.value) return made !== null;
  return JSON.stringify(requestFields(made)) === JSON.stringify(requestFields(decided.value));
});

/** Whether the current export has the chosen formats. */
function isSameFormats(): boolean {
  const made = madeFormats.value;
  return made === null || formatsToMake().every((name) => made.includes(name));
}

/** Whether the current export is rendered where the next one would be. */
function isSamePlace(): boolean {
  return (exportStep.value.step === 'here') === (exportPlace.value === 'device');
}

/** Whether a video is there or will be. */
function isComing(video: HereVideo): boolean {
  return isOpen(video) || video.state === 'completed';
}

function whatIsWrong(): readonly Issue[] {
  // An empty project is not planned.
  if (isBare(decided.value)) return [{ path: '', code: 'timeline.empty', message: '' }];
  return [...planned.value.errors, ...fieldIssues(decided.value, studioConfig.limits)];
}

/** Waits for the planner, so that errors are known before the export starts. */
function isPlanned(): Promise<void> {
  return new Promise((resolve) => {
    effect(function (this: { dispose(): void }) {
      if (planned.value.of !== project.value && exportOpen.value) return;
      resolve();
      this.dispose();
    });
  });
}

function titleOf(): string {
  const now = exportStep.value;
  if (keyWanted.value) return texts.keyNeeded;
  if (whatIsWrong().length > 0 && now.step !== 'made' && now.step !== 'here') return texts.notReady;
  if (now.step === 'uploading') return texts.uploading;
  if (now.step === 'failed') return texts.failed;
  if (now.step === 'stopped') return texts.stopped;
  if (now.step === 'here') return hereTitle(now.videos);
  if (now.step !== 'made') return page.exportPanel;
  return exportTitle(now.view);
}

function subtitleOf(nowMs: number): string {
  const now = exportStep.value;
  if (keyWanted.value) return texts.keyNeededMore;
  if (now.step === 'uploading') return texts.uploadingMore;
  if (now.step === 'stopped') return exportPlace.value === 'service' ? texts.stoppedMore : '';
  if (now.step !== 'made' && now.step !== 'here') return formatsWords();
  if (!isUnderWay(now)) return now.step === 'here' ? hereSubtitle(now.videos) : readyWords(now.view);
  if (now.step === 'here') {
    return [timeWords(progressSamples.value, nowMs), hereTexts.renderedHereMore].filter(Boolean).join(' ');
  }
  const time = timeWords(progressSamples.value, nowMs);
  return [readyWords(now.view), time, texts.keepEditing].filter(Boolean).join(' ');
}

/** The first error, with a link to its place. */
function InTheWay({ onGo }: { readonly onGo: () => void }) {
  const errors = whatIsWrong();
  const first = errors[0]!;
  return (
    <div class="note isbad">
      <Icon name="error" />
      <span>
        <b>{first.code === 'timeline.empty' ? texts.nothingToShow : first.message}</b>
        {first.code === 'timeline.empty'
          ? texts.nothingToShowMore
          : errors.length > 1
            ? texts.andMoreErrors(errors.length - 1)
            : texts.fixThenExport}
      </span>
      {first.code !== 'timeline.empty' && (
        <button
          type="button"
          class="lk"
          onClick={() => {
            selection.value = selectionAt(project.value, first.path);
            onGo();
            focusDetails();
          }}
        >
          {texts.showError}
        </button>
      )}
    </div>
  );
}

function Uploading({ bytes, of, name }: { readonly bytes: number; readonly of: number; readonly name: string }) {
  const left = useTimeLeft(of === 0 ? 0 : bytes / of);
  return (
    <div class="up" role="status">
      <progress max={Math.max(1, of)} value={bytes} aria-label={texts.uploaded} />
      <p>
        <span>{name}</span>
        <span class="num">{page.countOf(megabytes(bytes), megabytes(of))}</span>
      </p>
      {left !== null && <p class="q">{left}</p>}
    </div>
  );
}

function Failed({
  message,
  paths,
}: {
  readonly message: string;
  readonly paths: readonly { path: string; message: string }[];
}) {
  const more = useSignal(false);
  const others = paths.filter((issue) => issue.message !== message);
  return (
    <div class="note isbad" role="alert">
      <Icon name="error" />
      <span>
        <b>{message}</b>
        {others.slice(0, more.value ? 20 : 2).map((issue) => (
          <span key={issue.path} class="line">
            {issue.message}
          </span>
        ))}
        {others.length > 2 && !more.value && (
          <button
            type="button"
            class="lk"
            onClick={() => {
              more.value = true;
            }}
          >
            {texts.andMore(others.length - 2)}
          </button>
        )}
      </span>
      {exportStep.value.step === 'failed' && (
        <button type="button" class="bt" onClick={() => void startExport()}>
          {page.tryAgain}
        </button>
      )}
    </div>
  );
}

/** The switch for rendering while the project is edited. */
function DraftSwitch() {
  return (
    <label class="ck draft-switch">
      <input
        type="checkbox"
        checked={maySend.value === true}
        onChange={({ currentTarget }) => decideToSend(currentTarget.checked)}
      />
      <span>
        {texts.renderWhileEditing}
        <small class="q">{texts.renderWhileEditingMore(location.host)}</small>
      </span>
    </label>
  );
}

/** Chapters in YouTube's format. (C28) */
function Chapters({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return null;
  const lines = text.split('\n').map((line) => /^(\S+)\s(.*)$/.exec(line) ?? [line, '', line]);
  return (
    <section class="cp" aria-label={texts.chapters}>
      <div class="cph">
        <h2>
          {texts.chapters} <small class="q">{texts.chaptersUse}</small>
        </h2>
        <CopyButton text={text} words={page.copy} />
      </div>
      {!isTakenByYouTube(text) && <p class="chn">{texts.chaptersIgnored}</p>}
      <ul class="chs" tabIndex={0} aria-label={texts.chapterList}>
        {lines.slice(0, 60).map(([line, time, name]) => (
          <li key={line}>
            <span class="num">{time}</span>
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The request of this export. */
function Curl() {
  const { value: project } = exported;
  if (project === null) return null;
  const command = curlCommand(location.origin, requestFields(project), studioConfig.service?.needsKey === true);
  return (
    <section class="cp" aria-label={texts.sameByApi}>
      <div class="cph">
        <h2>{texts.sameByApi}</h2>
        <CopyButton text={command} words={texts.copyCurl} />
      </div>
      <pre tabIndex={0}>
        {command
          .split('\n')
          .map((line) => (line.length > 62 ? `${line.slice(0, 52)} …' \\` : line))
          .join('\n')}
      </pre>
    </section>
  );
}

/** A line for each format and each short: its progress and its download. */
function ExportOutputs({ view }: { readonly view: Export }) {
  return (
    <ul class="outs">
      {Object.entries(view.outputs).map(([preset, output]) => (
        <OutputRow key={preset} preset={preset} output={output} href={view.downloads[preset]!} />
      ))}
      {view.shorts?.map((short) => (
        <ShortRow key={short.number} short={short} />
      ))}
    </ul>
  );
}

/** A short is rendered when it is downloaded, so the link always works. (C52) */
function ShortRow({ short }: { readonly short: Short }) {
  const done = short.state === 'completed';
  return (
    <li class={`or ${done ? 'done' : ''}`} data-short={short.number}>
      <PresetIcon {...short} />
      <div class="oh">
        <b>{texts.short(short.number)}</b>
        <span class="q">{short.title}</span>
        <span class="os">
          {done || short.error !== undefined ? stateWords(short) : page.seconds(Math.round(short.duration))}
        </span>
      </div>
      <a class="bt" href={short.download_url} download>
        <Icon name="download" />
        <span>{done ? texts.download : texts.makeIt}</span>
        {done && <small>{megabytes(short.bytes ?? 0)}</small>}
      </a>
    </li>
  );
}

function OutputRow({
  preset,
  output,
  href,
}: {
  readonly preset: string;
  readonly output: Output;
  readonly href: string;
}) {
  const done = output.state === 'completed';
  const idle = output.state === 'idle';
  const percent = Math.floor(output.progress * 100);
  const name = formatName(preset);
  return (
    <li class={`or ${done ? 'done' : ''}`} data-preset={preset}>
      <PresetIcon {...output} />
      <div>
        <div class="oh">
          <b>{name}</b>
          <span class="q">
            {output.width} × {output.height}
          </span>
          <span class="os">{stateWords(output)}</span>
        </div>
        <div
          class="bar"
          role="progressbar"
          aria-label={name}
          aria-valuenow={done ? 100 : percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${done ? 100 : percent}%` }} />
        </div>
      </div>
      {done || idle ? (
        <a class={done ? 'bt prim' : 'bt'} href={href} download>
          <Icon name="download" />
          <span>{done ? texts.download : texts.makeIt}</span> {done && <small>{megabytes(output.bytes ?? 0)}</small>}
        </a>
      ) : (
        isOpen(output) && (
          <button type="button" class="bt" aria-label={texts.stopFormat(name)} onClick={() => void stopExport(preset)}>
            {texts.stop}
          </button>
        )
      )}
    </li>
  );
}
