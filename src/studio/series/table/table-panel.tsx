import { useEffect } from 'preact/hooks';
import { chooseFiles } from '../../files/take-files.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { studioConfig } from '../../kit/assets.ts';
import { Icon } from '../../kit/icon.tsx';
import { Menu } from '../../kit/menu.tsx';
import { isPhone } from '../../kit/phone.ts';
import { formatName } from '../../kit/shown-values.ts';
import { tableOpen } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { BatchView } from './batch-view.tsx';
import { Grid } from './grid.tsx';
import { addRow, importTable, removeSelected, saveTable } from './grid-commands.ts';
import { previewRows, readyRows, table, wrongCount } from './open-rows.ts';
import { RowForm } from './row-form.tsx';
import { batchShown, batchStep, pickUpBatches, startBatch } from './run-batch.ts';
import { chooseFormat, formatsToMake } from './table-formats.ts';

/** The episodes of a template as a table, beside the preview of one of them. */
export function TablePanel() {
  useEffect(previewRows, []);
  useEffect(pickUpBatches, []);
  const count = table.value.rows.length;
  const wrong = wrongCount.value;
  return (
    <aside
      class="insp table-panel"
      aria-label={texts.table}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => /\.(csv|tsv|txt)$/i.test(name));
        if (file === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        void importTable(file);
      }}
    >
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
        <button type="button" class="bt" onClick={addRow}>
          <Icon name="plus" />
          {texts.addRow}
        </button>
        <button type="button" class="bt" disabled={count === 0} onClick={removeSelected}>
          {texts.removeRow}
        </button>
        <button
          type="button"
          class="bt"
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
        <ExportAll ready={readyRows.value.length} />
      </div>
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

/** Sends all rows that are right; while a batch is there, shows it. */
function ExportAll({ ready }: { readonly ready: number }) {
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
      <button type="button" class="bt prim" disabled={ready === 0 || isRunning} onClick={() => void startBatch()}>
        <Icon name="export" />
        {texts.exportVideos(ready)}
      </button>
    </span>
  );
}
