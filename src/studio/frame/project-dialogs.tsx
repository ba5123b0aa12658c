import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../errors.ts';
import type { Project } from '../document/project.ts';
import { titleOf } from '../document/template.ts';
import { compareProjects } from '../document/versions.ts';
import { KeyForm } from '../export/key-form.tsx';
import { projectId, reopen, startProject } from '../keeping/autosave.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Icon, IconButton } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { when } from '../kit/shown-values.ts';
import { hasService, keyWanted } from '../session/service-state.ts';
import { decided } from '../session/session.ts';
import {
  addLink,
  deleted,
  deleteListed,
  duplicateListed,
  finishDeleting,
  type ListedProject,
  listed,
  listFault,
  openListed,
  refreshLinks,
  refreshList,
  renameListed,
  revokeLink,
  type ShareLink,
  shareLinks,
  undeleteListed,
} from '../sync/project-list.ts';
import { drawPicture } from '../sync/project-picture.ts';
import { keepBoth, keepMine, keepTheirs } from '../sync/start-sync.ts';
import { asked, HOST, syncState } from '../sync/sync-state.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';
import { KeepDialog, LeaveDialog } from './keep-dialogs.tsx';
import { LinkDialog } from './link-dialog.tsx';

const DIALOGS = {
  projects: ProjectsDialog,
  keep: KeepDialog,
  leave: LeaveDialog,
  conflict: ConflictDialog,
  share: ShareDialog,
  link: LinkDialog,
};

/** The dialogs about projects, one at a time. */
export function ProjectDialogs() {
  if (asked.value === null) return null;
  const Asked = DIALOGS[asked.value];
  return <Asked onClose={close} />;
}

function close(): void {
  asked.value = null;
}

/** Links that let others view the project. */
function ShareDialog({ onClose }: { readonly onClose: () => void }) {
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

/** Shows both versions of a project that was changed in two places, and lets the user choose. */
function ConflictDialog({ onClose }: { readonly onClose: () => void }) {
  const { value: state } = syncState;
  if (state?.step !== 'conflict') return null;
  const { theirs } = state;
  const parts = compareProjects(decided.value, theirs.project).map(({ part, count }) =>
    texts.differentParts[part](count),
  );
  return (
    <Dialog title={texts.twoVersionsOfThis} subtitle={texts.changedTwice} class="small-dialog" onClose={onClose}>
      <p>{texts.different(parts)}</p>
      <div class="versions-two">
        <Version name={texts.inThisBrowser} project={decided.value} facts={texts.versionOpen}>
          <button type="button" class="bt prim" onClick={() => void keepMine()}>
            {texts.keepThis}
          </button>
        </Version>
        <Version
          name={texts.versionOn(HOST)}
          project={theirs.project}
          facts={(items) => texts.versionSaved(items, when(theirs.savedAtMs))}
        >
          <button type="button" class="bt" onClick={() => void keepTheirs()}>
            {texts.keepTheirs(HOST)}
          </button>
        </Version>
      </div>
      <div class="ea-row">
        <button type="button" class="bt" onClick={() => void keepBoth()}>
          {texts.keepBoth}
        </button>
      </div>
    </Dialog>
  );
}

function Version(props: {
  readonly name: string;
  readonly project: Project;
  readonly facts: (items: string) => string;
  readonly children: ComponentChildren;
}) {
  const { name, project, facts, children } = props;
  const title = titleOf(project) ?? page.untitled;
  return (
    <section class="pj" aria-label={name}>
      <Picture of={project} />
      <b>{name}</b>
      <span>{title}</span>
      <small class="q">{facts(texts.items(project.tier_list.items.length))}</small>
      {children}
    </section>
  );
}

function Picture({ of }: { readonly of: Project }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let drawn: string | null = null;
    void drawPicture(of).then((picture) => {
      drawn = picture && URL.createObjectURL(picture);
      setUrl(drawn);
    });
    return () => {
      if (drawn !== null) URL.revokeObjectURL(drawn);
    };
  }, [of]);
  return url === null ? <span class="pj-picture" /> : <img class="pj-picture" src={url} alt="" />;
}

/** All projects, of this browser and of the service. */
function ProjectsDialog({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => {
    void refreshList();
    const finish = () => void finishDeleting().catch(failed);
    addEventListener('pagehide', finish);
    return () => {
      removeEventListener('pagehide', finish);
      finish();
    };
  }, []);
  return (
    <Dialog
      title={texts.projects}
      subtitle={whereListed()}
      onClose={onClose}
      tools={
        <button
          type="button"
          class="bt"
          onClick={() => {
            onClose();
            void startProject().then(() => focusSoon('.start'));
          }}
        >
          <Icon name="plus" />
          {texts.newProject}
        </button>
      }
    >
      {keyWanted.value && <KeyForm />}
      <p class="pj-deleted" role="status">
        {deleted.value !== null && (
          <>
            {texts.deleted(deleted.value.name)}
            <button type="button" class="bt" onClick={() => void undeleteListed()}>
              <Icon name="undo" />
              {page.undo}
            </button>
          </>
        )}
      </p>
      <ul class="pj-grid">
        {listed.value.map((project) => (
          <ProjectCard key={project.key} project={project} onClose={onClose} />
        ))}
      </ul>
    </Dialog>
  );
}

function whereListed(): string {
  if (!hasService) return texts.inThisBrowser;
  return listFault.value === null ? texts.inBrowserAndOn(HOST) : texts.inBrowserBecause(listFault.value);
}

function ProjectCard({ project, onClose }: { readonly project: ListedProject; readonly onClose: () => void }) {
  const { name, atMs, here, stored } = project;
  const place = here?.remote != null || stored !== null ? texts.keptOn(HOST) : page.staysInBrowser;
  const isOpen = here !== null && here.id === projectId.value;
  const isRenamed = useSignal(false);
  const open = () => {
    onClose();
    if (!isOpen) openListed(project, reopen).catch(failed);
  };
  return (
    <li class="pj" data-open={isOpen}>
      <button type="button" class="pj-open" aria-label={texts.openProject(name)} onClick={open}>
        <CardPicture project={project} />
      </button>
      {isRenamed.value ? (
        <NameField
          name={name}
          onDone={(next) => {
            isRenamed.value = false;
            if (next !== null && next !== name) renameListed(project, next).catch(failed);
          }}
        />
      ) : (
        <b>{name}</b>
      )}
      <small class="q">{isOpen ? texts.openNow : when(atMs)}</small>
      <small class="q">{here === null ? texts.notOpenedHere(place) : place}</small>
      <div class="pj-tools">
        <Tool icon="pen" label={texts.renameListed(name)} run={() => (isRenamed.value = true)} />
        <Tool icon="copy" label={texts.duplicateListed(name)} run={() => duplicateListed(project).catch(failed)} />
        {!isOpen && (
          <Tool icon="trash" label={texts.deleteListed(name)} run={() => deleteListed(project).catch(failed)} />
        )}
      </div>
    </li>
  );
}

function Tool(props: { readonly icon: 'pen' | 'copy' | 'trash'; readonly label: string; readonly run: () => unknown }) {
  return <IconButton icon={props.icon} label={props.label} title={props.label} onClick={() => void props.run()} />;
}

/** Enter and blur save the name, Escape cancels. */
function NameField({ name, onDone }: { readonly name: string; readonly onDone: (name: string | null) => void }) {
  return (
    <input
      class="pj-name"
      aria-label={texts.projectName}
      maxLength={200}
      defaultValue={name}
      ref={(field) => {
        if (field !== null && document.activeElement !== field) field.select();
      }}
      onBlur={(event) => onDone(event.currentTarget.value.trim() || null)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onDone(null);
      }}
    />
  );
}

function CardPicture({ project: { here, stored } }: { readonly project: ListedProject }) {
  const url = useSignal<string | null>(stored?.links.thumbnail ?? null);
  const picture = here?.picture;
  useEffect(() => {
    if (picture === undefined) return;
    url.value = URL.createObjectURL(picture);
    return () => URL.revokeObjectURL(url.value!);
  }, [picture]);
  return url.value === null ? <span class="pj-picture" /> : <img class="pj-picture" src={url.value} alt="" />;
}
