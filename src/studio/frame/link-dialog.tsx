import { Dialog } from '../kit/dialog.tsx';
import { megabytes } from '../kit/shown-values.ts';
import { link } from '../sync/open-link.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';

/** Asks before a file of another site is fetched, then shows how much of it is here. */
export function LinkDialog() {
  if (link.value === null) return null;
  const { url, fetched, accept, cancel } = link.value;
  return (
    <Dialog
      title={fetched === null ? texts.linkTitle(url.host) : texts.linkOpens(url.host)}
      class="small-dialog"
      onClose={cancel}
    >
      <p class="link-address">{url.href}</p>
      {fetched === null ? (
        <p>{texts.linkMore(url.host)}</p>
      ) : (
        <>
          <progress
            aria-label={texts.linkOpens(url.host)}
            max={fetched.of ?? 1}
            value={fetched.of === null ? undefined : fetched.bytes}
          />
          <p class="q">
            {texts.linkFetched(megabytes(fetched.bytes), fetched.of === null ? null : megabytes(fetched.of))}
          </p>
        </>
      )}
      <div class="ea-row">
        {accept !== undefined && (
          <button type="button" class="bt prim" onClick={accept}>
            {texts.openLinked}
          </button>
        )}
        <button type="button" class="bt" onClick={cancel}>
          {page.cancel}
        </button>
      </div>
    </Dialog>
  );
}
