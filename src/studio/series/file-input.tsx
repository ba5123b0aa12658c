import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { kindOf } from '../document/field-places.ts';
import { chooseFiles, droppedFiles, MEDIA_FILES } from '../files/take-files.ts';
import { projectId } from '../keeping/autosave.ts';
import { Icon } from '../kit/icon.tsx';
import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { Thumb } from '../media/thumb.tsx';
import { edit, project } from '../session/session.ts';
import * as texts from '../texts/en/series.ts';

const importer = later(() => import('../media/import-files.ts'));

const ACCEPTED = { picture: 'image/*', video: 'video/*', sound: 'audio/*' } as const;

/** The file of a field: chosen, dropped, or left out. */
export function FileInput({ field, labelled }: { readonly field: TemplateField; readonly labelled: string }) {
  const { name, label, kind, required } = field;
  const entry = project.value.studio.media[name];
  const words = label ?? name;
  const choose = () => chooseFiles(kind === null ? MEDIA_FILES : ACCEPTED[kind], (files) => take(field, files));
  return (
    <div
      class="ef-file"
      role="group"
      aria-labelledby={labelled}
      onDragOver={(event) => event.preventDefault()}
      onDrop={async (event) => {
        event.preventDefault();
        event.stopPropagation();
        if (event.dataTransfer !== null) await take(field, await droppedFiles(event.dataTransfer));
      }}
    >
      {entry === undefined ? (
        <button type="button" class="ef-drop" onClick={choose}>
          <Icon name={kind === 'sound' ? 'sound' : kind === 'video' ? 'film' : 'picture'} />
          {texts.dropFile}
        </button>
      ) : (
        <>
          <span class="ef-thumb">
            <Thumb entry={entry} />
          </span>
          <span class="ef-name">{entry.name}</span>
          <button type="button" class="bt" onClick={choose}>
            {texts.replaceFile}
          </button>
          {!required && (
            <button
              type="button"
              class="bt"
              onClick={() =>
                edit(texts.setValue(words), (draft) => {
                  delete draft.media[name];
                  delete draft.studio.media[name];
                })
              }
            >
              {texts.removeFile}
            </button>
          )}
        </>
      )}
    </div>
  );
}

async function take({ name, label, kind }: TemplateField, [file]: readonly File[]): Promise<void> {
  if (file === undefined) return;
  const of = projectId.value;
  const entry = await (await importer()).takeIn(file);
  if (projectId.value !== of) return;
  if (typeof entry === 'string') {
    say(entry, 'bad');
    return;
  }
  const found = kindOf(entry);
  if (kind !== null && found !== null && found !== kind) {
    say(texts.wrongKind(file.name, texts.kinds[kind]), 'bad');
    return;
  }
  edit(texts.setValue(label ?? name), (draft) => {
    const ending = /\.\w+$/.exec(file.name)?.[0] ?? '';
    draft.media[name] = `media/${name.replace(/[^\w-]/g, '_')}${ending.toLowerCase()}`;
    draft.studio.media[name] = entry;
  });
}
