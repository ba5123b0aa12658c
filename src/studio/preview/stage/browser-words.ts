import { listedRules } from '../../../paint/layout/words/listed-rules.ts';
import { readListedWords } from '../../../paint/layout/words/listed-words.ts';
import { type SpacelessScript, spacelessStretches, type Words } from '../../../paint/layout/words/spaceless-script.ts';
import * as texts from '../../texts/en/preview.ts';

const there = new Map<SpacelessScript, Words>();

/**
 * How lines end in scripts without spaces: by the words of the service, since what the browser itself would go by is another's dictionary. They come when
 * a text has the script, as its font does, but are waited for: a preview that breaks its lines elsewhere would be one of another video.
 */
export const rules = listedRules((script) => {
  const words = there.get(script);
  if (words === undefined) throw new Error(script);
  return words;
});

/** Settles when lines of the texts can be broken. What did not come is asked for again the next time. */
export async function wordsFor(texts: Iterable<string>): Promise<void> {
  const scripts = new Set(Array.from(texts, spacelessStretches).flatMap((found) => found.map(({ script }) => script)));
  const missing = [...scripts].filter((script) => !there.has(script));
  await Promise.all(missing.map(async (script) => there.set(script, await fetchWords(script))));
}

async function fetchWords(script: SpacelessScript): Promise<Words> {
  const reply = await fetch(`/assets/words/${script}`);
  if (!reply.ok) throw new Error(texts.noLineBreaks(script, reply.status));
  return readListedWords(new Uint8Array(await reply.arrayBuffer()), script);
}
