import { useSignal } from '@preact/signals';
import type { BatchRow } from '../../../../packages/client/src/client.ts';
import { writeZip } from '../../../archive/zip-file.ts';
import { at } from '../../document/table-range.ts';
import { titleOf } from '../../document/template.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { Icon } from '../../kit/icon.tsx';
import { say } from '../../kit/messages.ts';
import { formatName } from '../../kit/shown-values.ts';
import { useTimeLeft } from '../../kit/use-time-left.ts';
import { service } from '../../session/service.ts';
import { decided } from '../../session/session.ts';
import * as page from '../../texts/en/page.ts';
import { percent } from '../../texts/en/page.ts';
import * as texts from '../../texts/en/table.ts';
import { saveBlob } from './grid-commands.ts';
import { select, table } from './open-rows.ts';
import { batchShown, batchStep, cancelBatch, retryRows, shares, startBatch } from './run-batch.ts';

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
            <button type="button" class="bt prim" onClick={() => void startBatch()}>
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

function Made({ batch, rows, kept }: MadeStep) {
  const { counts } = batch;
  const packing = useSignal<number | null>(null);
  const isRunning = batch.state === 'running';
  const failed = counts.failed + counts.cancelled;
  const partly = [...shares.value.values()].reduce((sum, share) => sum + share, 0);
  const share = isRunning ? Math.min(0.99, batch.progress + partly / batch.rows) : 1;
  const left = useTimeLeft(share);
  // What needs the user comes first.
  const sorted = [...rows].sort((a, b) => Number(b.error !== null) - Number(a.error !== null));
  const pack = async () => {
    packing.value = 0;
    await packAll(rows, kept.formats, (done) => {
      packing.value = done;
    }).catch(() => say(texts.packFailed, 'bad'));
    packing.value = null;
  };
  return (
    <>
      <h2 aria-live="polite">{texts.videosReady(counts.completed, batch.rows)}</h2>
      <Bar label={texts.exportAll} share={share} />
      <p class="q">
        {isRunning
          ? [left, texts.mayClose].filter((text) => text !== null).join(' · ')
          : texts.allEnded(counts.failed + counts.invalid, counts.cancelled)}
      </p>
      <ul class="tb-rows">
        {sorted.slice(0, MAX_LINES).map((row) => (
          <RowLine key={row.row} row={row} id={kept.rows[row.row]!} formats={kept.formats} />
        ))}
      </ul>
      {rows.length > MAX_LINES && <p class="q">{texts.moreLines(rows.length - MAX_LINES)}</p>}
      <div class="tb-actions">
        <button
          type="button"
          class="bt prim"
          disabled={counts.completed === 0 || packing.value !== null}
          onClick={() => void pack()}
        >
          <Icon name="download" />
          {packing.value === null ? texts.downloadAll : texts.packing(packing.value, counts.completed)}
        </button>
        <a class="bt" href={batch.links.results} download>
          {texts.results}
        </a>
        {failed > 0 && !isRunning && (
          <button type="button" class="bt" onClick={() => void retryRows()}>
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
  readonly row: BatchRow;
  /** Of the row in the table. */
  readonly id: number;
  readonly formats: readonly string[];
}

function RowLine({ row, id, formats }: RowLineProps) {
  const { state, error, export_id, downloads } = row;
  const name = row.video ?? String(row.row + 1);
  const share = state === 'completed' ? 1 : ((export_id === null ? undefined : shares.value.get(export_id)) ?? 0);
  const fix = () => {
    const index = table.value.rows.findIndex((each) => each.id === id);
    if (index >= 0) select(at(index, 0));
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
              download={`${fileName(name)}${formats.length > 1 ? `-${wordOf(format)}` : ''}.mp4`}
              aria-label={texts.downloadOf(name, formatName(format))}
            >
              {formatName(format)}
            </a>
          ))}
        {error !== null && (
          <button type="button" class="bt" aria-label={texts.fixOf(name)} onClick={fix}>
            {texts.fix}
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

/** All finished videos in one archive. @param onDone how many are in it */
async function packAll(
  rows: readonly BatchRow[],
  formats: readonly string[],
  onDone: (count: number) => void,
): Promise<void> {
  const finished = rows.filter(({ state }) => state === 'completed');
  const files: { readonly path: string; readonly file: Blob }[] = [];
  for (const [index, { export_id, video, row }] of finished.entries()) {
    for (const preset of formats) {
      const { stream } = await service.download(export_id!, { preset });
      const name = fileName(video ?? String(row + 1));
      const path = formats.length > 1 ? `${wordOf(preset)}/${name}.mp4` : `${name}.mp4`;
      files.push({ path, file: await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob() });
    }
    onDone(index + 1);
  }
  saveBlob(await writeZip(files), `${fileName(titleOf(decided.value) ?? page.untitled)}.zip`);
}
