import { readFlag, remembered } from './remembered.ts';

/** Whether documents as JSON, requests as curl, units and encoders are shown. This browser remembers it. */
export const developer = remembered('tiercut-developer', false, readFlag);
