import { edit, project } from '../session/session.ts';
import * as texts from '../texts/en/inspector.ts';
import { videoSettings } from '../texts/en/page.ts';
import { EntryForm } from './entry-form.tsx';
import { FontPicker } from './parts/font-choice.tsx';
import { ThemeChoice } from './parts/theme-choice.tsx';

export function SettingsPanel() {
  const { settings } = project.value;
  return (
    <>
      <div class="phd">
        <h2>{texts.video}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={videoSettings}>
        <ThemeChoice />
        <FontPicker />
        <EntryForm
          kind="settings"
          value={settings}
          path="/settings"
          without={['effects']}
          onChange={(name, label, value) =>
            edit(texts.change(label), (draft) => {
              const all = draft.settings as Record<string, unknown>;
              if (value === undefined) delete all[name];
              else all[name] = value;
            })
          }
          onReplace={(next) =>
            edit(texts.changeSettings, (draft) => {
              draft.settings = next;
            })
          }
        />
      </section>
    </>
  );
}
