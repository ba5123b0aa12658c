import { readFlag, remembered } from './remembered.ts';

/** Whether the studio shows JSON documents, curl requests, units and encoders. Stored in this browser. */
export const developer = remembered('tiercut-developer', false, readFlag);
