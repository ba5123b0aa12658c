import { ADDED_LANES } from '../document/lane-looks.ts';
import { chooseFiles, MEDIA_FILES, takeFiles } from '../files/take-files.ts';
import { Icon } from '../kit/icon.tsx';
import { MenuItem } from '../kit/menu.tsx';
import { openCaptions } from '../session/session.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { addHere } from './act/timeline-actions.ts';

/** The menu of what can be added to the timeline. */
export function AddLines() {
  return (
    <>
      {ADDED_LANES.map(({ lane, icon, words, key }) => (
        <MenuItem key={lane} onClick={() => addHere(lane)}>
          <Icon name={icon} />
          {words}
          {key !== undefined && <kbd>{key}</kbd>}
        </MenuItem>
      ))}
      <MenuItem onClick={() => openCaptions(null)}>
        <Icon name="wave" />
        {texts.captions}
      </MenuItem>
      <MenuItem onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
        <Icon name="film" />
        {texts.addMedia}
        <kbd>A</kbd>
      </MenuItem>
    </>
  );
}
