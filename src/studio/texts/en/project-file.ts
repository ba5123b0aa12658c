/** Why a project file, or a part of it, is not read. */
export const notAProject = 'This is not a project file: it has neither a tier_list nor timeline_data.';
export const notAList = 'It is not a list.';
export const tooManyEntries = (count: number, max: number) => `It has ${count} entries. The first ${max} were read.`;
export const notAnEntry = 'It is not an entry.';
export const notValid = 'It is not valid.';
