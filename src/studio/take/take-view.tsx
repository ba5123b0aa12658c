import { useEffect, useRef } from 'preact/hooks';
import { takesText } from '../keys/keys.ts';
import { announced } from '../kit/messages.ts';
import * as texts from '../texts/en/take.ts';
import { enterTake, leaveTake } from './control/enter-take.ts';
import { followTake } from './control/follow-take.ts';
import { startTake } from './control/run-take.ts';
import { isPerformed, takeStep } from './control/take-state.ts';
import { Perform } from './perform/perform.tsx';
import { SetUp } from './set-up/set-up.tsx';

/** The take screen over the whole page: set-up first, then the take. */
export function TakeView() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
    enterTake();
    followTake();
  }, []);
  const isSetUp = takeStep.value === 'setup';
  return (
    <dialog
      ref={dialog}
      class="take"
      data-step={takeStep.value}
      data-voice={!isPerformed.value}
      aria-label={isSetUp ? texts.title : texts.take}
      onCancel={(event) => {
        // Escape has another meaning during a take, and must not end it by accident.
        event.preventDefault();
        if (takeStep.value === 'setup') leaveTake();
      }}
      onKeyDown={(event) => {
        if (takeStep.value !== 'setup' || event.key !== ' ' || takesText(event.target)) return;
        if (event.target instanceof HTMLButtonElement && event.target.matches(':focus-visible')) return;
        event.preventDefault();
        void startTake();
      }}
    >
      {isSetUp ? <SetUp /> : <Perform />}
      <p class="unseen" role="status" aria-live="assertive">
        {announced.value}
      </p>
    </dialog>
  );
}
