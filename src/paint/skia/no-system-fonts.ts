import { env } from 'node:process';

// Skia's binding loads the machine's fonts when it is first imported, unless this is set by then; with them in reach a
// missing glyph would come out differently on every machine. Import this file before the binding.
env.DISABLE_SYSTEM_FONTS_LOAD = '1';
