import { lock, takeOver } from '../../keeping/autosave.ts';
import { Icon } from '../../kit/icon.tsx';
import { keeping } from '../../media/media-store.ts';
import * as texts from '../../texts/en/projects.ts';
import { SyncBars } from './sync-bars.tsx';

/** Notices about where the project and its files are stored. */
export function KeepingNotes() {
  return (
    <>
      <SyncBars />
      {lock.value === 'elsewhere' && (
        <p class="bar-note">
          <Icon name="warn" />
          {texts.openElsewhere}
          <button type="button" class="bt" onClick={takeOver}>
            {texts.workHere}
          </button>
        </p>
      )}
      {lock.value === 'lost' && (
        <p class="bar-note">
          <Icon name="warn" />
          {texts.takenOver}
          <button type="button" class="bt" onClick={takeOver}>
            {texts.workHere}
          </button>
        </p>
      )}
      {keeping.value === 'memory' && (
        <p class="bar-note">
          <Icon name="warn" />
          {globalThis.isSecureContext ? texts.noStorage : texts.notSecure}
        </p>
      )}
      {keeping.value === 'full' && (
        <p class="bar-note">
          <Icon name="warn" />
          {texts.storageFull}
        </p>
      )}
    </>
  );
}
