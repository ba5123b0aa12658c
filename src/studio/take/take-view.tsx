import { useEffect, useRef } from 'preact/hooks';
import { takesText } from '../keys/keys.ts';
import { announced } from '../kit/messages.ts';
import { startPreview } from '../preview/preview.tsx';
import * as texts from '../texts/en/take.ts';
import { enterTake, take } from './page-take.ts';
import { Perform } from './perform.tsx';
import { SetUp } from './set-up.tsx';

/** The take screen over the whole page: set-up first, then the take. */
export function TakeView() {
  const dialog = useRef<HTMLDialogElement>(null);
  // A take may begin before there is an editor.
  startPreview();
  useEffect(() => {
    dialog.current!.showModal();
    // Space records, and does not press what is first in the dialog.
    dialog.current!.focus();
    enterTake();
  }, []);
  const isSetUp = take.step.value === 'setup';
  return (
    <dialog
      ref={dialog}
      class="take"
      tabIndex={-1}
      data-step={take.step.value}
      data-voice={!take.isPerformed.value}
      aria-label={isSetUp ? texts.title : texts.take}
      onCancel={(event) => {
        // Escape has another meaning during a take, and must not end it by accident.
        event.preventDefault();
        if (take.step.value === 'setup') take.leave();
      }}
      onKeyDown={(event) => {
        if (take.step.value !== 'setup' || event.key !== ' ' || takesText(event.target)) return;
        if (event.target instanceof HTMLButtonElement && event.target.matches(':focus-visible')) return;
        event.preventDefault();
        void take.start();
      }}
    >
      {isSetUp ? <SetUp /> : <Perform />}
      <p class="unseen" role="status" aria-live="assertive">
        {announced.value}
      </p>
    </dialog>
  );
}
