/** The file limits of a service. */
export interface FileLimits {
  readonly maxFileBytes: number;
  readonly maxImageFileBytes: number;
}
