import { useSignal } from '@preact/signals';
import { requestFields } from '../document/video-request.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { exported } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import * as page from '../texts/en/page.ts';
import { isTakenByYouTube } from './chapter-lengths.ts';
import { curlCommand } from './curl-command.ts';

/** Chapters in YouTube's format. (C28) */
export function Chapters({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return null;
  const lines = text.split('\n').map((line) => /^(\S+)\s+(.*)$/.exec(line) ?? [line, '', line]);
  return (
    <section class="cp" aria-label={texts.chapters}>
      <div class="cph">
        <h2>
          {texts.chapters} <small class="q">{texts.chaptersUse}</small>
        </h2>
        <CopyButton text={text} words={page.copy} />
      </div>
      {!isTakenByYouTube(text) && <p class="chn">{texts.chaptersIgnored}</p>}
      <ul class="chs" tabIndex={0} aria-label={texts.chapterList}>
        {lines.slice(0, 60).map(([line, time, name]) => (
          <li key={line}>
            <span class="num">{time}</span>
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The request of this export. */
export function Curl() {
  const { value: project } = exported;
  if (project === null) return null;
  const command = curlCommand(location.origin, requestFields(project), studioConfig.needsKey);
  return (
    <section class="cp" aria-label={texts.sameByApi}>
      <div class="cph">
        <h2>{texts.sameByApi}</h2>
        <CopyButton text={command} words={texts.copyCurl} />
      </div>
      <pre tabIndex={0}>
        {command
          .split('\n')
          .map((line) => (line.length > 62 ? `${line.slice(0, 52)} …' \\` : line))
          .join('\n')}
      </pre>
    </section>
  );
}

function CopyButton({ text, words }: { readonly text: string; readonly words: string }) {
  const copied = useSignal(false);
  return (
    <button
      type="button"
      class={`bt plain ${copied.value ? 'ok' : ''}`}
      onClick={async () => {
        copied.value = await copy(text);
      }}
    >
      <Icon name={copied.value ? 'check' : 'copy'} />
      {copied.value ? texts.copied : words}
    </button>
  );
}

/** Insecure origins have no clipboard API; `execCommand` still works there. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
