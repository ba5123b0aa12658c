/** Where a command writes. Commands return their exit code and never touch `process`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}
