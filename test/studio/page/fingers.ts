import type { CDPSession, Page } from 'playwright-core';

/** From where to where a finger goes: x, y, x, y. */
type Way = readonly [number, number, number, number];

/** Fingers on a page, as Chromium's own touch events. */
export class Fingers implements AsyncDisposable {
  readonly #session: CDPSession;
  readonly #page: Page;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  static async of(page: Page): Promise<Fingers> {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    return new Fingers(page, session);
  }

  /** The page has no fingers any more. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#session.detach();
  }

  /** All fingers at once, one after the other put down; `hold`: they rest until the page has taken notice. */
  async drag(...given: readonly (Way | 'hold')[]): Promise<void> {
    const ways = given.filter((way) => way !== 'hold');
    const at = (share: number, count = ways.length) =>
      ways.slice(0, count).map(([x, y, toX, toY], id) => ({ x: x + (toX - x) * share, y: y + (toY - y) * share, id }));
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof at>) =>
      this.#session.send('Input.dispatchTouchEvent', { type, touchPoints });
    const vibrated = given.includes('hold') ? this.#page.evaluate(VIBRATED) : null;
    for (let count = 1; count <= ways.length; count += 1) await send('touchStart', at(0, count));
    await vibrated;
    for (const share of [0.3, 0.6, 1]) await send('touchMove', at(share));
    await this.#page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
    await send('touchEnd', []);
  }
}

/** Resolves when the page vibrates, which confirms a long press. */
const VIBRATED = `new Promise((resolve) => {
  Object.defineProperty(navigator, 'vibrate', { configurable: true, value: () => { resolve(true); return true; } });
})`;
