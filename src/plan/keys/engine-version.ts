/**
 * Part of every chunk's key. Raise it with any change to the painter, the engine or the libraries that can change a
 * single byte of a chunk: chunks of an older engine are then no longer reused. (R18)
 *
 * `test/golden/engine` keeps hashes of this version's output, and changes with it; it has no pictures of items and two
 * of the themes, so it notices most changes, not all.
 */
export const ENGINE_VERSION = '19';
