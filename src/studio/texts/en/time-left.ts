/** The time that uploads, captions and exports take. */
export const timeLeft = (time: string) => `About ${time} left.`;
export const minutes = (count: number) => `${count} min`;
