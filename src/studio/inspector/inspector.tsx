import { selection } from '../session.ts';
import { Icon } from '../shell/icon.tsx';
import { shownLater } from '../shell/later.tsx';

const Panel = shownLater(async () => (await import('./panel.tsx')).Panel);

/** Details of what is chosen; of the video where nothing is. */
export function Inspector() {
  return (
    <aside class="insp" aria-label="Details">
      {!/^(none|settings)$/.test(selection.value.kind) && (
        <button
          type="button"
          class="bt plain narrow-only"
          onClick={() => {
            selection.value = { kind: 'settings' };
          }}
        >
          <Icon name="gear" />
          Settings of the video
        </button>
      )}
      <Panel />
    </aside>
  );
}
