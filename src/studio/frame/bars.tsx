import { computed } from '@preact/signals';
import { hasOtherLooks } from '../document/project.ts';
import { lock, takeOver } from '../keeping/autosave.ts';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { messages, unsay } from '../kit/messages.ts';
import { keeping } from '../media/media-store.ts';
import { project, readOnly } from '../session/session.ts';
import { syncState } from '../sync/sync-state.ts';

const SyncBars = shownLater(async () => (await import('./projects/sync-bars.tsx')).SyncBars);
const LooksNotice = shownLater(async () => (await import('./looks-notice.tsx')).LooksNotice);

const looksOther = computed(() => !readOnly.value && hasOtherLooks(project.value));

/** What is out of the ordinary for as long as it is, under the top bar. */
export function Bars() {
  return (
    <div class="bars" role="status">
      {looksOther.value && <LooksNotice />}
      {(syncState.value !== null || lock.value === 'shared') && <SyncBars />}
      {lock.value === 'elsewhere' && (
        <p class="bar-note">
          <Icon name="warn" />
          This project is open in another tab. Here it can be looked at; changes would not be kept.
          <button type="button" class="bt" onClick={takeOver}>
            Work on it here
          </button>
        </p>
      )}
      {lock.value === 'lost' && (
        <p class="bar-note">
          <Icon name="warn" />
          Another tab has taken this project over.
          <button type="button" class="bt" onClick={takeOver}>
            Take it back
          </button>
        </p>
      )}
      {keeping.value === 'memory' && (
        <p class="bar-note">
          <Icon name="warn" />
          {globalThis.isSecureContext
            ? 'This browser keeps no files for pages. What you drop stays until you close this tab: save the project as a .zip.'
            : 'This address is not secure (https, or localhost), so the browser keeps nothing. What you drop stays until you close this tab: save the project as a .zip.'}
        </p>
      )}
      {keeping.value === 'full' && (
        <p class="bar-note">
          <Icon name="warn" />
          This browser’s storage is full. The newest files stay only until you close this tab: remove projects you no
          longer need, or save this one as a .zip.
        </p>
      )}
    </div>
  );
}

/** Words that go by themselves. */
export function Messages() {
  return (
    <div class="words" role="status" aria-live="polite">
      {messages.value.map(({ id, text, kind }) => (
        <p key={id} class={`word ${kind}`}>
          {kind === 'bad' && <Icon name="error" />}
          <span>{text}</span>
          <button type="button" class="ib" aria-label="Close" onClick={() => unsay(id)}>
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  );
}
