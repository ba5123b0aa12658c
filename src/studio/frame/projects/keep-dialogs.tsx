import { KeyForm } from '../../export/key-form.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { megabytes } from '../../kit/figures.ts';
import { keyWanted } from '../../service/service.ts';
import { decided } from '../../session/session.ts';
import { keepOnService, stayInBrowser } from '../../sync/start-sync.ts';
import { HOST } from '../../sync/sync-state.ts';

interface DialogProps {
  readonly onClose: () => void;
}

const LEAVES = 'tiercut-media-may-leave';

/** Whether somebody has agreed that media leave this browser for this service. */
export function mayLeave(): boolean {
  try {
    return localStorage.getItem(LEAVES) === HOST;
  } catch {
    return false;
  }
}

/** Said before media leave this browser for the first time. */
export function KeepDialog({ onClose }: DialogProps) {
  const media = Object.values(decided.value.studio.media);
  const bytes = media.reduce((sum, entry) => sum + entry.bytes, 0);
  const files = media.length === 1 ? '1 file' : `${media.length} files`;
  return (
    <Dialog title={`Keep this project on ${HOST}?`} class="small-dialog" onClose={onClose}>
      <p>
        The project and its media ({files}, {megabytes(bytes)}) are uploaded to {HOST}, now and with each change. You
        can then open it on your other devices. The operator of the service can read it, and so can everyone with your
        key or with a link that you make.
      </p>
      {keyWanted.value && <KeyForm />}
      <div class="ea-row">
        <button
          type="button"
          class="bt prim"
          onClick={() => {
            try {
              localStorage.setItem(LEAVES, HOST);
            } catch {
              // It is asked again next time.
            }
            onClose();
            void keepOnService();
          }}
        >
          Keep it on {HOST}
        </button>
        <button type="button" class="bt" onClick={onClose}>
          Leave it in this browser
        </button>
      </div>
    </Dialog>
  );
}

/** Said before a project that is kept on the service is kept there no longer. */
export function LeaveDialog({ onClose }: DialogProps) {
  const leave = (removes: boolean) => {
    onClose();
    void stayInBrowser(removes);
  };
  return (
    <Dialog title="Keep this project in this browser only?" class="small-dialog" onClose={onClose}>
      <p>Changes are no longer sent to {HOST}. The version that is there can stay, or be deleted with its links.</p>
      <div class="ea-row">
        <button type="button" class="bt prim" onClick={() => leave(false)}>
          Leave the version on {HOST}
        </button>
        <button type="button" class="bt" onClick={() => leave(true)}>
          Delete it on {HOST}
        </button>
        <button type="button" class="bt" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
