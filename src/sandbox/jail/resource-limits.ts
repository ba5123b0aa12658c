import { systemCall } from './libc.ts';

/** What the kernel itself holds the child to, whatever the parent's watchdogs are doing. */
export interface ResourceLimits {
  /** Private writable memory. The address space cannot be limited: Node alone reserves gigabytes of it. */
  readonly dataBytes: number;
  /** The longest file it may write; writing on fails with EFBIG. */
  readonly fileBytes: number;
}

/**
 * Allocator settings for a render. Frames come and go by the megabyte on many threads, and glibc would
 * keep what they leave in its arenas (some 150 MB at 1080p); mapped each on its own, they go back to the system. Skia's
 * allocator would take a gigabyte at its first call and use a hundredth of it: the kernel's limit on data would have to
 * leave that much room to everybody.
 */
export const CHILD_MEMORY: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: '1000000',
  MIMALLOC_ARENA_EAGER_COMMIT: '0',
};

/**
 * V8 flags of a render. It counts each reference to a frame as memory of its own, for which it would collect garbage (heaps of code
 * and no garbage, mostly) several times a second; counted together with the heap, and with a first limit that the frames of a
 * pipeline stay under, a minute of board takes a sixth less CPU and 40 MB more.
 */
export const CHILD_FLAGS: readonly string[] = [
  '--max-old-space-size=1024',
  '--external-memory-accounted-in-global-limit',
  '--initial-old-space-size=160',
];

const RLIMIT_FSIZE = 1;
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;
const RLIMIT_NOFILE = 7;
const OPEN_FILES = 1024;

/** Lowers the limits of this process for good, soft and hard. A limit that is lower already stays. */
export function limitResources({ dataBytes, fileBytes }: ResourceLimits): void {
  lower(RLIMIT_CORE, 0);
  lower(RLIMIT_DATA, dataBytes);
  lower(RLIMIT_FSIZE, fileBytes);
  lower(RLIMIT_NOFILE, OPEN_FILES);
}

function lower(resource: number, value: number): void {
  const limit = Buffer.alloc(16);
  systemCall('prlimit64', 0, resource, null, limit);
  const hard = limit.readBigUInt64LE(8);
  // The largest 64-bit number stands for "unlimited", so the smaller one is always the stricter.
  const wanted = BigInt(value) < hard ? BigInt(value) : hard;
  limit.writeBigUInt64LE(wanted, 0);
  limit.writeBigUInt64LE(wanted, 8);
  systemCall('prlimit64', 0, resource, limit, null);
}
