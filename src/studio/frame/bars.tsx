import { computed } from '@preact/signals';
import { hasOtherLooks } from '../document/project.ts';
import { lock } from '../keeping/autosave.ts';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { announced, messages, unsay } from '../kit/messages.ts';
import { keeping } from '../media/media-store.ts';
import { project, readOnly } from '../session/session.ts';
import { syncState } from '../sync/sync-state.ts';
import * as texts from '../texts/en/page.ts';

const KeepingNotes = shownLater(async () => (await import('./projects/keeping-notes.tsx')).KeepingNotes);
const LooksNotice = shownLater(async () => (await import('./looks-notice.tsx')).LooksNotice);

const looksOther = computed(() => !readOnly.value && hasOtherLooks(project.value));

/** Whether there is something to report about how the project is stored. */
const hasNotes = computed(() => lock.value !== 'held' || keeping.value !== 'kept' || syncState.value !== null);

/** Notices under the top bar, shown as long as they apply. */
export function Bars() {
  return (
    <div class="bars" role="status">
      {looksOther.value && <LooksNotice />}
      {hasNotes.value && <KeepingNotes />}
    </div>
  );
}

/** Notifications, and the live region for screen readers. */
export function Messages() {
  return (
    <>
      <p class="unseen" role="status" aria-live="assertive">
        {announced.value}
      </p>
      <div class="words" role="status" aria-live="polite">
        {messages.value.map(({ id, text, kind }) => (
          <p key={id} class={`word ${kind}`}>
            {kind === 'bad' && <Icon name="error" />}
            <span>{text}</span>
            <button type="button" class="ib" aria-label={texts.close} onClick={() => unsay(id)}>
              <Icon name="close" />
            </button>
          </p>
        ))}
      </div>
    </>
  );
}
