/** Project files: .zip and project.json. */
export const savedWithout = (paths: readonly string[]) =>
  `Saved without ${paths.join(', ')}, which this browser does not have.`;
export const notSaved = 'The project could not be saved as a .zip.';
export const unreadable = (name: string) => `${name} could not be read.`;
export const notProject = (name: string) =>
  `${name} is not a project. Projects are .zip files that the studio saved, or their project.json.`;
export const leftOut = (count: number) =>
  count === 1
    ? '1 part of the file is not valid and was left out.'
    : `${count} parts of the file are not valid and were left out.`;
export const absentFiles = (count: number) =>
  count === 1
    ? '1 file of the project is not in this browser. Drop it on the page to restore it.'
    : `${count} files of the project are not in this browser. Drop them on the page to restore them.`;

export const notZip = 'This is not a .zip file, or a part of it is missing.';
export const noProjectJson = 'The .zip file has no project.json.';
export const entryTooLarge = (path: string, bytes: number, max: number) =>
  `${path} in the .zip file has ${bytes} bytes. The limit is ${max}.`;
export const compression = 'The .zip file uses an unsupported compression method.';
export const damagedEntry = (path: string) => `The .zip file is damaged: ${path} does not match its checksum.`;
export const moreThanDeclared = 'The .zip file is damaged: it contains more than it declares.';
