import { signal } from '@preact/signals';
import { render } from 'preact';
import { CopyButton } from '../export/copy-button.tsx';
import { CARD_CHECKS, type CardResult } from '../export/device-messages.ts';
import { runCard } from '../export/run-test-card.ts';
import { studioConfig, workerAddress } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { formatName } from '../kit/shown-values.ts';
import * as texts from '../texts/en/check.ts';
import { type BrowserFact, browserFacts } from './browser-facts.ts';
import { type CheckedFormat, reportOf } from './report.ts';

/** Frames a second of the test card: the usual rate of videos. */
const RATE = { num: 30, den: 1 };

const formats = signal<readonly CheckedFormat[]>([]);
const facts = signal<readonly BrowserFact[]>([]);
const isRunning = signal(true);

/** One format after the other: together they would slow each other down. */
async function run(): Promise<void> {
  isRunning.value = true;
  formats.value = [];
  facts.value = await browserFacts();
  for (const { name, width, height } of studioConfig.presets) {
    const result = await runCard({ width, height, rate: RATE }, new AbortController().signal);
    formats.value = [...formats.value, { name: formatName(name), width, height, result }];
  }
  isRunning.value = false;
}

function CheckPage() {
  return (
    <main class="check">
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      <p class="verdict" role="status">
        {isRunning.value ? texts.checking : verdict(formats.value)}
      </p>
      <Cards />
      <Facts />
      {!isRunning.value && <Report />}
      <p>
        <a href={studioConfig.home}>{texts.studio}</a>
      </p>
    </main>
  );
}

function verdict(checked: readonly CheckedFormat[]): string {
  const failed = checked.filter(({ result }) => result.encoder === null);
  if (failed.length === 0) return texts.possible;
  return failed.length === checked.length ? texts.impossible : texts.partly(failed.map(({ name }) => name).join(', '));
}

function Cards() {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={texts.card}>
      <table>
        <caption>{texts.card}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.check}</th>
            {studioConfig.presets.map(({ name, width, height }) => (
              <th key={name} scope="col">
                {formatName(name)}
                <small>
                  {width} × {height}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {CARD_CHECKS.map((check) => (
            <tr key={check}>
              <th scope="row">{texts.checkNames[check]}</th>
              {studioConfig.presets.map(({ name }, index) => (
                <Cell key={name} result={formats.value[index]?.result ?? null} check={check} />
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{texts.speed}</th>
            {studioConfig.presets.map(({ name }, index) => (
              <td key={name}>{speedWords(formats.value[index]?.result ?? null)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Cell({ result, check }: { readonly result: CardResult | null; readonly check: (typeof CARD_CHECKS)[number] }) {
  if (result === null) return <td>{texts.coming}</td>;
  const found = result.checks.find(({ name }) => name === check);
  return found === undefined ? <td>{texts.notReached}</td> : <Outcome {...found} />;
}

function Outcome({ ok, detail }: { readonly ok: boolean; readonly detail: string }) {
  return (
    <td class={ok ? 'good' : 'bad'}>
      <Icon name={ok ? 'check' : 'error'} />
      <b>{ok ? texts.passes : texts.fails}</b>
      <small>{detail}</small>
    </td>
  );
}

function speedWords(result: CardResult | null): string {
  if (result === null) return texts.coming;
  return result.encoder === null ? texts.notMeasured : texts.framesASecond(result.encoder.framesASecond.toFixed(1));
}

function Facts() {
  return (
    <table>
      <caption>{texts.browser}</caption>
      <tbody>
        {facts.value.map(({ name, ok, detail }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <Outcome ok={ok} detail={detail} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Report() {
  const about = {
    program: workerAddress('test-card-worker').split('/').at(-1)!,
    userAgent: navigator.userAgent,
    threads: navigator.hardwareConcurrency,
  };
  const text = reportOf(about, formats.value, facts.value);
  return (
    <section aria-label={texts.report}>
      <h2>{texts.report}</h2>
      <p class="q">{texts.reportUse}</p>
      <p class="check-tools">
        <CopyButton text={text} words={texts.copyReport} />
        <button type="button" class="bt" onClick={() => void run()}>
          {texts.again}
        </button>
      </p>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

render(<CheckPage />, document.getElementById('studio')!);
await run();
