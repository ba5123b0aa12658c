import { chooseFormat, exportWords, formatsToMake } from '../export/export-choices.ts';
import { exportOpen } from '../export/export-state.ts';
import { studioConfig } from '../kit/assets.ts';
import { formatName } from '../kit/format-name.ts';
import { Icon } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { edit, settings } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';

const QUALITIES = (['draft', 'balanced', 'high', 'upload'] as const).map((value) => ({
  value,
  words: texts.qualities[value].name,
}));

/** Formats and quality of the next export. Formats are stored in the browser, quality in the project. */
export function ExportOptions() {
  const formats = formatsToMake();
  const quality = settings.value.quality ?? 'balanced';
  return (
    <div class="export-options">
      <fieldset>
        <legend class="menu-title">{texts.formatsTitle}</legend>
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
      <p class="menu-title">{texts.quality}</p>
      <Radios
        label={texts.quality}
        class="menu-row"
        each="pick"
        value={quality}
        choices={QUALITIES}
        onChoose={(chosen) =>
          edit(texts.changeQuality, (draft) => {
            draft.settings.quality = chosen;
          })
        }
      />
      <p class="q">{texts.qualities[quality].help}</p>
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
