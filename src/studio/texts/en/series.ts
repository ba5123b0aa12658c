/** Templates, their fields and episodes. */
export const template = 'Template';
export const templateTitle = 'Template: its fields and new episodes';
export const fields = 'Fields';
export const fieldsHelp =
  'A field is what changes from episode to episode. To add one, right-click a text, a row, a clip or the preview, and choose “Make this a field”.';
export const templateName = 'Name of the template';
export const makeTemplate = 'Make this a template';
export const makeTemplateStep = 'Make a template';
export const renameTemplate = 'Rename template';

export const addField = 'Add a field';
export const addFieldOf = 'What changes in each episode?';
export const everythingIsField = 'Everything that can change is a field.';
export const makeField = (label: string) => `Make “${label}” a field`;
export const makeThisField = 'Make this a field';
export const showField = (name: string) => `Field {{${name}}}`;
export const fieldMade = (label: string) => `“${label}” is a field now. Each episode fills it in.`;

/** Labels of new fields, and what they are made from. */
export const titleLabel = 'Title';
export const itemsLabel = 'Items';
export const lookLabel = 'Look';
export const numberLabel = 'Number';
export const clipLabel = 'Clip';
export const soundLabel = 'Sound';
export const pictureLabel = 'Picture';
export const rowName = (row: string) => `Row ${row}`;
export const rowColour = (row: string) => `Colour of ${row}`;
export const secondLine = 'Second line';
export const textLabel = 'Text';

export const types = {
  text: 'text',
  number: 'number',
  color: 'colour',
  choice: 'choice',
  media: 'file',
  items: 'list of items',
} as const;
export const kinds = { picture: 'picture', video: 'video', sound: 'sound' } as const;
export const anyFile = 'any file';

export const noDefault = 'no default';
export const used = (count: number) => (count === 1 ? 'used once' : `used ${count} times`);
export const boardAndReveals = 'board and reveals';
export const manyItems = (count: number) => (count === 1 ? '1 item' : `${count} items`);
export const notUsed = (name: string) => `Not used. Write {{${name}}} into a text, or delete the field.`;
export const notUsedFile = 'Not used: no clip, sound or item has this file.';
export const unknownField = (name: string) => `A text names {{${name}}}, but there is no such field.`;
export const addUnknown = 'Add it';

export const label = 'Label';
export const nameInTexts = 'Name in texts';
export const nameTaken = (name: string) => `There is a field or a file called “${name}” already.`;
export const type = 'Type';
export const defaultValue = 'Default';
export const help = 'Help';
export const helpHint = 'One sentence for who fills the form in.';
export const required = 'Required';
export const smallest = 'Smallest';
export const largest = 'Largest';
export const mostCharacters = 'Most characters';
export const secondsPerItem = 'Seconds per item';
export const mostItems = 'Most items';
export const options = 'Choices, one a line';
export const kind = 'Kind of file';
export const usedIn = 'Used in';
export const moveUp = (field: string) => `Move ${field} up`;
export const moveDown = (field: string) => `Move ${field} down`;
export const deleteField = (field: string) => `Delete the field ${field}`;
export const deleted = (field: string) => `“${field}” is no field any more. Its default stays.`;
export const change = (field: string) => `Change field “${field}”`;
export const move = (field: string) => `Move field “${field}”`;
export const setValue = (field: string) => `Set “${field}”`;

/** Places of documents. */
export const placeTitle = 'The title';
export const placeItems = 'The board';
export const placeSettings = 'Video settings';
export const placeFileName = 'The file name';
export const placeRow = (row: string) => `Row ${row}`;
export const placeItem = (item: string) => `Item ${item}`;
export const placeEntry = (text: string) => `“${text}”`;

export const newEpisode = 'New episode';
export const newEpisodeHelp = 'Opens a form with the fields, as a new project. The template stays as it is.';

export const episode = 'New episode';
export const episodeOf = (name: string) => `of ${name}`;
export const episodeTag = 'Episode';
export const makeVideo = 'Make the video';
export const openInEditor = 'Open in the editor';
export const openedInEditor = 'The episode is an ordinary project now.';
export const openInEditorHelp = 'The form is replaced by the editor, with all values filled in.';
export const anotherEpisode = 'One more episode';
export const isMissing = (field: string) => `The field “${field}” has no value.`;
export const missing = 'Needed for the video.';
export const optional = 'optional';

export const replaceFile = 'Replace';
export const removeFile = 'Leave it out';
export const dropFile = 'Drop a file here, or choose one';
export const wrongKind = (name: string, wanted: string) => `${name} is no ${wanted}.`;

export const itemsHelp = 'Drop pictures or a folder, paste a list, or type.';
export const pasteItems = 'Paste a list';
export const pasteReplaces =
  'Names, one a line. Or a table with a column “name”; “row”, “score” and “picture” are optional. The list replaces the items that are there.';
/** A table, with rows of the template. */
export const pasteExample = (rows: readonly string[]) =>
  ['name,row', `Pizza,${rows[0] ?? ''}`, `Tacos,${rows[1] ?? rows[0] ?? ''}`].join('\n');
export const replaceItems = 'Replace items';
export const addPictures = 'Add pictures';
export const addItem = 'Add an item';
export const newItem = 'New item';
export const clearItems = 'Remove all';
export const itemName = (at: number) => `Name of item ${at}`;
export const itemRow = (name: string) => `Row of ${name}`;
export const removeItem = (name: string) => `Remove ${name}`;
export const noRow = 'no row';

/** Templates of the first visit. */
export const tooManyItems = (count: number, max: number) => `There are ${count} items; ${max} are allowed.`;

export const copyRequest = 'Copy the request';
export const requestOf = (host: string) => `Programs make videos of this template on ${host}.`;
export const requestKeeps = (host: string) =>
  `Programs make videos of this template on ${host}. It is kept there from now on, and follows your changes.`;
export const requestCopied = (language: string) => `The request is copied, for ${language}.`;
export const requestNotCopied = 'The request was not copied. This browser does not let the page store it.';
