import { useEffect } from 'preact/hooks';
import { NOTHING } from '../../document/selection.ts';
import { chooseFiles } from '../../files/take-files.ts';
import { projectId } from '../../keeping/autosave.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { studioConfig } from '../../kit/assets.ts';
import { Icon } from '../../kit/icon.tsx';
import { Menu } from '../../kit/menu.tsx';
import { say } from '../../kit/messages.ts';
import { isPhone } from '../../kit/phone.ts';
import { formatName } from '../../kit/shown-values.ts';
import { hasService } from '../../session/service-state.ts';
import { readOnly, selection, tableOpen } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { BatchView } from './batch-view.tsx';
import { Grid } from './grid.tsx';
import { addRow, importTable, removeSelected, saveTable } from './grid-commands.ts';
import { previewRows, table, wrongCount } from './open-rows.ts';
import { RowForm } from './row-form.tsx';
import { batchShown, batchStep, pickUpBatches, rowsToExport, startBatch, whichRows } from './run-batch.ts';
import { lookForFiles } from './table-files.ts';
import { chooseFormat, formatsToMake } from './table-formats.ts';

/** The episodes of a template as a table, beside the preview of one of them. */
export function TablePanel() {
  useEffect(previewRows, []);
  useEffect(pickUpBatches, []);
  useEffect(takeDrops, []);
  useEffect(() => {
    // What was selected in the template would be changed by keys.
    selection.value = NOTHING;
    void lookForFiles(table.peek().rows);
  }, [projectId.value]);
  const count = table.value.rows.length;
  const wrong = wrongCount.value;
  return (
    <aside class="insp table-panel" aria-label={texts.table}>
      <div class="tb-bar">
        <button
          type="button"
          class="bt"
          onClick={() => {
            tableOpen.value = false;
            focusSoon('.template-panel input');
          }}
        >
          <Icon name="back" />
          {texts.closeTable}
        </button>
        <button type="button" class="bt" disabled={readOnly.value} onClick={addRow}>
          <Icon name="plus" />
          {texts.addRow}
        </button>
        <button type="button" class="bt" disabled={count === 0 || readOnly.value} onClick={removeSelected}>
          {texts.removeRow}
        </button>
        <button
          type="button"
          class="bt"
          disabled={readOnly.value}
          onClick={() => chooseFiles('.csv,.tsv,text/csv', ([file]) => file && importTable(file))}
        >
          {texts.importTable}
        </button>
        <button type="button" class="bt" disabled={count === 0} onClick={saveTable}>
          {texts.saveTable}
        </button>
        <span class="q" role="status">
          {texts.rows(count)}
          {wrong > 0 && ` · ${texts.wrongRows(wrong)}`}
        </span>
        {hasService && <ExportAll />}
      </div>
      {!hasService && <p class="q tb-help">{texts.noBatches}</p>}
      {batchShown.value ? (
        <BatchView />
      ) : isPhone.value ? (
        <RowForm />
      ) : (
        <>
          <Grid />
          <p class="q tb-help">{count === 0 ? texts.noRows : texts.keysHelp}</p>
        </>
      )}
    </aside>
  );
}

/** Imports a table that is dropped anywhere on the page. @returns a function that ends it */
function takeDrops(): () => void {
  const ended = new AbortController();
  const on = { signal: ended.signal };
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), on);
  addEventListener(
    'drop',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      const file = [...event.dataTransfer!.files].find(({ name }) => /\.(csv|tsv|txt)$/i.test(name));
      if (file === undefined) say(texts.dropTable, 'bad');
      else if (!readOnly.value) void importTable(file);
    },
    on,
  );
  return () => ended.abort();
}

/** Sends the rows that are right; while a batch is there, shows it. */
function ExportAll() {
  const ready = rowsToExport.value.length;
  const which = whichRows.value;
  const now = batchStep.value;
  const isRunning = now.step === 'sending' || (now.step === 'made' && now.batch.state === 'running');
  const formats = formatsToMake();
  const names = formats.map(formatName).join(', ');
  return (
    <span class="end">
      {now.step !== 'none' && !batchShown.value && (
        <button
          type="button"
          class="bt"
          onClick={() => {
            batchShown.value = true;
          }}
        >
          {texts.showBatch}
        </button>
      )}
      <Menu class="bt" label={texts.formats(names)} button={names}>
        {studioConfig.presets.map(({ name }) => (
          <label key={name} class="tb-format">
            <input
              type="checkbox"
              checked={formats.includes(name)}
              disabled={formats.length === 1 && formats.includes(name)}
              onChange={(event) => chooseFormat(name, event.currentTarget.checked)}
            />
            {formatName(name)}
          </label>
        ))}
      </Menu>
      <select
        aria-label={texts.rowsToExport}
        value={typeof which === 'number' ? 'changed' : which}
        onChange={({ currentTarget }) => {
          whichRows.value = currentTarget.value as keyof typeof texts.whichRows;
        }}
      >
        {(['all', 'changed', 'chosen'] as const).map((name) => (
          <option key={name} value={name} disabled={name === 'changed' && now.step !== 'made'}>
            {texts.whichRows[name]}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="bt prim"
        disabled={ready === 0 || isRunning || readOnly.value}
        onClick={() => void startBatch()}
      >
        <Icon name="export" />
        {texts.exportVideos(ready)}
      </button>
    </span>
  );
}
