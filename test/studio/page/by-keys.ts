import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Where the focus is: what it is called, and whether one sees it. */
interface Focus {
  readonly tag: string;
  readonly words: string;
  /** Null where it is as it should be. */
  readonly wrong: string | null;
}

/** A user without a pointer. After every key the focus must exist and be visible. */
export class ByKeys {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses keys one after the other; each must leave a usable focus. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
      await this.#settled();
      const { wrong, tag, words } = await this.focus();
      assert.equal(wrong, null, `after ${key}: ${tag} ${words}`);
    }
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Presses `key` until the name of the focused element matches. */
  async to(words: RegExp, key = 'Tab'): Promise<void> {
    const seen: string[] = [];
    for (let steps = 0; steps < 60; steps += 1) {
      const { words: here } = await this.focus();
      if (words.test(here)) return;
      seen.push(here);
      await this.press(key);
    }
    assert.fail(`${words} is not among what ${key} leads to: ${seen.join(' | ')}`);
  }

  /** Waits for two animation frames: by then the page is drawn and the focus has moved. */
  #settled(): Promise<unknown> {
    return this.#page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }

  focus(): Promise<Focus> {
    return this.#page.evaluate(`(() => {
      const at = document.activeElement;
      const option = document.getElementById(at.getAttribute('aria-activedescendant') ?? '');
      const labelled = document.getElementById(at.getAttribute('aria-labelledby') ?? '');
      const words = option?.textContent ?? at.getAttribute('aria-label') ?? labelled?.textContent ??
        at.labels?.[0]?.textContent ?? at.textContent ?? '';
      // The timeline is drawn: its list lends the focus to the canvas.
      const shown = at.matches('.tl-list') ? document.querySelector('.tl-canvas') : at;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      const { top, bottom, left, right } = shown.getBoundingClientRect();
      const isOut = bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth;
      const wrong = at === document.body ? 'lost'
        : isOut || !shown.checkVisibility() ? 'out of sight'
        // The controls of a video are the browser's own.
        : at.matches('video') ? null
        : outlineStyle === 'none' || outlineWidth === '0px' ? 'not seen' : null;
      return { tag: at.tagName, words: words.trim(), wrong };
    })()`);
  }
}
