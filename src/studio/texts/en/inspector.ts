/** The inspector: details of what is selected, and of the video. */
export const video = 'Video';
export const item = 'Item';
export const items = (count: number) => `${count} items`;
export const entries = (count: number) => `${count} entries`;
export const row = 'Row';
export const file = 'File';
export const mixed = 'Mixed';

export const change = (what: string) => `Change ${what.toLowerCase()}`;
export const changeOfEntries = (what: string, count: number) => `Change ${what.toLowerCase()} of ${count} entries`;
export const changeItem = 'Change item';
export const changeRow = 'Change row';
export const changeSettings = 'Change settings';
export const removeEntries = (count: number) => `Remove ${count} entries`;

export const place = 'Position on the canvas';
export const crop = 'Crop';
export const looks = 'Appearance';
export const units = 'Units';
export const basedOn = 'Based on';
export const style = 'Style';
export const colour = 'Colour';
export const differentIn = (format: string) => `Different in ${format}`;
export const asJson = 'As JSON';
export const notJson = 'This is not JSON.';
export const mustBe = (field: string, what: string) => `${field} must be ${what}.`;
export const theEntry = 'The entry';
export const missing = (name: string) => `${name} (missing)`;
export const choose = (label: string) => `${label}: choose`;
export const chooseNth = (label: string, at: number) => `${label} ${at}: choose`;
export const addColour = 'Add a colour';
export const removeColour = 'Remove the last colour';

export const lockedLane = 'This lane is locked. Unlock it to make changes.';
export const allCaptions = 'All captions …';
export const removePauses = 'Remove pauses …';
export const captions = 'Captions …';
export const kindOfSound = 'Role of the sound';
export const voice = 'Voice';
export const music = 'Music';
export const otherSound = 'Other';
export const changeRole = 'Change role';
export const musicIsLowered = 'Music is lowered while somebody speaks.';
export const showItem = 'Show item';

export const noRow = 'None';
export const noRowTitle = 'None: not ranked';
export const itemName = 'Name';
export const stepOf = (at: number, of: number) => `${at} of ${of}`;
export const previousItem = 'Previous item';
export const nextItem = 'Next item';
export const removeReveal = 'Remove reveal';
export const moveReveal = 'Move reveal';
export const fromTheStart = 'from the start';
export const moveToPlayhead = 'Move to the playhead';
export const revealToPlayhead = 'Move the reveal to the playhead';
export const verdictToPlayhead = 'Move the verdict to the playhead';
export const previousReveal = 'Previous reveal';
export const nextReveal = 'Next reveal';
export const nthReveal = (at: number, of: number) => `Reveal ${at} of ${of}`;
export const heldFor = 'Held for';
export const landsAt = 'Lands at';

export const clipHere = 'Add clip at the playhead';
export const soundHere = 'Add sound at the playhead';
export const clipSoundHere = 'Add its sound at the playhead';
export const makeItem = 'Add to the board';

export const focusAndZoom = 'Focus and zoom';
export const focusPoint = (x: number, y: number) =>
  `Focus point: ${x} % from the left, ${y} % from the top. Arrow keys move it, with Shift by 10 %.`;
export const moveFocus = 'Move focus point';
export const zoom = 'Zoom';
export const zoomTimes = (zoom: number) => `${zoom} times`;
export const changeZoom = 'Change zoom';

export const font = 'Font';
export const changeFont = 'Change font';
export const theme = 'Theme of the board';
export const changeTheme = 'Change theme';

export const volumePoints = 'Volume over time';
export const points = (count: number) => (count === 1 ? '1 point' : `${count} points`);
export const pointSeconds = (at: number) => `Point ${at}: seconds from the start`;
export const pointVolume = (at: number) => `Point ${at}: volume`;
export const movePoint = 'Move volume point';
export const removePoint = (at: number, level: string) => `Remove point ${at}: ${level}`;
export const removePoints = 'Remove volume points';
export const removeAllPoints = 'Remove all points';
export const pointHere = 'Add point at the playhead';
export const pointOnTimeline = 'To add a point on the timeline, Alt-click or use the volume pen';

export const placeIsFor = 'This position is for';
export const allFormats = 'All formats';
export const onlyIn = (format: string) => `${format} only`;
export const movesOnlyIn = (format: string) => `If you move it here, it moves in ${format} only.`;
export const notShownIn = (format: string) => `It is not shown in ${format}.`;
export const asOtherFormats = 'Reset to all formats';

export const effect = 'Effect';
export const effectHelp = 'When a card lands in this row.';
