/** What operators get to read. `detail.error` is an error as it was thrown. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string, detail: object) => void;
