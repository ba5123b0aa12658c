import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { limitBrowser, limitContext } from './page-limits.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FOUND = PLACES.find((path) => existsSync(path));

/** The reason to skip tests that need a browser, or false if there is one. */
export const noBrowser = FOUND === undefined ? 'no chromium is installed here' : false;

/** Each window would load two pages of its own for the address bar, at a second of processor time. */
const OF_ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** What Playwright disables and tests here rely on, or what reaches out to the network: Chromium reads the last list only. */
const OF_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding', 'MediaRouter'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['PreconnectToSearch', 'LensOverlay'],
];
const DISABLED = [...OF_ADDRESS_BAR, ...OF_PLAYWRIGHT].join();
const ARGS = ['--no-sandbox', '--disable-gpu', `--disable-features=${DISABLED}`];

/** A headless browser; ends when it is disposed of. */
export async function launchBrowser(...args: readonly string[]): Promise<Browser> {
  return limitBrowser(await chromium.launch({ executablePath: FOUND!, args: [...ARGS, ...args] }));
}

/** A browser that keeps the storage of pages in a folder, for the next one. */
export async function launchKeeping(profile: string, ...args: readonly string[]): Promise<BrowserContext> {
  return limitContext(
    await chromium.launchPersistentContext(profile, { executablePath: FOUND!, args: [...ARGS, ...args] }),
  );
}
