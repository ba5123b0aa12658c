/** The supported kinds of file, by their first bytes. Everything else is refused. */
export const MEDIA_CONTAINERS = [
  'mp4', // MOV and M4A too
  'matroska', // WebM too
  'mpegts',
  'mpegps', // MPG, VOB
  'avi',
  'asf', // WMV, WMA
  'flv',
  'mp3',
  'adts',
  'ac3',
  'eac3',
  'amr',
  'wavpack',
  'flac',
  'wav',
  'ogg',
  'aiff',
  'gif',
  'png',
  'apng',
  'jpeg',
  'webp',
  'webp_animation',
  'bmp',
  'ico',
  'tiff',
  'jxl',
  'heic',
  'avif',
  'avif_animation',
  'heic_animation',
  'svg',
  'font', // TTF, OTF, WOFF2
] as const;
export type MediaContainer = (typeof MEDIA_CONTAINERS)[number];
