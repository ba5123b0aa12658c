/** The log for operators. `detail.error` is the thrown error. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string, detail: object) => void;
