/** The first visit: part of the first load, so nothing else is here. */
export const whatToRank = 'What are you ranking?';
export const dropAnywhere = 'Drop pictures or a folder anywhere.';
export const openFile = 'Open a file…';
export const help = 'Help';
export const rankPictures = 'Rank pictures';
export const rankPicturesHelp = 'Drop, name, rank. A finished video in one click.';
export const recordTakeHelp = 'Camera, voice and verdicts at once. Nothing to edit afterwards.';
export const pasteList = 'Paste a list';
export const pasteListHelp = 'Names, one a line, or a table from a spreadsheet.';
export const yours = 'Yours';
export const lookAtExample = 'Or look at an example';
export const exampleName = 'The planets, ranked';
export const theExample = 'the example';

export const startFromTemplate = 'Start from a template';
export const templates = {
  weekly: { name: 'A weekly ranking', shown: 'A weekly ranking' },
  'top-five': { name: 'Top 5, for Shorts', shown: 'Top 5' },
  versus: { name: 'This or that', shown: 'This or that' },
} as const;
export type TemplateName = keyof typeof templates;
export const template = 'template';

export const allProjects = 'All projects …';
