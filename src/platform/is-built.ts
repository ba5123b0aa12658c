/** Whether this is the npm package or the image, which ship what a clone builds. */
export const IS_BUILT = import.meta.url.endsWith('.js');
