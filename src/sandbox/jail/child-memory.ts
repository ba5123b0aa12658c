/**
 * How glibc is told to handle a render's memory. Frames come and go by the megabyte on many threads, and glibc would keep
 * what they leave in its arenas (some 150 MB at 1080p); mapped each on its own, they go back to the system.
 */
export const CHILD_MEMORY: Readonly<Record<string, string>> = { MALLOC_MMAP_THRESHOLD_: '1000000' };
