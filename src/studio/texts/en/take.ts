/** A take: its set-up, what is seen while it runs, and the next steps after it. */
export const record = 'Record';
export const recordTake = 'Record a take';
export const recordVoice = 'Record a voice-over';
export const perform = 'Rank only';
export const start = 'Start';
export const layout = 'Layout';
export const camera = 'Camera';
export const microphone = 'Microphone';
export const screen = 'Screen';
export const voice = 'Voice';
export const video = 'The video';

/** Keys, as keyboards name them. */
export const keys = { escape: 'Esc', space: 'Space', pause: 'P', stop: 'Shift Esc', undo: '⌫', help: '?' };
export const help = 'Keys of a take';
export const helpLines = (rows: string) => [
  [rows, 'Put the card into a row'],
  ['Enter', 'Bring up the next card'],
  ['← →', 'Choose another card'],
  ['Esc', 'Put the card back'],
  ['⌫', 'Undo last'],
  ['P', 'Pause, resume'],
  ['Shift Esc', 'Stop'],
];

/** Set-up. */
export const title = 'Set up a take';
export const subtitle = 'Talk and rank. When you stop, the video is on your timeline.';
export const looks = 'The video will look like this';
export const back = 'Back to editing';
export const sourceNotes = {
  camera: 'Records your camera and your microphone while you rank.',
  screen: 'Records a screen or a window, and your microphone, while you rank.',
  voice: 'Records a voice-over while the timeline plays. You do not rank.',
  play: 'Records nothing. The timeline plays while you rank.',
};
export const noDevice = 'None';
export const deviceNumber = (kind: string, number: number) => `${kind} ${number}`;
export const tryAgain = 'Try again';
export const startsAt = 'Starts at';
export const startsAtTime = (time: string) => `Starts at ${time}`;
export const places = { start: 'Start', playhead: 'Playhead', end: 'End' };
export const placesAfterTake = { start: 'Replace', playhead: 'Retake', end: 'Append' };
export const ranking = 'Ranking';
export const rankings = { again: 'Rank again from the start', on: 'Go on from here' };
export const rankingNotes = {
  again: 'The board is empty at the start. You rank every card.',
  on: 'Ranked cards are on the board from the start. You rank the others.',
};
export const countDown = 'Count down 3-2-1';
export const nextCard = 'Bring up the next card';
export const nextCardNote = 'After a verdict, when the card has landed.';
export const mirror = 'Mirror my picture';
export const mirrorNote = 'Only here. The video is not mirrored.';
export const delays = 'Device delays';
export const pictureDelay = (ms: number) => `Picture: ${ms} ms`;
export const soundDelay = (ms: number) => `Sound: ${ms} ms`;
export const space = (length: string) => `Space for ${length}`;
export const spaceNote = (gigabytes: string, megabytesAMinute: number) =>
  `${gigabytes} GB free, about ${megabytesAMinute} MB a minute.`;
export const stays = 'Recorded in this browser';
export const atMostLost = 'If the browser closes, you lose at most the last seconds.';
export const addCards = 'Add pictures to rank';
export const cardsToRank = (cards: number, time: string) =>
  `${cards === 1 ? '1 card' : `${cards} cards`} to rank. The take starts at ${time}.`;
export const length = (minutes: number) =>
  minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;

export const saySomething = 'Say something';
export const level = 'Microphone level';
export const levelValue = (decibels: number) => `${decibels} dB`;
export const levels = { loud: 'Too loud', good: 'Good level', quiet: 'Quiet' };

/** Why there is no picture or sound, before anything is recorded. */
export const deviceFaults = {
  refused: 'This page is not allowed to use the camera or the microphone. Allow it in the address bar, then try again.',
  not_secure: 'Browsers allow cameras and microphones only on secure pages. Open this page over https or on localhost.',
  not_shared: 'No screen is shared. Try again, and choose a screen or a window.',
  unplugged: 'The device was disconnected. Connect it, then try again.',
  no_device: 'No such device is connected. Connect one, then try again.',
  in_use: 'Another program uses the camera or the microphone. Close it, then try again.',
  unsupported: 'This browser cannot record.',
  failed: 'The camera or the microphone did not start. Try again, or choose another one.',
};

/** While it runs. */
export const take = 'Take';
export const states = { ready: 'READY', recording: 'REC', playing: 'PLAY', paused: 'PAUSED' };
export const ranked = (count: number, of: number) => `${count} of ${of}`;
export const rows = 'Rows';
export const currentCard = 'Current card';
export const pickCard = 'Pick a card';
export const allRanked = 'All cards are ranked';
export const stopHint = 'Say what you still want to say, then press Stop.';
export const heldFor = (time: string) => `Up for ${time}`;
export const pickHint = 'Drag it to a row, tap it, or choose it with the arrow keys and press Enter.';
export const dropHint = 'Drop it in a row, tap the row, or press its key. Esc puts it back.';
export const pickHintPhone = 'Tap it, then a row. Or drag it.';
export const dropHintPhone = 'Tap a row, or tap the card to put it back.';
export const putInto = (row: string) => `Put into ${row}`;
export const rowKey = (key: string) => `Key ${key}`;
export const cardsLeft = 'Cards left';
export const cardsLeftCount = (count: number) =>
  count === 0 ? 'No cards left' : count === 1 ? '1 card left' : `${count} cards left`;
export const trayHint = 'Drag one to a row, or press ← → and Enter';
export const changeHint = 'Drag a card to another row to change its verdict';
export const undo = 'Undo last';
export const inRow = (item: string, row: string) => `${item} in ${row}`;
export const pause = 'Pause';
export const resume = 'Resume';
export const stop = 'Stop';
export const cancel = 'Cancel';
export const saving = 'Saving the take …';
export const behind = 'This computer cannot keep up. Some frames are lost.';
export const reduced = 'This computer cannot keep up. The picture is recorded at half its size from here on.';
export const hidden = 'The page is in the background. The recording continues, but the picture may stutter.';

/** What a screen reader says. */
export const said = {
  recording: 'Recording.',
  playing: 'Playing. Rank the cards.',
  paused: 'Paused.',
  stopped: 'Stopped.',
  undone: 'Undone.',
  pickedUp: (item: string) => `${item} picked up.`,
  dropped: (item: string, row: string) => `${item} in ${row}.`,
  putBack: (item: string) => `${item} put back.`,
  allRanked: 'All cards are ranked. Stop ends the take.',
};

/** Why a recording ended by itself. */
export const recorderFaults = {
  no_encoder: 'This browser has no encoder for this picture or sound.',
  no_picture: 'No picture arrived from the camera or the screen.',
  no_storage: 'This browser does not store files for this page. Private windows never do.',
  disk_full: 'The disk is full, so the take ended.',
  picture_ended: 'The camera was disconnected, so the take ended.',
  sound_ended: 'The microphone was disconnected, so the take ended.',
  file_full: 'The file reached the maximum size, so the take ended. To continue, record the next take at its end.',
  failed: 'The recorder failed, so the take ended.',
};
export const sharingEnded = 'The screen is no longer shared, so the take ended.';
export const kept = 'What was recorded is kept.';
export const keptInPart = 'A part of the recording cannot be read. The part before it is kept.';
export const nothing = 'Nothing was recorded.';
export const takeEnded = (why: string | null, outcome: string) => (why === null ? outcome : `${why} ${outcome}`);

/** Names of files. */
export const fileName = (take: number, part: number) => (part === 1 ? `Take ${take}` : `Take ${take}, part ${part}`);

/** After it. */
export const afterTake = 'After the take';
export const onTimeline = 'Your take is on the timeline';
export const summary = (time: string, cards: number) =>
  cards === 0 ? time : `${time}, ${cards === 1 ? '1 card' : `${cards} cards`} ranked`;
export const close = 'Close';
export const removePauses = 'Remove pauses';
export const removeCounted = (count: number) => `Remove ${count === 1 ? '1 pause' : `${count} pauses`}`;
export const findingPauses = (percent: number | null) => `Looking for them …${percent === null ? '' : ` ${percent} %`}`;
export const noPauses = 'There are none to remove.';
export const pausesUnknown = 'This browser could not look for them.';
export const savesTime = (time: string) => `Saves ${time}.`;
export const review = 'Review …';
export const lookFirst = 'Look first';
export const remove = 'Remove';
export const captions = 'Captions';
export const captionsNote = (time: string | null) =>
  `From your speech, word by word.${time === null ? '' : ` About ${time}.`}`;
export const create = 'Create';
export const music = 'Music under your voice';
export const musicNote = (name: string, db: number) => `${name}, ${db} dB lower while you speak.`;
export const addMusic = 'Add music';
export const add = 'Add';
export const layoutNote = (name: string | null) => (name === null ? 'Custom.' : `${name}, in every format.`);
export const layoutOf = (name: string) => `Layout: ${name}`;
export const retake = 'Retake';
export const retakeFrom = 'Retake from the playhead';
export const retakeNote = (time: string) => `Keeps 0:00 to ${time}.`;
export const retakeAllNote = 'Replaces all of it. Move the playhead to keep what is before it.';
export const exportVideos = (count: number) => `Export ${count} videos`;
export const exportNote = 'Nothing is sent before. Captions upload your voice.';

/** A recording that was interrupted. */
export const discardAsked = (size: string) => `Discard ${size}?`;
export const keepUnfinished = 'Keep';
export const discarded = 'The recording is discarded.';
export const unfinished = (date: string, size: string) =>
  `The recording of ${date} was interrupted. ${size} of it are saved in this browser.`;
export const useUnfinished = 'Add to the timeline';
export const discardUnfinished = 'Discard';
export const unreadable = 'The recording cannot be read.';
