import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Playwright limits its own waits and not these: a page that does not answer would hold them until the test's own end. */
const ANSWER_MS = 45_000;
/** For what the page shows, if it answers at all. */
const STATE_MS = 5_000;

const OF_PAGE = ['evaluate', 'evaluateHandle', 'bringToFront', 'setViewportSize', 'emulateMedia', 'close'];
const OF_KEYBOARD = ['press', 'type', 'down', 'up', 'insertText'];
const OF_MOUSE = ['move', 'down', 'up', 'click', 'dblclick', 'wheel'];

/** Every wait for a page of the browser has a limit, and a message that says what was awaited and what the page shows. */
export function limitBrowser(browser: Browser): Browser {
  browser.on('context', limitContext);
  return browser;
}

export function limitContext(context: BrowserContext): BrowserContext {
  for (const page of context.pages()) limitPage(page);
  context.on('page', limitPage);
  const open = context.newCDPSession.bind(context);
  context.newCDPSession = async (target) => {
    const session = await open(target);
    const page = 'page' in target ? target.page() : target;
    limit(session, 'session', ['send', 'detach'], page);
    return session;
  };
  return context;
}

function limitPage(page: Page): void {
  limit(page, 'page', OF_PAGE, page);
  limit(page.keyboard, 'keyboard', OF_KEYBOARD, page);
  limit(page.mouse, 'mouse', OF_MOUSE, page);
}

function limit(target: object, name: string, methods: readonly string[], page: Page): void {
  const own = target as Record<string, (...given: unknown[]) => Promise<unknown>>;
  for (const method of methods) {
    const plain = own[method]!.bind(target);
    own[method] = (...given) => inTime(plain(...given), () => said(`${name}.${method}`, given), page);
  }
}

/** @throws after the limit, with what was awaited and what the page shows. */
async function inTime<T>(answer: Promise<T>, what: () => string, page: Page): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    // It may fail later, once the page is closed.
    answer.catch(() => {});
    late.reject(new Error(`no answer within ${ANSWER_MS} ms to ${what()}\n${await stateOf(page)}`));
  }, ANSWER_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function said(call: string, given: readonly unknown[]): string {
  const text = given.map((each) => (typeof each === 'function' ? String(each) : JSON.stringify(each))).join(', ');
  return `${call}(${text.slice(0, 500)})`;
}

/** What a page shows, or that it does not answer. */
async function stateOf(page: Page): Promise<string> {
  const options = { timeout: STATE_MS };
  const state = await page
    .locator('body')
    .ariaSnapshot(options)
    .catch((error: Error) => `does not answer: ${error.message}`);
  return `${page.url()}\n${state.slice(0, 4000)}`;
}
