import { chooseFormat, exportWords, formatsToMake } from '../export/export-choices.ts';
import { exportOpen } from '../export/export-state.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { shapeName } from '../kit/shape-name.ts';
import { edit, settings } from '../session/session.ts';

const QUALITIES = [
  { value: 'draft', words: 'Draft', help: 'Quick, to look at it.' },
  { value: 'balanced', words: 'Balanced', help: 'For most videos.' },
  { value: 'high', words: 'High', help: 'Larger files with finer detail.' },
  { value: 'upload', words: 'Upload', help: 'The largest file, for sites that encode videos again.' },
] as const;

/** Formats and quality, before an export starts. Formats are remembered by the browser, quality by the project. */
export function ExportOptions() {
  const formats = formatsToMake();
  const quality = settings.value.quality ?? 'balanced';
  return (
    <div class="export-options">
      <fieldset>
        <legend class="menu-title">Formats</legend>
        {studioConfig.presets.map(({ name, width, height }) => (
          <label key={name} class="mi">
            <input
              type="checkbox"
              checked={formats.includes(name)}
              disabled={formats.length === 1 && formats.includes(name)}
              onChange={(event) => chooseFormat(name, event.currentTarget.checked)}
            />
            {shapeName(name)}
            <small>
              {width} × {height}
            </small>
          </label>
        ))}
      </fieldset>
      <p class="menu-title">Quality</p>
      <Radios
        label="Quality"
        class="menu-row"
        each="pick"
        value={quality}
        choices={QUALITIES}
        onChoose={(chosen) =>
          edit('Change quality', (draft) => {
            draft.settings.quality = chosen;
          })
        }
      />
      <p class="q">{QUALITIES.find(({ value }) => value === quality)?.help}</p>
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
