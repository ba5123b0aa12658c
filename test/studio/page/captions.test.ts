import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { noModel, TEST_MODELS } from '../../fixtures/caption-model.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { ServiceFixture, SMALL_PRESETS } from '../../service/service-fixture.ts';
import { axeFaults, completed } from './shell-page.ts';
import { type LastPlan, StudioPage } from './studio-page.ts';

const SNACKS = join(import.meta.dirname, '..', '..', '..', 'examples', 'snacks');
const { tier_list } = JSON.parse(readFileSync(join(SNACKS, 'project.json'), 'utf8'));
const JFK = join(REAL_MEDIA, 'speech', 'jfk.flac');
const hasSpeech = existsSync(JFK) && noModel === false;

/** The preview shows the first preset, whatever its name. */
const RENAMED_PRESETS = JSON.stringify(SMALL_PRESETS.map((preset, at) => ({ ...preset, name: `format_${at + 1}` })));
const PICTURES = Object.fromEntries(
  ['popcorn', 'pretzel', 'celery'].map((name) => [name, join(SNACKS, `${name}.svg`)]),
);

interface Line {
  readonly text: string;
  readonly start: number;
  readonly duration: number;
  readonly words: readonly { readonly text: string; readonly start: number; readonly confidence?: number }[];
}
const linesOf = ({ documents }: LastPlan) => documents.timeline_data.subtitles as unknown as readonly Line[];
const startsOf = (plan: LastPlan) => linesOf(plan).flatMap(({ words }) => words.map(({ start }) => start));

/** A possible result of a recogniser, if there is none: it is returned over the same request. */
async function answerWith(page: Page): Promise<void> {
  const word = (text: string, start: number, confidence = 0.9) => ({ text, start, end: start + 0.2, confidence });
  const segments = [
    { start: 0.2, end: 1.2, text: '', words: [word('Hello', 0.2), word('there', 0.5, 0.3), word('you.', 0.9)] },
    { start: 1.5, end: 2.2, text: '', words: [word('And', 1.5), word('bye.', 1.9)] },
  ];
  const captions_id = '7d0c2f5e-4f0b-4f0e-9a55-0f6d8f1f2a3b';
  const warnings = [{ path: '/language', code: 'captions.language_unclear', message: 'Unsure.' }];
  const known = { captions_id, state: 'completed', progress: 1, language: 'en', duration: 3 };
  const body = { ok: true, ...known, segments, warnings };
  await page.route('**/video/captions', (route) => route.fulfill({ status: 201, json: body }));
}

describe('captions in the studio', { skip: noBrowser }, () => {
  let service: ServiceFixture;
  let browser: Browser;
  let voice: string;

  before(async () => {
    const settings = { TIERCUT_PRESETS: RENAMED_PRESETS, ...(hasSpeech && { TIERCUT_MODELS_DIR: TEST_MODELS }) };
    [service, browser] = await Promise.all([ServiceFixture.start(settings), launchBrowser()]);
    voice = hasSpeech ? JFK : (await makeClip({ frames: 90, width: 160, height: 90, sound: { seconds: 3 } })).file;
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('[C77] speech becomes lines of words in one step; keys correct, split and join them', async (t) => {
    t.diagnostic(hasSpeech ? 'with a speech model' : 'without a speech model: its result is injected');
    // A language that was chosen on another service.
    const studio = await StudioPage.open(browser, service.base, (page) =>
      page.addInitScript(`
        localStorage.setItem('tiercut-captions-language', '"de"');
        localStorage.setItem('tiercut-captions-speed', '0.001');
      `),
    );
    const { page } = studio;
    const files = { voice, ...PICTURES };
    const timeline_data = {
      soundtracks: [{ id: 'v', file_field: 'voice', role: 'voice', start: 0, duration: hasSpeech ? 11 : 3 }],
      tier_blocks: [{ id: 'b', start: 0, duration: 12 }],
    };
    await studio.openProject({ tier_list, timeline_data, files, settings: { fps: 30 } });
    await studio.lastPlan();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Captions from speech …' }).click();
    const panel = page.getByRole('complementary', { name: 'Captions' });
    const start = panel.getByRole('button', { name: 'Create captions' });
    const language = panel.getByLabel('Language');
    if (!hasSpeech) await installModel(page, panel);
    assert.equal(await language.inputValue(), 'de');
    await start.click();
    await panel
      .getByRole('alert')
      .getByText(hasSpeech ? 'for German' : 'tiercut captions install')
      .waitFor();
    if (!hasSpeech) await answerWith(page);
    await language.selectOption(hasSpeech ? 'English' : 'Automatic');
    // Until the service answers, there is the time that it took before.
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/video/captions', (route) => answered.then(() => route.fallback()), { times: 1 });
    const asked = page.waitForRequest('**/video/captions');
    await start.click();
    await panel.getByText(/^About \d+ min left\.$/).waitFor();
    answer();
    assert.match((await asked).postData()!, hasSpeech ? /"language":"en"/ : /"language":"auto"/);
    assert.equal(await page.evaluate('localStorage.getItem("tiercut-captions-language")'), hasSpeech ? '"en"' : null);
    const words = panel.locator('.captions-word');
    // A busy machine takes its time to load the model.
    await completed(page, words.first());
    const heard = await studio.planWhere((plan) => linesOf(plan).length > 0);
    const times = startsOf(heard);
    assert.equal(await words.count(), times.length);

    if (!hasSpeech) await panel.getByRole('alert').getByText('may be invented').waitFor();
    if (hasSpeech) {
      // An error goes when the language is corrected; the choice stays open.
      const problem = { code: 'captions.no_language', detail: 'No model.' };
      await page.route('**/video/captions', (route) => route.fulfill({ status: 422, json: problem }), { times: 1 });
      const again = panel.locator('summary');
      await again.click();
      await start.click();
      await panel.getByRole('alert').getByText('for English').waitFor();
      await language.selectOption('Automatic');
      await panel.getByText('for English').waitFor({ state: 'detached' });
      assert.ok(await start.isVisible());
      await again.click();
    }

    // A search goes to the words that it finds; Escape puts the caret there.
    await page.keyboard.press('Control+f');
    await page.keyboard.type((await words.nth(2).inputValue()).toUpperCase());
    await panel.getByText(/^1 of /).waitFor();
    await studio.seesFrame(Math.round(times[2]! * 30));
    assert.equal(await panel.locator('.captions-word.shown').inputValue(), await words.nth(2).inputValue());
    assert.deepEqual(await axeFaults(page), []);
    await page.keyboard.press('Escape');
    await page.waitForFunction('document.activeElement === document.querySelectorAll(".captions-word")[2]');

    // A click goes to the word; what is typed replaces it.
    await words.nth(1).click();
    await studio.seesFrame(Math.round(times[1]! * 30));
    const lines = linesOf(heard).length;
    const textsOf = (plan: LastPlan) => linesOf(plan).flatMap((line) => line.words.map(({ text }) => text));
    // It is kept while it is typed, as one word until the field is left, and all of it is one step.
    await words.nth(1).fill('not right');
    const reads = async (index: number, text: string | undefined): Promise<void> => {
      assert.equal(textsOf(await studio.planWhere((plan) => textsOf(plan)[index] === text))[index], text);
    };
    await reads(1, 'not right');
    assert.equal(
      await page.evaluate('document.activeElement === document.querySelectorAll(".captions-word")[1]'),
      true,
    );
    assert.equal(await words.count(), times.length);
    await words.nth(1).fill('');
    await words.nth(1).press('x');
    await reads(1, 'x');
    await words.nth(1).fill('not right');
    await words.nth(2).focus();
    await reads(2, 'right');
    await page.keyboard.press('Control+z');
    await reads(1, textsOf(heard)[1]);
    await words.nth(1).fill('corrected');
    await words.nth(1).press('Enter');
    const split = await studio.planWhere((plan) => linesOf(plan).length === lines + 1);
    assert.deepEqual(startsOf(split), times, 'times of words stay');
    assert.ok(linesOf(split).some(({ text }) => text.endsWith('corrected')));
    await page.keyboard.press('Backspace');
    const joined = await studio.planWhere((plan) => linesOf(plan).length === lines);
    assert.deepEqual(startsOf(joined), times);

    const unsure = panel.locator('.captions-word.unsure');
    const toCheck = await unsure.count();
    if (toCheck > 0) {
      await panel.getByRole('button', { name: /to check/ }).click();
      await panel.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForFunction(`document.querySelectorAll('.captions-word.unsure').length === ${toCheck - 1}`);
    }
    const styleOf = ({ documents }: LastPlan) =>
      (documents as { readonly settings?: { readonly subtitle_style?: string } }).settings?.subtitle_style;
    await page.getByRole('radio', { name: 'Pop' }).click();
    await studio.planWhere((plan) => styleOf(plan) === 'pop');
    // A style is shown while the mouse is on it; the chosen one stays.
    await page.getByRole('radio', { name: 'Shout' }).hover();
    await studio.planWhere((plan) => styleOf(plan) === 'shout');
    assert.ok(await page.getByRole('radio', { name: 'Pop' }).isChecked());
    await page.mouse.move(900, 300);
    await studio.planWhere((plan) => styleOf(plan) === 'pop');

    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('[data-drawer="details"]:visible').click();
    await words.first().waitFor();
    assert.deepEqual(await axeFaults(page), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is cut off');
    const [picture, sheet] = [await page.locator('.pv-canvas').boundingBox(), await panel.boundingBox()];
    assert.deepEqual([sheet!.width, sheet!.y], [390, picture!.y + picture!.height], 'the picture stays visible');

    // Another project ends a transcription: its words belong to the one before.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.route('**/video/captions', () => {});
    const again = page.waitForRequest('**/video/captions');
    await panel.locator('summary').click();
    await start.click();
    await again;
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/video/captions'));
    await page.locator('.pname').click();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.locator('.first').waitFor();
    await ended;
    await page.close();
  });

  test('[C55, C60, C62] a title, a style of one caption and confetti of a row are set in the inspector', async () => {
    const studio = await StudioPage.open(browser, service.base);
    const { page } = studio;
    const timeline_data = {
      tier_blocks: [{ id: 'b', start: 0, duration: 8 }],
      tier_tiles: [{ id: 't', tier_item_id: 'popcorn', position: 2 }],
    };
    await studio.openProject({ tier_list, timeline_data, files: PICTURES, settings: { fps: 30 } });
    const details = page.getByRole('complementary', { name: 'Details' });
    const add = async (name: RegExp) => {
      await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Add' }).click();
      await page.getByRole('button', { name }).click();
    };
    const first = ({ plans }: LastPlan) => plans.format_1;

    await add(/^Title at the playhead/);
    await details.getByLabel('Text', { exact: true }).fill('Every snack');
    await page.keyboard.press('Tab');
    await details.getByLabel('Kind', { exact: true }).selectOption('lower_third');
    const titled = await studio.planWhere((plan) => first(plan)?.painted.title[0]?.kind === 'lower_third');
    assert.equal(first(titled)?.painted.title[0]?.text, 'Every snack');

    await add(/^Subtitle at the playhead/);
    await details.getByLabel('Text', { exact: true }).fill('So good');
    await page.keyboard.press('Tab');
    await details.locator('summary', { hasText: 'Style' }).click();
    await details.getByLabel('Based on', { exact: true }).selectOption('shout');
    const styled = await studio.planWhere((plan) => first(plan)?.painted.subtitle[0]?.text === 'SO GOOD');
    assert.equal(first(styled)?.painted.subtitle[0]?.text, 'SO GOOD');

    const confetti = ({ documents }: LastPlan) =>
      (documents as { readonly settings?: { readonly effects?: object } }).settings?.effects;
    await page.getByRole('radio', { name: 'Board' }).click();
    await page.locator('[data-row=s] .lab').click();
    await details.getByLabel('Effect', { exact: true }).selectOption('confetti');
    const festive = await studio.planWhere((plan) => confetti(plan) !== undefined);
    assert.deepEqual(confetti(festive), { s: 'confetti' });
    assert.deepEqual(festive.errors, []);
    assert.deepEqual(studio.complaints, []);
    await page.close();
  });
});

/** Without a model, the page offers to install one; the service would fetch it from npm. */
async function installModel(page: Page, panel: Locator): Promise<void> {
  await panel.getByText('Captions need a speech model').waitFor();
  const install = panel.getByRole('button', { name: 'Install it (145 MB)' });
  await install.waitFor();
  assert.equal(await panel.getByRole('button', { name: 'Create captions' }).count(), 0);
  assert.deepEqual(await axeFaults(page), []);
  const base = { name: 'base', packages: ['a package'], bytes: 145_000_000 };
  const failed = {
    ...base,
    state: 'failed',
    progress: 0,
    error: { code: 'captions.install_failed', message: 'No npm.' },
  };
  let model: object = failed;
  await page.route('**/video/captions/models', (route) => route.fulfill({ json: { ok: true, models: [model] } }));
  await page.route('**/video/captions/models/base', (route) => route.fulfill({ json: { ok: true, model: failed } }));
  await install.click();
  await panel.getByRole('alert').getByText('No npm.').waitFor();
  model = { ...base, state: 'installing', progress: 0.5 };
  await install.click();
  await panel.getByRole('progressbar').waitFor();
  await page.route('**/video/captions/languages', (route) => route.fulfill({ json: { ok: true, languages: ['en'] } }));
  model = { ...base, state: 'installed', progress: 1 };
  await panel.getByRole('button', { name: 'Create captions' }).waitFor();
}
