import { focusSoon } from '../keys/move-focus.ts';
import { drawer } from '../kit/drawers.tsx';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { selection } from '../session/session.ts';
import * as texts from '../texts/en/page.ts';

const Panel = shownLater(async () => (await import('./panel.tsx')).Panel);

/** Escape returns the focus to the selected object. A drawer closes instead, and restores the focus itself. */
function leave(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || drawer.value !== null) return;
  const { value: chosen } = selection;
  if (chosen.kind === 'items') focusSoon(`[id="tile-${CSS.escape(chosen.ids.at(-1)!)}"]`, '.bin .on');
  else if (chosen.kind === 'entries') focusSoon('.tl-list');
  else if (chosen.kind === 'media') focusSoon('.bin .on');
  else if (chosen.kind === 'row') focusSoon(`[data-row="${CSS.escape(chosen.id)}"] .lab`);
  else focusSoon('.tile[tabindex="0"]', '.pv-play', '.tl-list');
}

/** The fields of the selection; without one, those of the video. */
export function Inspector() {
  return (
    <aside class="insp" aria-label={texts.details} onKeyDown={leave}>
      {!/^(none|settings)$/.test(selection.value.kind) && (
        <button
          type="button"
          class="bt plain narrow-only"
          onClick={() => {
            selection.value = { kind: 'settings' };
          }}
        >
          <Icon name="gear" />
          {texts.videoSettings}
        </button>
      )}
      <Panel />
    </aside>
  );
}
