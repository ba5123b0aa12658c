import { assertHarmlessPage, nastyForm } from '../../test/hostile/nasty-text.ts';
import { metadataOf, post } from '../../test/service/export-client.ts';
import type { RemoteAttack } from './attack.ts';
import { exchange } from './wire.ts';

/** Markup, line breaks and controls as title, names and file name: in pages and in headers. */
export const hostileNames: RemoteAttack = {
  name: 'hostile-names',
  rule: 'H17',
  needs: 'key',
  async run(target, signal) {
    const made = await metadataOf(await post(target, nastyForm(), target.ann), 201);
    const pages = [`/video/exports/${made.export_id}`, '/', '/docs', '/studio'];
    for (const path of pages) await assertHarmlessPage(`${target.base}${path}`);
    const path = made.download_url.replace(/^https?:\/\/[^/]*/, '');
    const text = await exchange(
      target,
      `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      signal,
    );
    const planted = /^(set-cookie|x):/im.test(text);
    return {
      held: !planted,
      figure: planted ? 'a title adds a header' : `${pages.length} pages, no script; no header`,
    };
  },
};
