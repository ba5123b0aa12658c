import { effect, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Issue } from '../../errors.ts';
import { selectionAt } from '../document/selection-at.ts';
import { tellsNothing, toldBoard } from '../document/told-board.ts';
import { focusDetails } from '../keys/move-focus.ts';
import { Dialog } from '../kit/dialog.tsx';
import { megabytes } from '../kit/figures.ts';
import { Icon } from '../kit/icon.tsx';
import { keyWanted, serviceGone } from '../service/service.ts';
import { decided, exported, planned, project, selection } from '../session/session.ts';
import { BeforeExport } from './before-export.tsx';
import { Chapters, Curl } from './export-extras.tsx';
import { ExportOutputs } from './export-outputs.tsx';
import { ExportPlayer } from './export-player.tsx';
import { exportOpen, exportStep, isOpen, isUnderWay } from './export-state.ts';
import { KeyForm } from './key-form.tsx';
import { pickedUp } from './pick-up-export.ts';
import { startExport, stopExport } from './run-export.ts';

/** From the button to three MP4s. Closing it stops nothing. */
export function ExportPanel() {
  const now = exportStep.value;
  const errors = whatIsWrong();
  const changed = exported.value !== null && exported.value !== decided.value;
  const asks = useSignal(false);
  useEffect(() => {
    void mayBegin().then((may) => {
      asks.value = may && tellsNothing(toldBoard(decided.value));
      if (may && !asks.value) void startExport();
    });
  }, []);
  const begin = () => {
    asks.value = false;
    void startExport();
  };
  const close = () => {
    exportOpen.value = false;
  };
  return (
    <Dialog
      title={asks.value ? 'Before it is made' : titleOf()}
      subtitle={asks.value ? 'Three shapes, one MP4 each.' : subtitleOf()}
      class="export"
      onClose={close}
      closeLabel={isUnderWay(now) ? 'Close; it goes on' : 'Close'}
      tools={
        <>
          {changed && errors.length === 0 && !asks.value && (
            <button type="button" class="bt" onClick={begin}>
              Export the changes
            </button>
          )}
          {isUnderWay(now) && (
            <button type="button" class="bt" onClick={() => void stopExport()}>
              Stop
            </button>
          )}
        </>
      }
    >
      {serviceGone.value && (
        <p class="note" role="status">
          <Icon name="warn" />
          <span>
            <b>The service does not answer</b>
            Everything is saved here. It goes on by itself when the service is back.
          </span>
        </p>
      )}
      {keyWanted.value && <KeyForm />}
      {asks.value && <BeforeExport told={toldBoard(decided.value)} onGo={close} onExport={begin} />}
      {errors.length > 0 && now.step !== 'made' && <InTheWay onGo={close} />}
      {now.step === 'waiting' && <p class="q">The example is still being drawn …</p>}
      {now.step === 'uploading' && !keyWanted.value && <Uploading bytes={now.bytes} of={now.of} name={now.name} />}
      {now.step === 'sending' && !keyWanted.value && <p class="q">Sending the documents …</p>}
      {now.step === 'failed' && !asks.value && <Failed message={now.message} paths={now.issues} />}
      {now.step === 'stopped' && !asks.value && (
        <button type="button" class="bt prim big" onClick={begin}>
          <Icon name="export" />
          Export again
        </button>
      )}
      {now.step === 'made' && !asks.value && (
        <div class="xg">
          <ExportPlayer view={now.view} />
          <div class="xr">
            <ExportOutputs view={now.view} />
            {now.view.error !== undefined && <Failed message={now.view.error.detail} paths={now.view.error.errors} />}
            <Chapters text={now.chapters} />
            <Curl />
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** One button: opening it begins, unless this very project is made already or something is in the way. */
async function mayBegin(): Promise<boolean> {
  await pickedUp();
  if (!isEmpty()) await isPlanned();
  const now = exportStep.value;
  const same = exported.value === decided.value && now.step !== 'failed' && now.step !== 'stopped';
  return exportOpen.value && whatIsWrong().length === 0 && !same && !isUnderWay(now);
}

/** Where there is nothing yet, nothing is planned either. */
function isEmpty(): boolean {
  const { tier_list, media, timeline_data } = decided.value;
  const isBare = Object.values(timeline_data).every((lane) => !Array.isArray(lane) || lane.length === 0);
  return isBare && tier_list.items.length === 0 && Object.keys(media).length === 0;
}

function whatIsWrong(): readonly Issue[] {
  return isEmpty() ? [{ path: '', code: 'timeline.empty', message: '' }] : planned.value.errors;
}

/** Whoever is quicker than the planner is told what is in the way all the same. */
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
  if (keyWanted.value) return 'One thing first';
  if (whatIsWrong().length > 0 && now.step !== 'made') return 'Not yet';
  if (now.step === 'uploading') return 'Sending your files';
  if (now.step === 'failed') return 'It did not work';
  if (now.step === 'stopped') return 'Stopped';
  if (now.step !== 'made') return 'Export';
  const { state } = now.view;
  if (state === 'failed') return 'It did not work';
  if (state === 'cancelled') return 'Stopped';
  if (isUnderWay(now)) return state === 'queued' ? 'Your video waits for its turn' : 'Your video is rendering';
  return 'Your video is ready';
}

function subtitleOf(): string {
  const now = exportStep.value;
  if (keyWanted.value) return 'Then your files go up, and the video is made.';
  if (now.step === 'uploading')
    return 'Each goes up once; the next export sends only what is new. You can keep editing.';
  if (now.step === 'stopped') return 'Nothing of it is kept by the service.';
  if (now.step !== 'made') return 'Three shapes, one MP4 each.';
  const outputs = Object.values(now.view.outputs);
  const ready = outputs.filter(({ state }) => state === 'completed').length;
  if (ready === 3) return 'All three shapes are ready.';
  if (!outputs.some(isOpen)) return `${COUNT[ready] ?? ready} of three shapes ${ready === 1 ? 'is' : 'are'} ready.`;
  return `${COUNT[ready] ?? ready} of three shapes ${ready === 1 ? 'is' : 'are'} ready. You can keep editing; this export will not change.`;
}

const COUNT = ['None', 'One', 'Two', 'All'];

/** The first thing that is wrong, and the way to it. */
function InTheWay({ onGo }: { readonly onGo: () => void }) {
  const errors = whatIsWrong();
  const first = errors[0]!;
  return (
    <div class="note isbad">
      <Icon name="error" />
      <span>
        <b>{first.code === 'timeline.empty' ? 'There is nothing to show yet' : first.message}</b>
        {first.code === 'timeline.empty'
          ? 'Drop pictures and put them into rows, or drop a clip.'
          : errors.length > 1
            ? `And ${errors.length - 1} more.`
            : 'Mend it, and export.'}
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
          Show it
        </button>
      )}
    </div>
  );
}

function Uploading({ bytes, of, name }: { readonly bytes: number; readonly of: number; readonly name: string }) {
  return (
    <div class="up" role="status">
      <progress max={Math.max(1, of)} value={bytes} aria-label="Sent" />
      <p>
        <span>{name}</span>
        <span class="num">
          {megabytes(bytes)} of {megabytes(of)}
        </span>
      </p>
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
            And {others.length - 2} more
          </button>
        )}
      </span>
      {exportStep.value.step === 'failed' && (
        <button type="button" class="bt" onClick={() => void startExport()}>
          Try again
        </button>
      )}
    </div>
  );
}
