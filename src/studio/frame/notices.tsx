import type { ComponentChildren } from 'preact';
import { LOOKS } from '../document/project.ts';
import { exportOpen } from '../export/export-progress.ts';
import { KeyForm } from '../export/key-form.tsx';
import { kept, lock, saveNow, takeOver } from '../keeping/autosave.ts';
import { saveProjectZip } from '../keeping/files-of-projects.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { decideToSend } from '../session/may-send.ts';
import { keyWanted, serviceGone } from '../session/service-state.ts';
import { complete } from '../session/session.ts';
import type { SyncState } from '../sync/project-sync.ts';
import { copyShared, keepMine, stayInBrowser, tryAgain } from '../sync/start-sync.ts';
import { asked, HOST, syncState } from '../sync/sync-state.ts';
import * as lateTexts from '../texts/en/late.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';

/** Notices about where the project and its files are stored. */
export function KeepingNotes() {
  return (
    <>
      {/* Wherever a key is needed; the dialogs have the form themselves. */}
      {keyWanted.value && !exportOpen.value && asked.value === null && (
        <div class="bar-note">
          <KeyForm />
        </div>
      )}
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
      {kept.value === 'tab' && (
        <p class="bar-note">
          <Icon name="warn" />
          {globalThis.isSecureContext ? texts.noStorage : texts.notSecure}
        </p>
      )}
      {kept.value === 'full' && (
        <Note words={texts.storageFull}>
          <Button words={texts.saveZip} run={saveProjectZip} />
          <Button words={page.tryAgain} run={() => saveNow()} />
        </Note>
      )}
    </>
  );
}

/** Asked once, before anything is sent that the user did not start. */
export function SendQuestion() {
  return (
    <section class="word send-question" aria-label={page.sendWhileEditing}>
      <p>{page.mayFilesBeSent(HOST)}</p>
      <button type="button" class="bt prim" onClick={() => decideToSend(true)}>
        {page.sendWhileEditing}
      </button>
      <button type="button" class="bt" onClick={() => decideToSend(false)}>
        {page.sendWhenAsked}
      </button>
    </section>
  );
}

/** The sync state in the top bar. */
export function SyncWord() {
  const { value: state } = syncState;
  if (state === null) return null;
  const word = wordOf(state);
  return (
    <span class="saved" title={state.step === 'failed' ? texts.notSent(HOST, state.message) : word}>
      {state.step === 'kept' && <Icon name="check" />}
      {word}
    </span>
  );
}

function wordOf({ step }: SyncState): string {
  if (step === 'kept') return texts.keptOn(HOST);
  if (step === 'failed') return texts.notOnYet(HOST);
  if (step === 'conflict') return texts.twoVersions;
  if (step === 'gone') return texts.notOn(HOST);
  return serviceGone.value ? texts.offlineShort : texts.sendingTo(HOST);
}

/** Notices under the top bar: what prevents the sync, and what to do. */
function SyncBars() {
  const { value: state } = syncState;
  if (lock.value === 'shared') {
    return (
      <Note words={texts.shared}>
        <Button words={texts.makeCopy} run={copyShared} />
      </Note>
    );
  }
  if (state === null) return null;
  if (state.step === 'conflict') {
    return (
      <Note words={texts.changedTwice}>
        <Button
          words={texts.chooseVersion}
          run={() => {
            asked.value = 'conflict';
          }}
        />
      </Note>
    );
  }
  if (state.step === 'gone') {
    return (
      <Note words={texts.deletedOn(HOST)}>
        <Button words={texts.keepAgain(HOST)} run={keepMine} />
        <Button words={page.staysInBrowser} run={() => stayInBrowser(false)} />
      </Note>
    );
  }
  if (state.step === 'failed') {
    return (
      <Note words={texts.notSent(HOST, state.message)}>
        <Button words={page.tryAgain} run={tryAgain} />
      </Note>
    );
  }
  return state.step === 'sending' && serviceGone.value ? <Note words={texts.offline(HOST)} /> : null;
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

/** Shown once for a project that an earlier version saved. */
export function LooksNotice() {
  return (
    <div class="bar-note looks-note">
      <Icon name="warn" />
      <span>{lateTexts.looksChanged}</span>
      <button type="button" class="bt" onClick={dismiss}>
        {lateTexts.gotIt}
      </button>
      <details>
        <summary>
          <Icon name="right" />
          {lateTexts.whatIsDifferent}
        </summary>
        <ul>
          {lateTexts.changedLooks.map((words) => (
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
