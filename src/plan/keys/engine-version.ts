/**
 * Part of every chunk's key. Raise it with any change to the painter, the engine or the libraries that can change a
 * single byte of a chunk: what an older engine made is then no longer reused. (R18) `test/golden/engine` keeps hashes of what this
 * version makes, and changes with it; it has no pictures of items and two of the themes, so it notices most changes, not all.
 */
export const ENGINE_VERSION = '12';
