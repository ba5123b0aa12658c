/** What lines of sounds are called, by their role. (C57) */
export const ROLE_HEADS = { voice: 'Voice', music: 'Music' } as const;
