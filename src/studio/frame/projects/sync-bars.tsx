import type { ComponentChildren } from 'preact';
import { exportOpen } from '../../export/export-state.ts';
import { KeyForm } from '../../export/key-form.tsx';
import { lock } from '../../keeping/autosave.ts';
import { Icon } from '../../kit/icon.tsx';
import { keyWanted, serviceGone } from '../../service/service.ts';
import type { SyncState } from '../../sync/project-sync.ts';
import { copyShared, keepMine, stayInBrowser, tryAgain } from '../../sync/start-sync.ts';
import { asked, syncState } from '../../sync/sync-state.ts';
import { WORDS } from '../../sync/words.ts';

/** In the top bar: how the project is kept on the service. */
export function SyncWord() {
  const { value: state } = syncState;
  if (state === null) return null;
  const word = wordOf(state);
  return (
    <span class="saved" title={state.step === 'failed' ? WORDS.failed(state.message) : word}>
      {state.step === 'kept' && <Icon name="check" />}
      {word}
    </span>
  );
}

function wordOf({ step }: SyncState): string {
  if (step === 'kept') return WORDS.kept;
  if (step === 'failed') return WORDS.failedShort;
  if (step === 'conflict') return WORDS.conflictShort;
  if (step === 'gone') return WORDS.goneShort;
  return serviceGone.value ? WORDS.offlineShort : WORDS.sending;
}

/** Under the top bar: what keeps a project from the service, and what can be done. */
export function SyncBars() {
  const { value: state } = syncState;
  if (lock.value === 'shared') {
    return (
      <Note words={WORDS.shared}>
        <Button words={WORDS.copy} run={copyShared} />
      </Note>
    );
  }
  if (state === null) return null;
  if (keyWanted.value && !exportOpen.value) {
    return (
      <div class="bar-note">
        <KeyForm />
      </div>
    );
  }
  if (state.step === 'conflict') {
    return (
      <Note words={WORDS.conflict}>
        <Button
          words={WORDS.choose}
          run={() => {
            asked.value = 'conflict';
          }}
        />
      </Note>
    );
  }
  if (state.step === 'gone') {
    return (
      <Note words={WORDS.gone}>
        <Button words={WORDS.keepAgain} run={keepMine} />
        <Button words={WORDS.local} run={() => stayInBrowser(false)} />
      </Note>
    );
  }
  if (state.step === 'failed') {
    return (
      <Note words={WORDS.failed(state.message)}>
        <Button words={WORDS.again} run={tryAgain} />
      </Note>
    );
  }
  return state.step === 'sending' && serviceGone.value ? <Note words={WORDS.offline} /> : null;
}

function Note({ words, children }: { readonly words: string; readonly children?: ComponentChildren }) {
  return (
    <p class="bar-note">
      <Icon name="warn" />
      {words}
      {children}
    </p>
  );
}

function Button({ words, run }: { readonly words: string; readonly run: () => unknown }) {
  return (
    <button type="button" class="bt" onClick={() => void run()}>
      {words}
    </button>
  );
}
