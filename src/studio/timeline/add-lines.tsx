import { chooseFiles, MEDIA_FILES } from '../files/choose-files.ts';
import { takeFiles } from '../files/take-files.ts';
import { Icon } from '../kit/icon.tsx';
import { MenuItem } from '../kit/menu.tsx';
import { boardHere, subtitleHere } from './act/timeline-actions.ts';

/** What can be put on the timeline. */
export function AddLines() {
  return (
    <>
      <MenuItem onClick={subtitleHere}>
        <Icon name="text" />
        Subtitle at the playhead
        <kbd>T</kbd>
      </MenuItem>
      <MenuItem onClick={boardHere}>
        <Icon name="board" />
        Board from the playhead on
      </MenuItem>
      <MenuItem onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
        <Icon name="film" />
        Clips, sound, subtitle files …<kbd>A</kbd>
      </MenuItem>
    </>
  );
}
