import { signal } from '@preact/signals';
import { studioConfig } from '../kit/assets.ts';

/** Whether the page has a service. A static page has none: what only a service does is not offered. */
export const hasService = studioConfig.service !== null;

/** Whether the last request got no response. The client retries until it does. */
export const serviceGone = signal(false);
/** Whether requests wait for an API key. The open dialog or a bar at the top asks for it. (C51) */
export const keyWanted = signal(false);
