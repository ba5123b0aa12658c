import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../../../errors.ts';
import { KeyForm } from '../../export/key-form.tsx';
import { projectId, reopen, startProject } from '../../keeping/autosave.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/icon.tsx';
import { say } from '../../kit/messages.ts';
import { keyWanted } from '../../service/service.ts';
import {
  deleted,
  deleteListed,
  duplicateListed,
  finishDeleting,
  type ListedProject,
  listed,
  listFault,
  openListed,
  refreshList,
  renameListed,
  undeleteListed,
} from '../../sync/project-list.ts';
import { HOST } from '../../sync/sync-state.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/projects.ts';
import { when } from './when.ts';

/** All projects, of this browser and of the service. */
export function ProjectsDialog({ onClose }: { readonly onClose: () => void }) {
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
      subtitle={listFault.value === null ? texts.inBrowserAndOn(HOST) : texts.inBrowserBecause(listFault.value)}
      onClose={onClose}
      tools={
        <button
          type="button"
          class="bt"
          onClick={() => {
            onClose();
            void startProject();
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
        <b onDblClick={() => (isRenamed.value = true)}>{name}</b>
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
  return (
    <button type="button" class="ib" aria-label={props.label} title={props.label} onClick={() => void props.run()}>
      <Icon name={props.icon} />
    </button>
  );
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

function failed(error: unknown): void {
  say(messageOf(error), 'bad');
}
