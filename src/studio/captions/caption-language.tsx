import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import * as texts from '../texts/en/captions.ts';
import { AUTOMATIC, captionsFault, captionsLanguage } from './transcribe-voice.ts';

const GUIDE = '/docs/guides/captions';

/** The language of the speech, and how to get a model for another one. (C77) */
export function Language() {
  const { captionLanguages: known } = studioConfig;
  const { value: chosen } = captionsLanguage;
  const hasModel = chosen === AUTOMATIC ? known.length > 0 : known.includes(chosen);
  // A language that was chosen before may have lost its model.
  const offered = chosen === AUTOMATIC || hasModel ? known : [...known, chosen];
  const named = offered
    .map((code) => ({ code, name: texts.languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const [only] = known;
  return (
    <div class="captions-language">
      <label for="captions-language">{texts.language}</label>
      <select
        id="captions-language"
        value={chosen}
        onChange={({ currentTarget: { value } }) => {
          captionsLanguage.value = value;
          captionsFault.value = null;
        }}
      >
        <option value={AUTOMATIC}>{texts.automatic}</option>
        {named.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      {!hasModel && (
        <p class="field-note iswarn">
          <Icon name="warn" />
          <span>
            {known.length === 0 ? texts.noModel : texts.noLanguage(chosen)} <Guide />
          </span>
        </p>
      )}
      {hasModel && known.length === 1 && (
        <p class="field-note q">
          <span>
            {texts.onlyLanguage(only!)} <Guide />
          </span>
        </p>
      )}
    </div>
  );
}

function Guide() {
  return (
    <a href={GUIDE} target="_blank" rel="noopener">
      {texts.howTo}
    </a>
  );
}
