import type { Issue } from '../../errors.ts';
import { selectionAt } from '../document/selection.ts';
import { chooseFormat, exportWords, formatsToMake } from '../export/export-choices.ts';
import { exportOpen, exportStep, isUnderWay, shareOf } from '../export/export-progress.ts';
import { focusDetails } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { Menu } from '../kit/menu.tsx';
import { Radios } from '../kit/radios.tsx';
import { formatName } from '../kit/shown-values.ts';
import { edit, planned, project, selection, settings } from '../session/session.ts';
import * as exportTexts from '../texts/en/export.ts';
import * as texts from '../texts/en/late.ts';
import { percent } from '../texts/en/page.ts';

/** The number of errors and warnings, with a link to each. */
export function IssuesMenu() {
  const { warnings } = planned.value;
  // An empty project is not an error: the page shows where to start, and Export what is missing.
  const errors = planned.value.errors.filter(({ code }) => code !== 'timeline.empty');
  if (errors.length + warnings.length === 0) return null;
  const words = errors.length > 0 ? texts.problems(errors.length) : texts.warnings(warnings.length);
  return (
    <Menu
      label={words}
      class={`bt plain ${errors.length > 0 ? 'isbad' : 'iswarn'}`}
      button={
        <>
          <Icon name={errors.length > 0 ? 'error' : 'warn'} />
          <span>{words}</span>
        </>
      }
    >
      <ul class="issue-list">
        {[...errors, ...warnings].slice(0, 50).map((issue, i) => (
          <li key={`${issue.path} ${issue.code} ${i}`}>
            <IssueLine issue={issue} bad={i < errors.length} />
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function IssueLine({ issue, bad }: { readonly issue: Issue; readonly bad: boolean }) {
  return (
    <button
      type="button"
      class={`issue ${bad ? 'isbad' : 'iswarn'}`}
      data-closes
      onClick={() => {
        selection.value = selectionAt(project.value, issue.path);
        focusDetails();
      }}
    >
      <Icon name={bad ? 'error' : 'warn'} />
      <span>{issue.message}</span>
    </button>
  );
}

const QUALITIES = (['draft', 'balanced', 'high', 'upload'] as const).map((value) => ({
  value,
  words: exportTexts.qualities[value].name,
}));

/** Formats and quality of the next export. Formats are stored in the browser, quality in the project. */
export function ExportOptions() {
  const formats = formatsToMake();
  const quality = settings.value.quality ?? 'balanced';
  return (
    <div class="export-options">
      <fieldset>
        <legend class="menu-title">{exportTexts.formatsTitle}</legend>
        {studioConfig.presets.map(({ name, width, height }) => (
          <label key={name} class="mi">
            <input
              type="checkbox"
              checked={formats.includes(name)}
              disabled={formats.length === 1 && formats.includes(name)}
              onChange={(event) => chooseFormat(name, event.currentTarget.checked)}
            />
            {formatName(name)}
            <small>
              {width} × {height}
            </small>
          </label>
        ))}
      </fieldset>
      <p class="menu-title">{exportTexts.quality}</p>
      <Radios
        label={exportTexts.quality}
        class="menu-row"
        each="pick"
        value={quality}
        choices={QUALITIES}
        onChoose={(chosen) =>
          edit(exportTexts.changeQuality, (draft) => {
            draft.settings.quality = chosen;
          })
        }
      />
      <p class="q">{exportTexts.qualities[quality].help}</p>
      <button
        type="button"
        class="bt prim wide"
        data-closes
        onClick={() => {
          exportOpen.value = true;
        }}
      >
        <Icon name="export" />
        {exportWords(false)}
      </button>
    </div>
  );
}

/** The progress of a running export. */
export function ExportShare() {
  const now = exportStep.value;
  if (now.step !== 'made' || !isUnderWay(now)) return null;
  return <small class="num">{percent(Math.floor(shareOf(now.view) * 100))}</small>;
}
