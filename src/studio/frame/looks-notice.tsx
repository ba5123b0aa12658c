import { LOOKS } from '../document/project.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { complete } from '../session/session.ts';

/** What the defaults of this edition change in a project that says nothing about them. */
const CHANGES = [
  'The rows of the board stand in one column. Settings, Board, Rows: Automatic puts them side by side again.',
  'A clip that covers at most half of the picture, such as a facecam, stands in front of the board.',
  'The pool is shown while something is in it, and closes when its last card leaves.',
  'The counter counts cards when they land in a row, and leaves out the pool.',
  'A spotlight holds its card up, stamps the verdict beside it and takes it along. Spotlights close to each other are shorter; one without room pops in.',
  'All row labels have one size, and names under cards may take two lines.',
  'Stamps, cards and labels follow the theme.',
  'Subtitles that are shown for a short time stand over the board, on a dark plate. The board no longer shrinks for them.',
  'In portrait the board fills the part of the picture that players leave free.',
];

/** Said once of a project that an earlier version has saved. */
export function LooksNotice() {
  return (
    <div class="bar-note looks-note">
      <Icon name="warn" />
      <span>
        An earlier version of Tiercut has saved this project. Nothing in it has changed, but its video looks different
        in places.
      </span>
      <button type="button" class="bt" onClick={dismiss}>
        Got it
      </button>
      <details>
        <summary>
          <Icon name="right" />
          What is different
        </summary>
        <ul>
          {CHANGES.map((words) => (
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
