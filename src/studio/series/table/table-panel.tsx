import { useEffect } from 'preact/hooks';
import { chooseFiles } from '../../files/take-files.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { Icon } from '../../kit/icon.tsx';
import { tableOpen } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { Grid } from './grid.tsx';
import { addRow, importTable, removeSelected, saveTable } from './grid-commands.ts';
import { previewRows, readyRows, table } from './open-rows.ts';

/** The episodes of a template as a table, beside the preview of one of them. */
export function TablePanel() {
  useEffect(previewRows, []);
  const count = table.value.rows.length;
  const wrong = count - readyRows.value.length;
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
      </div>
      <Grid />
      <p class="q tb-help">{count === 0 ? texts.noRows : texts.keysHelp}</p>
    </aside>
  );
}
