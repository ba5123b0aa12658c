/** The timeline: its tools, lanes, keys, and the steps of undo that it makes. */
export const automatic = 'The board and its reveals are made from the list of items.';
export const empty = 'Drop clips and sounds here. You can rank items without them.';
export const splitHere = 'Split at the playhead';
export const splitHereHint = 'Split at the playhead (S)';
export const removeHint = 'Remove (Delete; with Shift the gap closes)';
export const removeAndClose = 'Remove and close the gap';
export const volumePen = 'Volume pen';
export const volumePenHint = 'Volume pen: click a clip or sound to add a volume point (without the pen: Alt-click)';
export const revealHere = 'Reveal here';
export const revealHereHint = 'Reveal the next item at the playhead';
export const spreadEvenly = 'Spread evenly';
export const spreadEvenlyHint = 'Spread all reveals evenly over the time that the board is shown';
export const order = 'Order';
export const orderHint = 'Order of the reveals: worst first, best first, shuffled or by hand (O)';
export const tapToRecord = 'Tap to reveal';
export const tapToRecordHint = 'Plays the video; each tap reveals the next item';
export const recordTakeHint = 'Talk and rank: the recording becomes the video (Shift+R)';
export const snapping = 'Snapping';
export const snappingHint = 'Entries snap to edges, reveals and the playhead while you drag them; Alt turns it off';
export const ripple = 'Ripple';
export const rippleHint = 'Later entries move along when you trim or remove an entry';
export const zoom = 'Zoom';
export const zoomOut = 'Zoom out';
export const zoomOutHint = 'Zoom out (−)';
export const zoomIn = 'Zoom in';
export const zoomInHint = 'Zoom in (+)';
export const fit = 'Fit';
export const fitTimeline = 'Fit the timeline';
export const fitHint = 'Fit the timeline (Shift+Z)';

export const selectAllEntries = 'Select all entries';
export const revealAtPlayhead = 'Reveal at the playhead';
export const putFileHere = 'Add the selected file at the playhead';
export const trimStartHere = 'Trim start to the playhead';
export const trimEndHere = 'Trim end to the playhead';
export const revealOrder = 'Reveal order';
export const pointOrVerdictHere = 'Move the verdict of the selected reveal, or add a volume point, at the playhead';
export const switchSnapping = 'Turn snapping on or off';

export const roleHeads = { voice: 'Voice', music: 'Music' };
export const switches = {
  muted: { label: (lane: string) => `Mute ${lane.toLowerCase()}`, hint: 'Mute: silent here and in the export' },
  solo: {
    label: (lane: string) => `Solo ${lane.toLowerCase()}`,
    hint: 'Solo: nothing else is heard, here and in the export',
  },
  locked: {
    label: (lane: string) => `Lock ${lane.toLowerCase()}`,
    hint: 'Lock: entries cannot be moved, cut or removed',
  },
};
export const soloSign = 'S';

export const entries = 'Entries of the timeline';
export const entriesSelected = (count: number) => `${count} entries selected.`;
export const entry = (kind: string, name: string | undefined, start: string, end: string) =>
  `${name === undefined ? kind : `${kind} ${name}`}, ${start} to ${end}`;
export const reveal = (item: string, row: string, at: string) => `Reveal of ${item} in ${row}, at ${at}`;
export const move = (item: string, row: string, at: string) => `Move of ${item} to ${row}, at ${at}`;
export const withVerdict = (reveal: string, at: string) => `${reveal}, verdict at ${at}`;
export const noRow = 'no row';

export const splitStep = 'Split';
export const moveStep = 'Move';
export const trimStep = 'Trim';
export const trimEntry = (entry: string) => `Trim ${entry}`;
export const changeVolume = 'Change volume';
export const fadeIn = 'Fade in';
export const fadeOut = 'Fade out';
export const removeEntries = (count: number) => `Remove ${count} entries`;
export const revealStep = (name: string) => `Reveal ${name}`;
export const revealItems = (count: number) => `Reveal ${count} items`;
export const recordReveals = (count: number) => (count === 1 ? 'Record 1 reveal' : `Record ${count} reveals`);

export const nothingLeft = 'Nothing is left to reveal. Rank an item first.';
export const nothingToReveal = 'There is nothing to reveal yet. Put items into the rows first.';
export const allRevealed = 'Everything is revealed before the playhead. Go back to record again.';
export const revealsLocked = 'The reveals are locked. Unlock their lane to record.';
export const alreadyHere = (entry: string) => `The ${entry} is already shown here. Move the playhead, or drag its end.`;
export const notAClip = (name: string) => `${name} is an SVG file. It can be a card, but not a clip.`;
export const onTimeline = (name: string, at: string) => `${name} is on the timeline at ${at}.`;
export const selectSound = 'To add a volume point, select one clip or sound first.';
export const playheadElsewhere = 'The playhead is not on the selected entry.';
export const pointAdded = (point: string) => `Volume point: ${point}.`;
