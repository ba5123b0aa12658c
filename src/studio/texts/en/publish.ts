/** The thumbnails and the texts to publish an export with. */
export const publish = 'Publish';
export const thumbnail = 'Thumbnail';
export const styles = {
  question: 'Question',
  versus: 'Versus',
  podium: 'Podium',
  board: 'Board',
} as const;
export const orientations = { landscape: '16:9', portrait: '9:16' } as const;
export const orientation = 'Shape';
export const text = 'Text';
export const textFromTitle = 'From the title';
export const items = 'Items';
export const itemsChosen = 'Chosen for you';
export const itemsHelp = 'Names with commas between them.';
export const noItem = (name: string) => `There is no item called “${name}”.`;
export const inAResult = 'As it looks in a search result:';
export const drawing = 'Drawing …';
export const notDrawn = 'This thumbnail could not be drawn.';
export const thumbnailSizes = { landscape: '1280 × 720', portrait: '720 × 1280' } as const;
export const sizeOf = (size: string, bytes: string) => `${size} · ${bytes}`;
export const download = 'Download';
export const downloadThumbnail = 'Download the thumbnail';
export const readyToPublish = 'Ready to publish';
export const title = 'Title';
export const description = 'Description, with chapters';
export const tags = 'Tags';
export const captions = 'Captions';
export const captionsKind = 'SubRip';
export const downloadCaptions = 'Download the captions';
export const copyTitle = 'Copy the title';
export const copyDescription = 'Copy the description';
export const copyTags = 'Copy the tags';
