import { useEffect } from 'preact/hooks';
import { messageOf } from '../../../errors.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/icon.tsx';
import { say } from '../../kit/messages.ts';
import { addLink, refreshLinks, revokeLink, type ShareLink, shareLinks } from '../../sync/share-links.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/projects.ts';
import { when } from './when.ts';

/** Links that let others view the project. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => {
    shareLinks.value = null;
    refreshLinks().catch(failed);
  }, []);
  const links = shareLinks.value ?? [];
  return (
    <Dialog title={texts.shareThis} subtitle={texts.shareThisMore} class="small-dialog" onClose={onClose}>
      <ul class="links">
        {links.map((link) => (
          <LinkLine key={link.id} link={link} />
        ))}
      </ul>
      <button type="button" class="bt prim" onClick={() => void addLink().catch(failed)}>
        <Icon name="plus" />
        {texts.newLink}
      </button>
    </Dialog>
  );
}

function LinkLine({ link: { id, atMs, url } }: { readonly link: ShareLink }) {
  return (
    <li>
      {url === null ? (
        <span class="q">{texts.linkMadeElsewhere(when(atMs))}</span>
      ) : (
        <>
          <input
            readOnly
            aria-label={texts.linkMade(when(atMs))}
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button
            type="button"
            class="bt"
            onClick={() =>
              navigator.clipboard?.writeText(url).then(
                () => say(texts.linkCopied),
                () => say(texts.cannotCopy, 'bad'),
              )
            }
          >
            <Icon name="copy" />
            {page.copy}
          </button>
        </>
      )}
      <button type="button" class="bt" onClick={() => void revokeLink(id).catch(failed)}>
        {texts.revoke}
      </button>
    </li>
  );
}

function failed(error: unknown): void {
  say(messageOf(error), 'bad');
}
