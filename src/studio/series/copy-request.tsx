import { programRequest, REQUEST_LANGUAGES, type RequestLanguage } from '../document/program-request.ts';
import { projectId } from '../keeping/autosave.ts';
import { readProject } from '../keeping/project-store.ts';
import { studioConfig } from '../kit/assets.ts';
import { copyText } from '../kit/copy-text.ts';
import { Icon } from '../kit/icon.tsx';
import { Menu, MenuItem } from '../kit/menu.tsx';
import { say } from '../kit/messages.ts';
import { decided } from '../session/session.ts';
import { keepOnService } from '../sync/start-sync.ts';
import { HOST, syncState } from '../sync/sync-state.ts';
import { languages } from '../texts/en/program-request.ts';
import * as texts from '../texts/en/series.ts';

/** Copies a program that makes a video of the open template. The service must have the template, so it is kept there too. */
export function CopyRequest() {
  return (
    <Menu
      class="bt wide"
      button={
        <>
          <Icon name="copy" />
          {texts.copyRequest}
        </>
      }
    >
      <p class="menu-title">{syncState.value === null ? texts.requestKeeps(HOST) : texts.requestOf(HOST)}</p>
      {REQUEST_LANGUAGES.map((language) => (
        <MenuItem key={language} onClick={() => void copyRequest(language)}>
          {languages[language]}
        </MenuItem>
      ))}
    </Menu>
  );
}

async function copyRequest(language: RequestLanguage): Promise<void> {
  const of = projectId.value;
  if (syncState.value === null) await keepOnService();
  const id = (await readProject(of))?.remote?.id;
  // Without storage in this browser, nothing can be kept elsewhere.
  if (id === undefined || projectId.value !== of) return say(texts.requestNotCopied, 'bad');
  const needsKey = studioConfig.service?.needsKey === true;
  const text = programRequest(language, decided.value, { origin: location.origin, id, needsKey });
  if (await copyText(text)) say(texts.requestCopied(languages[language]));
  else say(texts.requestNotCopied, 'bad');
}
