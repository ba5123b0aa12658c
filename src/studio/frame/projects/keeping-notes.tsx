import { lock, takeOver } from '../../keeping/autosave.ts';
import { Icon } from '../../kit/icon.tsx';
import { keeping } from '../../media/media-store.ts';
import { SyncBars } from './sync-bars.tsx';

/** What is out of the ordinary about where the project and its files are kept. */
export function KeepingNotes() {
  return (
    <>
      <SyncBars />
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
    </>
  );
}
