/** Kinds of file that people send and that are not accepted, by the bytes they begin with. */
const KNOWN: readonly (readonly [magic: string, what: string])[] = [
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive, or an office document'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['II+\0', 'a BigTIFF'],
  ['MM\0+', 'a BigTIFF'],
  ['\0\0\0\x0cjP  ', 'a JPEG 2000 picture'],
  ['\xff\x4f\xff\x51', 'a JPEG 2000 picture'],
  ['8BPS', 'a Photoshop document'],
  ['gimp xcf', 'a GIMP document'],
  ['v/1\x01', 'an OpenEXR picture'],
  ['qoif', 'a QOI picture'],
  ['DDS ', 'a DDS texture'],
  ['.RMF', 'RealMedia'],
  ['\x06\x0e\x2b\x34', 'MXF'],
  ['\0\0\x01\xb3', 'an MPEG video stream without a container'],
  ['caff', 'a Core Audio file'],
  ['MThd', 'a MIDI file'],
  ['MAC ', 'Monkey’s Audio'],
  ['TTA1', 'True Audio'],
  ['MPCK', 'Musepack'],
  ['MP+', 'Musepack'],
  ['DSD ', 'DSD audio'],
  ['.snd', 'a Sun audio file'],
  ['wOFF', 'a WOFF font'],
  ['#EXTM3U', 'a playlist'],
  ['{\\rtf', 'an RTF document'],
  ['MZ', 'a program'],
  ['\x7fELF', 'a program'],
];

/** How much of a file is looked at to call it text. */
const TEXT_BYTES = 512;

/** The name of an unsupported file type; null if it is unknown. */
export function nameOfFile(head: Buffer): string | null {
  const begins = head.toString('latin1', 0, 16);
  const known = KNOWN.find(([magic]) => begins.startsWith(magic));
  if (known !== undefined) return known[1];
  if (begins.startsWith('crx ', 8)) return 'a Canon raw photograph';
  const isText = head.subarray(0, TEXT_BYTES).every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
  return isText ? 'a text' : null;
}
