/** Files that are added, and files that the studio refuses. */
export const addFiles = (count: number) => `Add ${count} files`;
export const examplesReplaced = 'Your pictures replace the items of the template.';
export const emptyFile = (name: string) => `${name} is empty.`;
export const unreadableFile = (name: string) =>
  `${name} cannot be read. It was moved or deleted, or the browser does not allow this page to read it.`;
export const notExamined = (name: string) =>
  `${name} was not added, because a part of this page did not load. Check the network, reload the page, then add it again.`;
export const moreRefused = (count: number) =>
  count === 1 ? 'One more file cannot be used.' : `${count} more files cannot be used.`;
export const tooLarge = (name: string, size: string, max: string) =>
  `${name} is too large (${size}). The limit is ${max}.`;
export const noRoom = (name: string, size: string) =>
  `${name} (${size}) was not added, because the storage of this browser is full. Remove projects that you no longer need, load this page again, and add it then.`;
export const notMedia = (name: string) => `${name} is not a picture, a clip or a sound.`;
export const damagedPicture = (name: string) => `${name} cannot be read. It is damaged, or it is not a picture.`;
export const exampleNotDrawn = 'The studio could not draw the example.';
export const gigabytes = (count: string) => `${count} GB`;

export const musicLeft = (file: string) =>
  `The music is already as long as the video, so ${file} was added to the media only. Drag it to the timeline to use it.`;
export const musicsLeft = (count: number) =>
  `The music is already as long as the video, so ${count} sounds were added to the media only. Drag them to the timeline to use them.`;
export const videoLonger = (now: string, before: string) =>
  `The video is now ${now} long instead of ${before}, because a sound continues after the picture. Undo, or trim the sound.`;
