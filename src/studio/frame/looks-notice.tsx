import { LOOKS } from '../document/project.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { complete } from '../session/session.ts';
import * as texts from '../texts/en/late.ts';

/** Shown once for a project that an earlier version saved. */
export function LooksNotice() {
  return (
    <div class="bar-note looks-note">
      <Icon name="warn" />
      <span>{texts.looksChanged}</span>
      <button type="button" class="bt" onClick={dismiss}>
        {texts.gotIt}
      </button>
      <details>
        <summary>
          <Icon name="right" />
          {texts.whatIsDifferent}
        </summary>
        <ul>
          {texts.changedLooks.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function dismiss(): void {
  complete((draft) => {
    draft.studio.looks = LOOKS;
  });
  focusSoon('.pname');
}
