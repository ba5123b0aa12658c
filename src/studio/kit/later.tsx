import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import * as texts from '../texts/en/page.ts';
import { lateStyle } from './assets.ts';
import { say } from './messages.ts';

/** By then the page stands, and has nothing better to do. */
const AT_LEISURE_MS = 3000;

const parts: (() => Promise<unknown>)[] = [];

/** What is no part of the first load: fetched when it is first wanted, or at leisure once the page stands. */
export function later<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  const fetchIt = (): Promise<T> => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  parts.push(fetchIt);
  return fetchIt;
}

/** Once, before the first of what it is for is shown. */
const fetchStyle = later(
  () =>
    new Promise<void>((resolve, reject) => {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'stylesheet', href: lateStyle, onload: () => resolve(), onerror: reject });
      document.head.append(link);
    }),
);

/** The same for something that is seen. */
export function shownLater<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const loaded = signal<{ readonly Part: ComponentType<P> } | null>(null);
  const fetchIt = later(async () => {
    const [Part] = await Promise.all([load(), fetchStyle()]);
    loaded.value = { Part };
  });
  return function ShownLater(props: P) {
    if (loaded.value !== null) return <loaded.value.Part {...props} />;
    fetchIt().catch(() => say(texts.partNotLoaded, 'bad'));
    return null;
  };
}

/** From here on the rest is fetched too, so that a service that goes away takes nothing of the page with it. */
export function fetchTheRest(): void {
  setTimeout(() => {
    for (const fetchPart of parts) fetchPart().catch(() => {});
  }, AT_LEISURE_MS);
}
