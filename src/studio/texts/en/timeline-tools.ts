/** Parts of the timeline that load later: pauses, reveal order, transitions, and handles. */
export const captions = 'Captions from speech …';
export const addMedia = 'Clips, sounds, subtitle files …';
export const lane = 'Lane';

export const next = (name: string) => `Next: ${name}`;
export const allRevealed = 'All revealed';
export const left = (count: number) => `${count} left`;
export const done = 'Done';

export const orderHelp = 'Drag an item to another place, or press Alt with an arrow key.';
export const nothingRevealed = 'Nothing is revealed yet. Put items into the rows first.';
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
