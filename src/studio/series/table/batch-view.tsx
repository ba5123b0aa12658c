import { useSignal } from '@preact/signals';
import type { BatchRow } from '../../../../packages/client/src/client.ts';
import { writeZip } from '../../../archive/zip-file.ts';
import { FreeNames } from '../../document/episode-table.ts';
import { at } from '../../document/table-range.ts';
import { titleOf } from '../../document/template.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { Icon } from '../../kit/icon.tsx';
import { say } from '../../kit/messages.ts';
import { formatName } from '../../kit/shown-values.ts';
import { useTimeLeft } from '../../kit/use-time-left.ts';
import { service } from '../../session/service.ts';
import { decided, readOnly } from '../../session/session.ts';
import * as page from '../../texts/en/page.ts';
import { percent } from '../../texts/en/page.ts';
import * as texts from '../../texts/en/table.ts';
import { saveBlob } from './grid-commands.ts';
import { select, table } from './open-rows.ts';
import {
  type BatchLine,
  batchShown,
  batchStep,
  cancelBatch,
  cancelLine,
  exportLine,
  retryRows,
  sendAgain,
  shares,
  whichRows,
} from './run-batch.ts';

/** Lines that are shown at once; the table of results has all. */
const MAX_LINES = 200;

/** The batch of the table: one bar for all, a line for each row, and what to do about those that failed. */
export function BatchView() {
  const now = batchStep.value;
  return (
    <section class="tb-batch scr" tabIndex={0} aria-label={texts.exportAll}>
      {now.step === 'sending' && <Sending bytes={now.bytes} of={now.of} />}
      {now.step === 'failed' && (
        <>
          <p class="field-note isbad" role="alert">
            <Icon name="error" />
            <span>{now.message}</span>
          </p>
          <div class="tb-actions">
            <button type="button" class="bt prim" disabled={readOnly.value} onClick={() => void sendAgain()}>
              {texts.tryAgain}
            </button>
            <BackButton />
          </div>
        </>
      )}
      {now.step === 'made' && <Made {...now} />}
    </section>
  );
}

function BackButton() {
  return (
    <button
      type="button"
      class="bt"
      onClick={() => {
        batchShown.value = false;
        focusSoon('.tb-grid', '.tb-form input');
      }}
    >
      {texts.backToRows}
    </button>
  );
}

function Sending({ bytes, of }: { readonly bytes: number; readonly of: number }) {
  return (
    <>
      <h2>{texts.sending}</h2>
      <Bar label={texts.sending} share={of === 0 ? 0 : bytes / of} />
      <div class="tb-actions">
        <button type="button" class="bt" onClick={() => void cancelBatch()}>
          {texts.cancelAll}
        </button>
      </div>
    </>
  );
}

function Bar({ label, share }: { readonly label: string; readonly share: number }) {
  const value = Math.floor(share * 100);
  return (
    <div class="bar" role="progressbar" aria-label={label} aria-valuenow={value} aria-valuemin={0} aria-valuemax={100}>
      <i style={{ width: `${value}%` }} />
    </div>
  );
}

type MadeStep = Extract<typeof batchStep.value, { readonly step: 'made' }>;

function Made({ batch, lines }: MadeStep) {
  const { counts } = batch;
  const packing = useSignal<number | null>(null);
  const isRunning = batch.state === 'running';
  const failed = counts.failed + counts.cancelled;
  const others = lines.filter(({ isLast }) => !isLast);
  const completed = counts.completed + others.filter(({ row }) => row.state === 'completed').length;
  const partly = [...shares.value.values()].reduce((sum, share) => sum + share, 0);
  const share = isRunning ? Math.min(0.99, batch.progress + partly / batch.rows) : 1;
  const left = useTimeLeft(share);
  // What needs the user comes first.
  const sorted = [...lines].sort((a, b) => Number(b.row.error !== null) - Number(a.row.error !== null));
  const names = namesOfLines(lines);
  const pack = async () => {
    packing.value = 0;
    await packAll(lines, names, (done) => {
      packing.value = done;
    }).catch(() => say(texts.packFailed, 'bad'));
    packing.value = null;
  };
  return (
    <>
      <h2 aria-live="polite">{texts.videosReady(completed, batch.rows + others.length)}</h2>
      <Bar label={texts.exportAll} share={share} />
      <p class="q">
        {isRunning
          ? [left, texts.mayClose].filter((text) => text !== null).join(' · ')
          : texts.allEnded(counts.failed + counts.invalid, counts.cancelled)}
      </p>
      <ul class="tb-rows">
        {sorted.slice(0, MAX_LINES).map((line) => (
          <RowLine key={line.id} line={line} file={names.get(line)!} isRunning={isRunning} />
        ))}
      </ul>
      {lines.length > MAX_LINES && <p class="q">{texts.moreLines(lines.length - MAX_LINES)}</p>}
      <div class="tb-actions">
        <button
          type="button"
          class="bt prim"
          disabled={completed === 0 || packing.value !== null}
          onClick={() => void pack()}
        >
          <Icon name="download" />
          {packing.value === null ? texts.downloadAll : texts.packing(packing.value, completed)}
        </button>
        <a class="bt" href={batch.links.results} download>
          {texts.results}
        </a>
        {failed > 0 && !isRunning && (
          <button type="button" class="bt" disabled={readOnly.value} onClick={() => void retryRows()}>
            {texts.retry(failed)}
          </button>
        )}
        {isRunning && (
          <button type="button" class="bt" onClick={() => void cancelBatch()}>
            {texts.cancelAll}
          </button>
        )}
        <BackButton />
      </div>
    </>
  );
}

interface RowLineProps {
  readonly line: BatchLine;
  /** The name of its files. */
  readonly file: string;
  readonly isRunning: boolean;
}

function RowLine({ line, file, isRunning }: RowLineProps) {
  const { row, formats } = line;
  const { state, error, export_id, downloads } = row;
  const name = row.video ?? String(row.row + 1);
  const share = state === 'completed' ? 1 : ((export_id === null ? undefined : shares.value.get(export_id)) ?? 0);
  const isUnmade = error !== null || state === 'cancelled';
  const index = table.value.rows.findIndex((each) => each.id === line.id);
  const fix = () => {
    select(at(index, 0));
    // The other videos are made.
    whichRows.value = 'changed';
    batchShown.value = false;
    focusSoon('.tb-grid', '.tb-form input');
  };
  return (
    <li class={error === null ? 'tb-made' : 'tb-made wrong'} data-state={state}>
      <b>{name}</b>
      <Bar label={name} share={share} />
      <span class="tb-word">
        {error !== null
          ? messageOfRow(error)
          : state === 'rendering'
            ? percent(Math.floor(share * 100))
            : texts.states[state]}
      </span>
      <span class="tb-do">
        {state === 'completed' &&
          formats.map((format) => (
            <a
              key={format}
              class="bt"
              href={downloads?.[format] ?? ''}
              download={`${file}${formats.length > 1 ? `-${wordOf(format)}` : ''}.mp4`}
              aria-label={texts.downloadOf(name, formatName(format))}
            >
              {formatName(format)}
            </a>
          ))}
        {(state === 'queued' || state === 'rendering') && (
          <button
            type="button"
            class="bt"
            aria-label={texts.cancelOf(name)}
            onClick={() => {
              void cancelLine(line);
              focusSoon('.tb-batch');
            }}
          >
            {texts.cancelOne}
          </button>
        )}
        {isUnmade && index < 0 && <span class="q">{texts.rowGone}</span>}
        {error !== null && index >= 0 && (
          <button type="button" class="bt" aria-label={texts.fixOf(name)} onClick={fix}>
            {texts.fix}
          </button>
        )}
        {isUnmade && index >= 0 && !isRunning && (
          <button
            type="button"
            class="bt"
            aria-label={texts.tryAgainOf(name)}
            disabled={readOnly.value}
            onClick={() => {
              void exportLine(line);
              focusSoon('.tb-batch');
            }}
          >
            {texts.tryAgain}
          </button>
        )}
      </span>
    </li>
  );
}

function messageOfRow({ detail, errors }: NonNullable<BatchRow['error']>): string {
  return errors[0]?.message ?? detail;
}

function wordOf(format: string): string {
  return formatName(format).toLowerCase();
}

/** A name that every system takes. */
function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '_') || '_';
}

/** The name of the files of each line. On many systems, names that differ in the size of letters only are the same. */
function namesOfLines(lines: readonly BatchLine[]): ReadonlyMap<BatchLine, string> {
  const free = new FreeNames([], (name) => name.normalize('NFC').toLowerCase());
  return new Map(lines.map((line) => [line, free.take(fileName(line.row.video ?? String(line.row.row + 1)), false)]));
}

/** All finished videos in one archive. @param onDone how many are in it */
async function packAll(
  lines: readonly BatchLine[],
  names: ReadonlyMap<BatchLine, string>,
  onDone: (count: number) => void,
): Promise<void> {
  const finished = lines.filter(({ row }) => row.state === 'completed');
  const hasFolders = finished.some(({ formats }) => formats.length > 1 || formats[0] !== finished[0]!.formats[0]);
  const files: { readonly path: string; readonly file: Blob }[] = [];
  for (const [index, line] of finished.entries()) {
    for (const preset of line.formats) {
      const { stream } = await service.download(line.row.export_id!, { preset });
      const path = `${hasFolders ? `${wordOf(preset)}/` : ''}${names.get(line)!}.mp4`;
      files.push({ path, file: await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob() });
    }
    onDone(index + 1);
  }
  saveBlob(await writeZip(files), `${fileName(titleOf(decided.value) ?? page.untitled)}.zip`);
}
