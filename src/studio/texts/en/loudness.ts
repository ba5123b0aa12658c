/** The loudness while the preview plays. */
export const loudness = 'Loudness';
export const lufs = (level: string) => `${level} LUFS`;
export const loudnessKept = 'Loudness of the last 3 seconds. The export keeps it.';
export const loudnessSet = (lufs: number) => `Loudness of the last 3 seconds. The export is set to ${lufs} LUFS.`;
