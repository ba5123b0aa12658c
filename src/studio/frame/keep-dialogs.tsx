import { KeyForm } from '../export/key-form.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { megabytes } from '../kit/shown-values.ts';
import { keyWanted } from '../session/service-state.ts';
import { decided } from '../session/session.ts';
import { keepOnService, stayInBrowser } from '../sync/start-sync.ts';
import { HOST } from '../sync/sync-state.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';

interface DialogProps {
  readonly onClose: () => void;
}

const LEAVES = 'tiercut-media-may-leave';

/** Whether the user has agreed to upload media to this service. */
export function mayLeave(): boolean {
  try {
    return localStorage.getItem(LEAVES) === HOST;
  } catch {
    return false;
  }
}

/** Shown before the first upload of media. */
export function KeepDialog({ onClose }: DialogProps) {
  const media = Object.values(decided.value.studio.media);
  const bytes = media.reduce((sum, entry) => sum + entry.bytes, 0);
  return (
    <Dialog title={texts.keepOn(HOST)} class="small-dialog" onClose={onClose}>
      <p>{texts.keepOnMore(HOST, media.length, megabytes(bytes))}</p>
      {keyWanted.value && <KeyForm />}
      <div class="ea-row">
        <button
          type="button"
          class="bt prim"
          onClick={() => {
            try {
              localStorage.setItem(LEAVES, HOST);
            } catch {
              // Without storage, the dialog asks again next time.
            }
            onClose();
            void keepOnService();
          }}
        >
          {texts.keepIt(HOST)}
        </button>
        <button type="button" class="bt" onClick={onClose}>
          {texts.leaveInBrowser}
        </button>
      </div>
    </Dialog>
  );
}

/** Shown before a project is no longer kept on the service. */
export function LeaveDialog({ onClose }: DialogProps) {
  const leave = (removes: boolean) => {
    onClose();
    void stayInBrowser(removes);
  };
  return (
    <Dialog title={texts.keepHereOnly} class="small-dialog" onClose={onClose}>
      <p>{texts.keepHereOnlyMore(HOST)}</p>
      <div class="ea-row">
        <button type="button" class="bt prim" onClick={() => leave(false)}>
          {texts.leaveVersion(HOST)}
        </button>
        <button type="button" class="bt" onClick={() => leave(true)}>
          {texts.deleteVersion(HOST)}
        </button>
        <button type="button" class="bt" onClick={onClose}>
          {page.cancel}
        </button>
      </div>
    </Dialog>
  );
}
