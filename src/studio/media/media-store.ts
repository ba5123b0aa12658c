/** The bytes of the project's media, by content. */

const files = new Map<string, Blob>();

/** The file of that SHA-256; null where it is not here. */
export async function mediaFile(sha256: string): Promise<Blob | null> {
  return files.get(sha256) ?? null;
}

/** Keeps a file. */
export async function keepMedia(sha256: string, file: Blob): Promise<void> {
  files.set(sha256, file);
}
