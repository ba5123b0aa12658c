import { metadataOf, post } from '../../test/service/export-client.ts';
import type { RemoteAttack } from './attack.ts';
import { smallForm } from './small-export.ts';

const BEYOND_LIMIT = 50;
/** A render of this length is not finished when the streams are open. */
const SECONDS = 600;

/** Event streams of one tenant that stay open. */
export const openWaits: RemoteAttack = {
  name: 'open-waits',
  rule: 'H61',
  needs: 'key',
  async run(target, signal) {
    const limits = await fetch(`${target.base}/limits`, { signal });
    const { max_open_waits: max } = (await limits.json()) as { max_open_waits: number };
    const form = smallForm({ timeline_data: { subtitles: [{ text: 'x', start: 0, duration: SECONDS }] } });
    const { export_id: id } = await metadataOf(
      await post(target, form, { ...target.ann, prefer: 'respond-async' }),
      202,
    );
    const url = `${target.base}/video/exports/${id}`;
    const end = new AbortController();
    const either = AbortSignal.any([signal, end.signal]);
    try {
      const replies = await Promise.all(
        Array.from({ length: max + BEYOND_LIMIT }, () =>
          fetch(`${url}/events`, { headers: target.ann, signal: either }),
        ),
      );
      const open = replies.filter(({ status }) => status === 200).length;
      const refused = replies.filter(({ status, headers }) => status === 429 && headers.has('retry-after')).length;
      const figure = `${open} of ${replies.length} event streams are open, ${refused} get 429; ${max} are allowed`;
      return { held: open <= max && open + refused === replies.length, figure };
    } finally {
      end.abort();
      await fetch(url, { method: 'DELETE', headers: target.ann });
    }
  },
};
