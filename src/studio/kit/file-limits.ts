/** What a service takes of a file. */
export interface FileLimits {
  readonly maxFileBytes: number;
  readonly maxImageFileBytes: number;
}
