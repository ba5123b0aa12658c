/** The project: its lanes, rows and layouts, and why a change is refused. */
export const newProject = 'My tier list';

/** `label`: an entry in a sentence. `title`: the heading of its details. `head`: the lane. */
export const lanes = {
  tier_blocks: { label: 'board', title: 'Board on screen', head: 'Board' },
  tier_tiles: { label: 'reveal', title: 'Reveal', head: 'Reveals' },
  videos: { label: 'clip', title: 'Clip', head: 'Clips' },
  titles: { label: 'title', title: 'Title', head: 'Titles' },
  subtitles: { label: 'subtitle', title: 'Subtitle', head: 'Subtitles' },
  subtitle_files: { label: 'subtitle file', title: 'Subtitle file', head: 'Subtitle files' },
  audios: { label: 'audio', title: 'Sound of a clip', head: 'Audio' },
  soundtracks: { label: 'soundtrack', title: 'Soundtrack', head: 'Sound' },
};
export const addBoard = 'Board at the playhead';
export const addTitle = 'Title at the playhead';
export const addSubtitle = 'Subtitle at the playhead';
export const yourTitle = 'Your title';
export const yourWords = 'Your subtitle';

export const layouts = {
  right: 'Cam right',
  left: 'Cam left',
  corner: 'Cam corner',
  top: 'Cam on top',
  full: 'Full',
};

export const sToF = 'S to F';
export const sToD = 'S to D';
export const aToF = 'A to F';
export const tenToOne = '10 to 1';
export const stars = '5 to 1 stars';
export const greatToBad = 'Great to bad';
export const goodAndBad = 'Good and bad';
export const great = 'Great';
export const good = 'Good';
export const okay = 'Okay';
export const bad = 'Bad';
export const newRow = 'New';

export const nothingToSplit = 'There is nothing here to split.';
export const revealNotSplit = 'A reveal has no duration, so it cannot be split.';
export const loopNotSplit = 'A sound that repeats cannot be split. Turn off Repeat first.';
export const playheadElsewhere = 'The playhead is not on the selected entry.';
export const nothingToHear = 'There is no sound to search for pauses.';
export const loopHasPauses = 'The pauses of a sound that repeats cannot be removed. Turn off Repeat first.';
