import { Canary } from '../../test/hostile/canary.ts';
import { internalAddresses } from '../../test/hostile/requests/internal-addresses.ts';
import { post } from '../../test/service/export-client.ts';
import type { RemoteAttack } from './attack.ts';
import { smallForm } from './small-export.ts';

/** Webhooks and media at addresses that lead inside. */
export const addressForms: RemoteAttack = {
  name: 'address-forms',
  rule: 'H20',
  needs: 'key',
  async run(target) {
    await using canary = await Canary.open();
    const addresses = internalAddresses(canary.port);
    const fields = addresses.flatMap((address) => [{ callback_url: address }, { media_urls: { clip: address } }]);
    for (const field of fields) {
      const timeline_data = { videos: [{ file_field: 'clip', start: 0, duration: 0.1 }] };
      const form = smallForm('media_urls' in field ? { timeline_data, ...field } : field);
      const reply = await post(target, form, { ...target.ann, prefer: 'wait=20' });
      await reply.arrayBuffer();
      if (reply.ok) return { held: false, figure: `${JSON.stringify(field)} is answered ${reply.status}` };
    }
    const { visits } = canary;
    return { held: visits.length === 0, figure: `${fields.length} addresses refused, ${visits.length} connections` };
  },
};
