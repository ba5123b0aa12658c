import { megabytes } from '../kit/figures.ts';
import { Icon } from '../kit/icon.tsx';
import { unfinishedTakes } from '../session/take.ts';
import { discardUnfinished, useUnfinished } from './unfinished.ts';

/** Recordings that were broken off, each offered. */
export function UnfinishedTakes() {
  return (
    <div role="status">
      {unfinishedTakes.value.map((take) => (
        <p key={take.name} class="bar-note">
          <Icon name="record" />
          <span>
            A recording from {new Date(take.at).toLocaleString()} was not finished. {megabytes(take.bytes)} of it are in
            this browser.
          </span>
          <button type="button" class="bt" onClick={() => void useUnfinished(take)}>
            Put it on the timeline
          </button>
          <button type="button" class="bt" onClick={() => void discardUnfinished(take)}>
            Discard it
          </button>
        </p>
      ))}
    </div>
  );
}
