import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { giveKey } from '../session/service.ts';
import * as texts from '../texts/en/export.ts';

/** Asks for an API key once; the browser then has a session. (C51) */
export function KeyForm() {
  const id = useId();
  const key = useSignal('');
  const fault = useSignal<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="key-form"
      onSubmit={async (event) => {
        event.preventDefault();
        fault.value = await giveKey(key.value);
      }}
    >
      <label for={id}>{texts.giveKey}</label>
      <div class="ea-row">
        <input
          ref={field}
          id={id}
          type="password"
          autocomplete="current-password"
          required
          value={key.value}
          aria-describedby={`${id}-help`}
          onInput={(event) => {
            key.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="bt prim">
          {texts.useKey}
        </button>
      </div>
      <p id={`${id}-help`} class={fault.value === null ? 'q' : 'q fault'} role="status">
        {fault.value ?? texts.keyHelp}
      </p>
    </form>
  );
}
