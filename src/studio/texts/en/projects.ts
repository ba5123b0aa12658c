/** Projects: the menu, the list, projects on the service, links, and notices about where a project is kept. */
export const newProject = 'New project';
export const openExample = 'Open the example';
export const openProjectFile = 'Open a project file …';
export const saveZip = 'Save with its media (.zip)';
export const saveJson = 'Save project.json only';
export const inThisBrowser = 'In this browser';
export const removeProject = (name: string) => `Remove ${name}`;
export const removeFromBrowser = 'Remove from this browser';
export const earlierVersions = 'Earlier versions';
export const versionOpened = 'The earlier version is open. The version that was open is still in the list.';
export const items = (count: number) => (count === 1 ? '1 item' : `${count} items`);
export const studioTheme = 'Studio theme';
export const systemTheme = 'System';
export const darkTheme = 'Dark';
export const lightTheme = 'Light';
export const developerTools = 'Developer tools';
export const developerHelp = 'Shows entries as JSON, exports as curl commands, units of numbers and encoder settings.';

export const projects = 'Projects';
export const onlyInBrowser =
  'Projects stay in this browser: this page has no service that keeps or shares them. A .zip takes one elsewhere.';
export const inBrowserAndOn = (host: string) => `In this browser and on ${host}`;
export const inBrowserBecause = (fault: string) => `In this browser. ${fault}`;
export const openProject = (name: string) => `Open ${name}`;
export const openNow = 'Currently open';
export const notOpenedHere = (place: string) => `${place}, not opened here yet`;
export const renameListed = (name: string) => `Rename ${name}`;
export const duplicateListed = (name: string) => `Duplicate ${name}`;
export const deleteListed = (name: string) => `Delete ${name}`;
export const deleted = (name: string) => `Deleted ${name}.`;
export const projectName = 'Project name';
export const copyOf = (title: string) => `${title} (copy)`;

export const wherePlaced = 'Where the project is kept';
export const keptOn = (host: string) => `Kept on ${host}`;
export const sendingTo = (host: string) => `Saving to ${host} …`;
export const offline = (host: string) => `Offline. Changes stay in this browser until ${host} responds.`;
export const offlineShort = 'Saved here, offline';
export const notOnYet = (host: string) => `Not on ${host} yet`;
export const notSent = (host: string, why: string) =>
  `Your changes are saved in this browser, but not on ${host} yet: ${why}`;
export const notOn = (host: string) => `Not on ${host}`;
export const deletedOn = (host: string) => `This project was deleted on ${host}. It is still in this browser.`;
export const keepAgain = (host: string) => `Keep it on ${host} again`;
export const noResponse = (host: string) => `${host} does not respond.`;
export const theirChanges = 'Changes from another device';

export const keepOn = (host: string) => `Keep this project on ${host}?`;
export const keepOnMore = (host: string, files: number, size: string) =>
  `The studio uploads the project and its media (${files === 1 ? '1 file' : `${files} files`}, ${size}) to ${host}, now and with each change. You can then open it on your other devices. The operator of the service can read it, and so can everyone with your key or with a link that you create.`;
export const keepIt = (host: string) => `Keep it on ${host}`;
export const leaveInBrowser = 'Leave it in this browser';
export const keepHereOnly = 'Keep this project in this browser only?';
export const keepHereOnlyMore = (host: string) =>
  `The studio no longer sends changes to ${host}. The version there can stay, or be deleted with its links.`;
export const leaveVersion = (host: string) => `Leave the version on ${host}`;
export const deleteVersion = (host: string) => `Delete it on ${host}`;

export const twoVersions = 'Two versions';
export const twoVersionsOfThis = 'Two versions of this project';
export const changedTwice = 'This project was changed here and on another device.';
export const chooseVersion = 'Choose a version …';
export const different = (parts: readonly string[]) =>
  `Different: ${parts.length === 0 ? 'nothing visible' : parts.join(', ')}.`;
export const differentParts = {
  title: () => 'the title',
  rows: (count: number) => (count === 1 ? '1 row' : `${count} rows`),
  items,
  entries: (count: number) => (count === 1 ? '1 entry of the timeline' : `${count} entries of the timeline`),
  settings: (count: number) => (count === 1 ? '1 setting' : `${count} settings`),
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
};
export const versionOn = (host: string) => `On ${host}`;
export const versionOpen = (items: string) => `${items}, currently open`;
export const versionSaved = (items: string, when: string) => `${items}, saved ${when}`;
export const keepThis = 'Keep this one';
export const keepTheirs = (host: string) => `Keep the one on ${host}`;
export const keepBoth = 'Keep both: this one becomes a copy';
export const copyInList = 'Your version is in the list of projects, as a copy.';

export const linkTitle = (host: string) => `Open a project from ${host}?`;
export const linkOpens = (host: string) => `Opening a project from ${host}`;
export const linkMore = (host: string) =>
  `This link asks the studio to fetch a project file from ${host}, which sees that you do. It learns nothing of your projects, and the file changes none of them: you can look at it, and keep a copy.`;
export const openLinked = 'Open it';
export const linkFetched = (done: string, of: string | null) =>
  of === null ? `${done} fetched` : `${done} of ${of} fetched`;
/** Why a link to a project file does not open. */
export const linkFaults = {
  address: 'This link names no address of a project file. It must be like #project=https://example.com/project.zip',
  password: 'This link has a name or a password in its address, and is not opened.',
  insecure: 'This link names an address without HTTPS, which this page may not read.',
  unreadable: (host: string) =>
    `The project file could not be fetched: ${host} does not respond, or does not let pages of other sites read it (it sends no Access-Control-Allow-Origin).`,
  redirect: (host: string) =>
    `${host} redirects to another address, which is not followed. Link to that address itself.`,
  status: (host: string, status: number) => `${host} has no such file: it responds with ${status}.`,
  large: (_: string, megabytes: number) => `The project file is larger than ${megabytes} MB, and is not opened.`,
};

export const share = 'Share …';
export const shareNeeds = (host: string) => `Share … (only when kept on ${host})`;
export const shareThis = 'Share this project';
export const shareThisMore =
  'Anyone with a link can view the project and its media, and make a copy. Nobody can edit it.';
export const newLink = 'Create link';
export const linkMade = (when: string) => `Link created ${when}`;
export const linkMadeElsewhere = (when: string) =>
  `Created ${when} in another browser. Only that browser has its address.`;
export const linkCopied = 'Link copied.';
export const cannotCopy = 'This browser does not allow pages to copy. Select the link and copy it.';
export const revoke = 'Revoke';
export const deadLink = 'This link no longer works: it was revoked, or the project was deleted.';
export const shared = 'This is a shared project. You can view it, but not edit it.';
export const makeCopy = 'Make a copy';
export const copyMade = 'This is your own copy. It stays in this browser.';

const untilTabCloses = 'Files that you add are lost when you close this tab. Save the project as a .zip.';
export const openElsewhere =
  'This project is open in another tab. You can view it here, but your changes are not saved.';
export const takenOver = 'Another tab took over this project.';
export const workHere = 'Edit here';
export const noStorage = `This browser does not store files for pages. ${untilTabCloses}`;
export const notSecure = `This address is not secure (https or localhost), so the browser stores nothing. ${untilTabCloses}`;
export const storageFull =
  'The storage of this browser is full. Your last changes are lost when you close this tab. Remove projects that you no longer need, or save this one with its media.';
