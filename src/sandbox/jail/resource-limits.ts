import { systemCall } from './libc.ts';

/** Limits that the kernel enforces on the child, independent of the parent's watchdogs. */
export interface ResourceLimits {
  /** Private writable memory. The address space cannot be limited: Node alone reserves gigabytes of it. */
  readonly dataBytes: number;
  /** The longest file it may write; writing on fails with EFBIG. */
  readonly fileBytes: number;
}

/**
 * Allocator settings for a render. Many threads allocate frames of megabytes, and glibc would keep freed memory in its
 * arenas (some 150 MB at 1080p); mapped separately, it goes back to the system. Skia's allocator would reserve a
 * gigabyte at its first call and use a hundredth of it: the kernel's limit on data would have to allow that for every
 * child. It keeps the freed pixels of a frame for a second: the next frame needs as many, and new memory would have to be
 * cleared.
 */
export const CHILD_MEMORY: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: '1000000',
  MIMALLOC_ARENA_EAGER_COMMIT: '0',
  MIMALLOC_PURGE_DELAY: '1000',
};

/**
 * V8 flags of a render. V8 counts each reference to a frame as external memory, and would collect garbage several times
 * a second, mostly with nothing to free. Counted together with the heap, and with a first limit above the frames of a
 * pipeline, a minute of board takes a sixth less CPU and 40 MB more.
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

/** Permanently lowers the limits of this process, soft and hard. Keeps a limit that is lower already. */
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
  // The largest 64-bit number means "unlimited", so the smaller one is always the stricter.
  const wanted = BigInt(value) < hard ? BigInt(value) : hard;
  limit.writeBigUInt64LE(wanted, 0);
  limit.writeBigUInt64LE(wanted, 8);
  systemCall('prlimit64', 0, resource, limit, null);
}
