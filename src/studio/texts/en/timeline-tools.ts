/** Parts of the timeline that load later: pauses, reveal order, transitions, and handles. */
export const captions = 'Captions from speech …';
export const addMedia = 'Clips, sounds, subtitle files …';
export const lane = 'Lane';

export const next = (name: string) => `Next: ${name}`;
export const allRevealed = 'All revealed';
export const left = (count: number) => `${count} left`;
export const done = 'Done';

export const removePauses = 'Remove pauses';
export const shortestPause = 'Shortest pause';
export const padding = 'Padding';
export const pauses = 'Pauses';
const countPauses = (count: number) => (count === 1 ? '1 pause' : `${count} pauses`);
export const cutPauses = (count: number) => `Cut ${countPauses(count)}`;
export const removePausesStep = (count: number) => `Remove ${countPauses(count)}`;
export const pausesRemoved = (count: number, time: string) =>
  `${countPauses(count)} removed. The video is ${time} shorter.`;
export const pauseAt = (at: string, length: string) => `Pause at ${at}, ${length}`;
export const cutPause = (pause: string) => `Cut: ${pause}`;
export const pauseIsCut = (pause: string) => `${pause}: cut. Click to keep it.`;
export const pauseStays = (pause: string) => `${pause}: kept. Click to cut it.`;
export const keyForPauses = 'The service needs an API key. Enter it under Export.';
export const noResponse = 'The service does not respond. Retrying …';
export const findingPauses = (file: string) => `The service is looking for pauses in ${file} …`;
export const noPauses = 'No pauses of this length.';
export const pausesFound = (cut: number, found: number, time: string) => `${cut} of ${found} pauses, ${time} shorter.`;
export const entriesInPauses = (count: number) =>
  count === 1 ? '1 entry inside a pause is removed too.' : `${count} entries inside pauses are removed too.`;
export const subtitleFilesStay = 'Subtitle files do not change.';
export const lockedLane = 'A locked lane would get out of sync. Unlock it first.';
export const missingFile = (file: string) => `${file} is missing. Drop the file here again.`;
export const noVoice = (file: string) => `${file} has no speech, so nothing of it would be left.`;

export const orderHelp = 'Drag a picture to another place, or press Alt with an arrow key.';
export const nothingRevealed = 'Nothing is revealed yet. Put pictures into the rows first.';
export const orders = {
  worst_first: 'Worst first',
  best_first: 'Best first',
  shuffled: 'Shuffle',
  listed: 'As added',
};
export const times = 'Times';
export const timesStay = 'Keep times';
export const lengthsStay = 'Keep lengths';
export const firstIs = (order: string, item: string) => `${order}. ${item} comes first.`;
export const placeOf = (item: string, place: number, of: number) => `${item}, place ${place} of ${of}.`;

export const transitions = 'Transitions';
export const transitionAt = (at: string, transition: string) => `Transition at ${at}: ${transition}`;
export const transitionNames = { crossfade: 'Crossfade', dip: 'Dip', wipe: 'Wipe', push: 'Push', zoom: 'Zoom' };
export const transitionFor = (kind: string, seconds: number) => `${kind}, ${seconds} s`;
export const noTransition = 'none';
export const none = 'None';
export const transitionLength = 'Duration';
export const changeTransition = 'Change transition';
export const removeTransition = 'Remove transition';
export const changeTransitionLength = 'Change transition duration';

export const volumePoints = 'Volume points';
export const volumePointNumber = (number: number) => `Volume point ${number}`;
export const volumePointHint = (point: string) =>
  `${point}. Drag it, or use the arrow keys. A double-click removes it.`;
export const moveVolumePoint = 'Move volume point';
export const verdictOf = (item: string) => `Verdict of ${item}`;
export const verdictHint = (verdict: string) => `${verdict}. Drag it, or use the arrow keys.`;
export const moveVerdict = 'Move verdict';
