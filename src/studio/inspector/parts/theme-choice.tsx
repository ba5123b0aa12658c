import { plainTheme } from '../../../plan/place/plan-theme.ts';
import { THEMES } from '../../../timeline/choices.ts';
import { Radios } from '../../kit/radios.tsx';
import { edit, settings } from '../../session/session.ts';
import * as texts from '../../texts/en/inspector.ts';
import { choiceWords } from '../choice-words.ts';

type ThemeName = (typeof THEMES)[number];

/** Row colours of the samples. */
const ROWS = ['#ff7f85', '#ffb873', '#8ee59c'];

/** The theme of the board, with a sample of each. (C47) */
export function ThemeChoice() {
  const { theme } = settings.value;
  const base = typeof theme === 'string' ? theme : (theme?.base ?? THEMES[0]);
  return (
    <>
      <span class="l" aria-hidden="true">
        {texts.theme}
      </span>
      <Radios
        label={texts.theme}
        class="themes"
        each="theme"
        value={base}
        choices={THEMES.map((name) => ({ value: name, words: <Look name={name} /> }))}
        onChoose={choose}
      />
    </>
  );
}

function choose(base: ThemeName): void {
  edit(texts.changeTheme, (draft) => {
    const { theme } = draft.settings;
    // The user's own colours stay when the theme changes.
    draft.settings.theme = typeof theme === 'object' ? { ...theme, base } : base;
  });
}

function Look({ name }: { readonly name: ThemeName }) {
  const { panel, lane } = plainTheme(name);
  return (
    <>
      <span class="theme-look" data-theme={name} style={{ background: panel }}>
        {ROWS.map((row) => (
          <i key={row} style={{ '--row': row, '--lane': lane }} />
        ))}
      </span>
      {choiceWords('theme', name)}
    </>
  );
}
