/** The review of pauses. */
export const removePauses = 'Remove pauses';
export const foundIn = (count: number, file: string | null) =>
  `${count === 0 ? 'None' : count} found${file === null ? '' : ` in ${file}`}`;
export const shortestPause = 'Shortest pause';
export const shortestPauseNote = 'Shorter ones stay.';
export const padding = 'Padding';
export const paddingNote = 'Left before and after each word. Less is removed than is silent.';
export const before = 'Before';
export const after = 'After';
export const pauses = 'Pauses';
export const removed = 'Removed';
export const kept = 'Kept';
export const tabKey = 'Tab';
export const nextPause = 'next pause';
export const spaceKey = 'Space';
export const playsOver = 'plays over the cut';
export const keepsOrRemoves = 'keeps or removes it';
export const keepOrRemove = 'Keep or remove the pause';
export const playOverCuts = 'Play over the cuts';
const countPauses = (count: number) => (count === 1 ? '1 pause' : `${count} pauses`);
export const removedOf = (cut: number, found: number) => `${cut} of ${found} are removed`;
export const keepAll = 'Keep all';
export const removeAll = 'Remove all';
export const listen = 'Listen';
export const stopListening = 'Stop';
export const listenTo = (pause: string) => `Listen to what is left of: ${pause}`;
export const apply = (shorter: string) => `Remove, ${shorter} shorter`;
export const nothingToRemove = 'Nothing to remove';
export const beforeVerdict = 'Kept: just before a verdict';
export const removePausesStep = (count: number) => `Remove ${countPauses(count)}`;
export const pausesRemoved = (count: number, time: string) =>
  `${countPauses(count)} removed. The video is ${time} shorter.`;
export const pauseAt = (at: string, length: string) => `Pause at ${at}, ${length}`;
export const cutPause = (pause: string) => `Remove: ${pause}`;
export const pauseIsCut = (pause: string) => `${pause}: removed. Click to keep it.`;
export const pauseStays = (pause: string) => `${pause}: kept. Click to remove it.`;
export const keyForPauses = 'The service needs an API key. Enter it at the top.';
export const noResponse = 'The service does not respond. Retrying …';
export const findingPauses = (file: string, percent: number | null) =>
  `Looking for pauses in ${file} …${percent === null ? '' : ` ${percent} %`}`;
export const noPauses = 'No pauses of this length.';
export const entriesInPauses = (count: number) =>
  count === 1 ? '1 entry inside a pause is removed too.' : `${count} entries inside pauses are removed too.`;
export const subtitleFilesStay = 'Subtitle files do not change.';
export const movesAlong = 'Cards, captions and board move along. One undo.';
export const lockedLane = 'A locked lane would get out of sync. Unlock it first.';
export const missingFile = (file: string) => `${file} is missing. Drop the file here again.`;
export const notHeard = {
  undecodable: (file: string) => `This browser cannot decode the sound of ${file}.`,
  not_loaded: (file: string) =>
    `The speech in ${file} is not known, because a part of this page did not load. Check the network, then reload the page.`,
};
export const lookOn = (host: string) => `Send to ${host} and look there`;
export const noVoice = (file: string) => `${file} has no speech, so nothing of it would be left.`;
