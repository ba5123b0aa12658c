import { megabytes } from '../kit/figures.ts';
import { Icon } from '../kit/icon.tsx';
import { unfinishedTakes } from '../session/take.ts';
import * as texts from '../texts/en/take.ts';
import { discardUnfinished, useUnfinished } from './unfinished.ts';

/** Offers each interrupted recording. */
export function UnfinishedTakes() {
  return (
    <div role="status">
      {unfinishedTakes.value.map((take) => (
        <p key={take.name} class="bar-note">
          <Icon name="record" />
          <span>{texts.unfinished(new Date(take.at).toLocaleString(), megabytes(take.bytes))}</span>
          <button type="button" class="bt" onClick={() => void useUnfinished(take)}>
            {texts.useUnfinished}
          </button>
          <button type="button" class="bt" onClick={() => void discardUnfinished(take)}>
            {texts.discardUnfinished}
          </button>
        </p>
      ))}
    </div>
  );
}
