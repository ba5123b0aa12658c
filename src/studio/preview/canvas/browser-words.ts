import { listedRules, readListedWords } from '../../../paint/layout/words/listed-words.ts';
import { type SpacelessScript, spacelessStretches, type Words } from '../../../paint/layout/words/spaceless-text.ts';
import * as texts from '../../texts/en/preview.ts';

const there = new Map<SpacelessScript, Words>();

/**
 * Line breaks in scripts without spaces, by the word lists of the service: the browser's own dictionary may break lines elsewhere. A
 * list loads when a text has the script, and is awaited, because other line breaks would show another video.
 */
export const wordRules = listedRules((script) => {
  const words = there.get(script);
  if (words === undefined) throw new Error(script);
  return words;
});

/** Resolves when the lines of the texts can be broken. A list that failed to load is requested again the next time. */
export async function wordsFor(texts: Iterable<string>): Promise<void> {
  const scripts = new Set(Array.from(texts, spacelessStretches).flatMap((found) => found.map(({ script }) => script)));
  const missing = [...scripts].filter((script) => !there.has(script));
  await Promise.all(missing.map(async (script) => there.set(script, await fetchWords(script))));
}

async function fetchWords(script: SpacelessScript): Promise<Words> {
  const reply = await fetch(new URL(`../words/${script}`, location.href));
  if (!reply.ok) throw new Error(texts.noLineBreaks(script, reply.status));
  return readListedWords(new Uint8Array(await reply.arrayBuffer()), script);
}
