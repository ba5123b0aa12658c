/** The export panel, its progress and its results. */
const counts = ['no', 'one', 'two', 'three'];
const formats = (count: number) => (count === 1 ? 'one format' : `${counts[count]} formats`);
const sentence = (text: string) => text[0]!.toUpperCase() + text.slice(1);

export const formatsToMake = (count: number) =>
  `${sentence(formats(count))}, ${count === 1 ? 'one MP4' : 'one MP4 each'}.`;
export const exportFormats = (count: number, isAll: boolean, isChanged: boolean) =>
  `Export ${isAll ? `all ${formats(count)}` : formats(count)}${isChanged ? ' with your changes' : ''}`;
export const formatsReady = (ready: number, all: number) => {
  if (all === 1) return ready === 1 ? 'The format is ready.' : 'The format is not ready yet.';
  if (ready === all) return all === 2 ? 'Both formats are ready.' : `All ${formats(all)} are ready.`;
  return `${ready === 0 ? 'None' : sentence(counts[ready]!)} of the ${formats(all)} ${ready > 1 ? 'are' : 'is'} ready.`;
};

export const exportHead = 'Export';
export const files = (count: number, size: string) => `${count === 1 ? '1 file' : `${count} files`} (${size})`;
export const place = 'Where';
export const onService = 'On the service';
export const onDevice = 'On this device';
export const whereAndWhat = (host: string, files: string) =>
  `Rendered on ${host}. Uploads what it does not have yet of ${files}.`;
export const checks = (errors: number, warnings: number) =>
  errors > 0
    ? `Checks: ${errors === 1 ? '1 error' : `${errors} errors`} to fix first.`
    : warnings > 0
      ? `Checks: no errors, ${warnings === 1 ? '1 warning' : `${warnings} warnings`}.`
      : 'Checks: no errors, no warnings.';
export const changeFileName = 'Change file name';
export const usualFileName = 'The title of the board';
export const formatsTitle = 'Formats';
export const quality = 'Quality';
export const changeQuality = 'Change quality';
export const qualities = {
  draft: { name: 'Draft', help: 'Fastest, for a quick look.' },
  balanced: { name: 'Balanced', help: 'For most videos.' },
  high: { name: 'High', help: 'Larger files with finer detail.' },
  upload: { name: 'Best for YouTube', help: 'The largest file, for sites that encode videos again.' },
};

export const beforeExport = 'Before you export';
export const notRankedYet = 'Nothing is ranked yet';
export const nothingRevealed = 'Nothing is revealed';
export const boardOfEmptyRows = (seconds: number, items: number) =>
  `The video would show a board with empty rows for ${seconds} s, and ${countItems(items)} below them.`;
export const boardWithoutReveals = (seconds: number, items: number) =>
  `The video would show a board for ${seconds} s, with ${countItems(items)} in its rows from the start.`;
export const rankFirst = 'Rank the items';
export const revealInTurn = 'Reveal one by one';
export const revealedInTurn = 'The items now appear one by one. Watch the preview, then export.';
export const exportAnyway = 'Export anyway';
const countItems = (count: number) => (count === 1 ? '1 item' : `${count} items`);
export const itemsNotRanked = (count: number, of: number) =>
  `${countItems(count)} of ${of} ${count === 1 ? 'is' : 'are'} not ranked`;

export const keyNeeded = 'API key needed';
export const keyNeededMore = 'The studio then uploads your files, and the service renders the video.';
export const giveKey = 'This service needs an API key';
export const useKey = 'Continue';
export const keyHelp = 'Enter it once. This browser then stays signed in for a few hours.';

export const noResponse = 'The service does not respond';
export const noResponseMore = 'Your work is saved in this browser. The export continues when the service is back.';
export const drawingExample = 'Drawing the example …';
export const uploading = 'Uploading your files';
export const uploadingMore =
  'Each file is uploaded once. The next export uploads only what is new. You can keep editing.';
export const uploaded = 'Uploaded';
export const sendingProject = 'Sending the project …';
export const notReady = 'Not ready to export';
export const nothingToShow = 'There is nothing to show yet';
export const nothingToShowMore = 'Drop pictures and put them into rows, or drop a clip.';
export const fixThenExport = 'Fix this error, then export.';
export const andMoreErrors = (count: number) => `And ${count} more.`;
export const showError = 'Show error';
export const andMore = (count: number) => `And ${count} more`;
export const failed = 'Export failed';
export const pageFault = 'An error in the studio stopped the export.';
export const missingFile = (name: string) => `${name} is no longer in this browser. Drop the file here again.`;

export const rendering = 'Rendering your video';
export const waiting = 'Your video is queued';
export const ready = 'Your video is ready';
export const stopped = 'Stopped';
export const stoppedMore = 'Export stopped. Uploaded files are deleted after 24 hours.';
export const keepEditing = 'You can keep editing: this export does not change.';
export const noProgress = (time: string) => `No progress for ${time}. If a render is stuck, the service retries it.`;
export const closeRunning = 'Close; the export continues';
export const stop = 'Stop';
export const stopAll = 'Stop all';
export const stopFormat = (name: string) => `Stop ${name}`;

export const formatReady = 'Ready';
export const formatFailed = 'Failed';
export const formatStarts = 'Starting';
export const formatIdle = 'Not started';
export const formatWaits = 'Queued';
export const formatInterrupted = (percent: string) => `${percent} · interrupted, queued again`;
export const short = (number: number) => `Short ${number}`;
export const download = 'Download';
export const makeIt = 'Create';

export const fileName = 'File name';

export const chapters = 'Chapters';
export const chaptersUse = 'for the description on YouTube';
export const chaptersIgnored = 'YouTube ignores these chapters: it needs at least three, each 10 s or longer.';
export const chapterList = 'List of chapters';
export const copied = 'Copied';
export const sameByApi = 'Export with the API';
export const copyCurl = 'Copy curl';

export const renderWhileEditing = 'Render while I edit';
export const renderWhileEditingMore = (host: string) =>
  `Exports are ready sooner. When you pause editing, the studio uploads your media to ${host}. A thin line above the timeline shows what is rendered.`;
