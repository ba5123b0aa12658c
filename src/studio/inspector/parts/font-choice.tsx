import { FONTS, type FontName } from '../../../timeline/choices.ts';
import { Radios } from '../../kit/radios.tsx';
import { edit, settings } from '../../session/session.ts';
import * as texts from '../../texts/en/inspector.ts';

/** The font of the board and of all texts, with a sample of each family. (C63) */
export function FontPicker() {
  const { theme } = settings.value;
  const own = typeof theme === 'object' ? theme : {};
  return (
    <>
      <span class="l" aria-hidden="true">
        {texts.font}
      </span>
      <Radios
        label={texts.font}
        class="fonts"
        each="font"
        // A font file overrides the name, so none of these is selected.
        value={own.font_field === undefined ? (own.font ?? FONTS[0]) : ''}
        choices={FONTS.map((name) => ({ value: name, words: <Sample name={name} /> }))}
        onChoose={(name) => choose(name as FontName)}
      />
    </>
  );
}

function choose(name: FontName): void {
  edit(texts.changeFont, (draft) => {
    const { theme } = draft.settings;
    const { font: _, font_field: _field, ...rest } = typeof theme === 'object' ? theme : { base: theme };
    const next = name === FONTS[0] ? rest : { ...rest, font: name };
    draft.settings.theme = Object.keys(next).some((key) => key !== 'base') ? next : next.base;
  });
}

function Sample({ name }: { readonly name: FontName }) {
  const file = `/assets/font-samples/${name.toLowerCase().replaceAll(' ', '-')}.png`;
  return (
    <>
      <span class="unseen">{name}</span>
      <i class="font-look" style={{ maskImage: `url(${file})` }} />
    </>
  );
}
