import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FOUND = PLACES.find((path) => existsSync(path));

/** The reason to skip tests that need a browser, or false if there is one. */
export const noBrowser = FOUND === undefined ? 'no chromium is installed here' : false;

const ARGS = ['--no-sandbox', '--disable-gpu'];

/** A headless browser; ends when it is disposed of. */
export function launchBrowser(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: FOUND!, args: [...ARGS, ...args] });
}

/** A browser that keeps the storage of pages in a folder, for the next one. */
export function launchKeeping(profile: string, ...args: readonly string[]): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, { executablePath: FOUND!, args: [...ARGS, ...args] });
}
