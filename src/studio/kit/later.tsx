import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import * as texts from '../texts/en/page.ts';
import { lateStyle } from './assets.ts';
import { say } from './messages.ts';

/** The first load is over by then. */
const IDLE_AFTER_MS = 3000;

const parts: (() => Promise<unknown>)[] = [];

/** Registers a part that is not in the first load. It is fetched when first needed, or in idle time after the first load. */
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

/** Fetched once, before the first late part is shown. */
const fetchStyle = later(
  () =>
    new Promise<void>((resolve, reject) => {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'stylesheet', href: lateStyle, onload: () => resolve(), onerror: reject });
      document.head.append(link);
    }),
);

/** Like `later`, for a component. */
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

/** Fetches all late parts, so that the page stays complete if the service goes away. */
export function fetchTheRest(): void {
  setTimeout(() => {
    for (const fetchPart of parts) fetchPart().catch(() => {});
  }, IDLE_AFTER_MS);
}
