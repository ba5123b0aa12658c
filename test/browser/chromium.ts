import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FOUND = PLACES.find((path) => existsSync(path));

/** Why tests that need a browser are skipped, or false where there is one. */
export const noBrowser = FOUND === undefined ? 'no chromium is installed here' : false;

/** A headless browser; ends when it is disposed of. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: FOUND!, args: ['--no-sandbox', '--disable-gpu'] });
}
