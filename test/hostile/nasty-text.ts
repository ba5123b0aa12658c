import assert from 'node:assert/strict';
import { formOf } from '../service/export-client.ts';

/** Quotes, line breaks, markup, marks that reorder text, controls and emoji. */
const NASTY =
  `"quoted\\" 'x'\r\nSet-Cookie: planted=1\r\n\r\n<script>alert(1)</script><img src=x onerror=alert(2)>` +
  `&amp;\u202egnp.exe\u2066\u0000\u0007\u2028\ufeff{{7*7}}\${x}%0d%0aX: y 👩‍👩‍👧 \u0301\u0301`;
/** The same, and ten kilobytes. */
const LONG = `${NASTY}${'long '.repeat(2000)}`;

/** An export in which every text is nasty: title, row, items, subtitle, file name, unknown fields. */
export function nastyForm(): FormData {
  return formOf({
    documents: {
      tier_list: {
        title: LONG,
        rows: [{ id: NASTY, label: NASTY, item_ids: [NASTY] }],
        items: [
          { id: NASTY, name: LONG },
          { id: 'b', name: '<b>&quot;</b>' },
        ],
      },
      timeline_data: {
        tier_blocks: [{ start: 0, duration: 0.5 }],
        tier_tiles: [{ tier_item_id: NASTY, position: 0.1 }],
        subtitles: [{ text: NASTY, start: 0, duration: 0.5 }],
        [NASTY]: 1,
      },
      settings: { file_name: NASTY, [`<i>${NASTY}`]: 1 },
    },
  });
}

/** A page has only scripts of the service itself, whatever the texts in it are. */
export async function assertHarmlessPage(address: string): Promise<void> {
  const reply = await fetch(address, { headers: { accept: 'text/html' } });
  const page = await reply.text();
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'|script-src 'self'/);
  assert.ok(!page.includes('<script>alert') && !page.includes('<img src=x') && !page.includes('<i>"quoted'), address);
  for (const tag of page.matchAll(/<script\b([^>]*)>([^<]*)/g))
    assert.match(`${tag[1]}|${tag[2]}`, /^ .*src="\/assets\/((studio|docs)\/)?[a-zA-Z0-9-]+\.js".*\|\s*$/);
  assert.doesNotMatch(page, /<[^>]*\son\w+=/i);
}
