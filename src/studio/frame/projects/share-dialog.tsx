import { useEffect } from 'preact/hooks';
import { Dialog } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/icon.tsx';
import { say } from '../../kit/messages.ts';
import { addLink, refreshLinks, revokeLink, type ShareLink, shareLinks } from '../../sync/share-links.ts';
import { when } from './when.ts';

/** Links that let others look at the project. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => {
    shareLinks.value = null;
    refreshLinks().catch(failed);
  }, []);
  const links = shareLinks.value ?? [];
  return (
    <Dialog
      title="Share this project"
      subtitle="Anyone with a link can look at the project with its media, and make a copy. Nobody can change it."
      class="small-dialog"
      onClose={onClose}
    >
      <ul class="links">
        {links.map((link) => (
          <LinkLine key={link.id} link={link} />
        ))}
      </ul>
      <button type="button" class="bt prim" onClick={() => void addLink().catch(failed)}>
        <Icon name="plus" />
        New link
      </button>
    </Dialog>
  );
}

function LinkLine({ link: { id, atMs, url } }: { readonly link: ShareLink }) {
  return (
    <li>
      {url === null ? (
        <span class="q">Made {when(atMs)} in another browser, which has its address</span>
      ) : (
        <>
          <input
            readOnly
            aria-label={`Link made ${when(atMs)}`}
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button
            type="button"
            class="bt"
            onClick={() =>
              navigator.clipboard?.writeText(url).then(
                () => say('The link is copied.'),
                () => say('This browser does not copy for pages: select the link and copy it.', 'bad'),
              )
            }
          >
            <Icon name="copy" />
            Copy
          </button>
        </>
      )}
      <button type="button" class="bt" onClick={() => void revokeLink(id).catch(failed)}>
        Revoke
      </button>
    </li>
  );
}

function failed(error: unknown): void {
  say(error instanceof Error ? error.message : String(error), 'bad');
}
