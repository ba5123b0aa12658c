import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { svgFile } from '../../fixtures/svg-file.ts';
import { itemsForm, type NamedFiles, refusal } from '../../hostile/media/media-request.ts';
import { createAsync, formOf, metadataOf, post, reached, statusOf } from '../export-client.ts';
import { CLIP, longRequest, PICTURE, sampleRequest } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

const SRT = `1
00:00:00,500 --> 00:00:01,500
<i>Hello</i> &amp; welcome

2
00:00:01,000 --> 00:00:02,000
{\\an8}On top
`;

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected', TIERCUT_RENDERS_AT_ONCE: '1' });
});
after(() => service[Symbol.asyncDispose]());

async function frame(form: FormData): Promise<Buffer> {
  const reply = await post(service, form, {}, '/video/frames');
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.equal(reply.status, 200, bytes.toString('latin1', 0, 500));
  assert.equal(reply.headers.get('content-type'), 'image/png');
  return bytes;
}

function at(seconds: number, form: FormData): FormData {
  form.append('at', String(seconds));
  return form;
}

test('[C38, C39] a frame waits for no render, works with parts or references, and leaves no files', async () => {
  // Long enough for a machine on which the frames take long: it is deleted at the end.
  const { export_id: id } = await createAsync(service, longRequest(1200));
  await reached('the render', async () => (await statusOf(service, id)).state === 'rendering');
  const byParts = await frame(at(2.5, formOf(sampleRequest())));

  const references: Record<string, string> = {};
  for (const [field, file] of Object.entries({ clip: CLIP.file, picture: PICTURE.file })) {
    const body = readFileSync(file);
    references[field] = createHash('sha256').update(body).digest('hex');
    const put = await fetch(`${service.base}/media/${references[field]}`, { method: 'PUT', body });
    assert.equal(put.ok, true, await put.text());
  }
  const { documents } = sampleRequest();
  const byReference = await frame(at(2.5, formOf({ documents: { ...documents, media_refs: references } })));
  assert.deepEqual(byReference, byParts);
  assert.equal((await statusOf(service, id)).state, 'rendering', 'the render goes on');

  await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
  const kept = Object.values(references).map((hash) => hash);
  await reached('nothing but what was put there', () => {
    return service
      .files('blobs')
      .filter((file) => file.startsWith('uploads/'))
      .every((file) => kept.some((hash) => file.includes(hash)));
  });
});

test('[C43] a subtitle file becomes subtitles: in validate, in a frame, in the export and in its captions', async () => {
  const timeline = {
    videos: [{ file_field: 'clip', duration: 3 }],
    subtitle_files: [{ file_field: 'subs', offset: 0.5 }],
  };
  const request = sampleRequest({ timeline_data: timeline, settings: { quality: 'draft' } });
  const files = { ...request.files, subs: new Blob([Buffer.from(`\ufeff${SRT}`, 'utf16le')]) };
  const whole = { documents: request.documents, files };

  const checked = await post(service, whole, {}, '/video/exports/validate');
  assert.match(((await checked.json()) as { plan: string }).plan, /Hello & welcome/);
  const withText = await frame(at(1.2, formOf(whole)));
  const without = { ...whole, documents: { ...whole.documents, timeline_data: { videos: timeline.videos } } };
  assert.notDeepEqual(withText, await frame(at(1.2, formOf(without))));

  const { export_id: id, links } = await metadataOf(await post(service, whole), 201);
  assert.equal(links.captions, `/video/exports/${id}/captions.vtt`);
  const vtt = await fetch(`${service.base}${links.captions}`);
  assert.equal(vtt.headers.get('content-type'), 'text/vtt; charset=utf-8');
  assert.match(
    await vtt.text(),
    /^WEBVTT\n\n00:00:01\.000 --> 00:00:02\.000\nHello &amp; welcome\n\n00:00:01\.500 --> .* line:.*\nOn top\n$/,
  );
  const again = await fetch(`${service.base}${links.captions}`, {
    headers: { 'if-none-match': vtt.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
  const srt = await fetch(`${service.base}${links.captions_srt}`);
  assert.equal(srt.headers.get('content-type'), 'application/x-subrip; charset=utf-8');
  assert.match(await srt.text(), /^1\n00:00:01,000 --> 00:00:02,000\nHello & welcome\n/);
});

test('[C43] an unreadable subtitle file is an error at its entry, with the line', async () => {
  const timeline = { subtitle_files: [{ file_field: 'subs' }] };
  const documents = { tier_list: {}, timeline_data: timeline };
  const broken = { documents, files: { subs: new Blob(['1\n00:00:01 --> soon\nx']) } };
  const reply = await post(service, broken);
  const problem = (await reply.json()) as { code: string; detail: string; errors: { path: string }[] };
  assert.equal(reply.status, 422);
  assert.match(problem.detail + JSON.stringify(problem.errors), /line 2.*00:00:01 --> soon/);
});

test('[H11, H12] SVGs too large to draw become cards in frames and videos, and are 422 as clips', async () => {
  const sizes = ['width="1e9"', 'width="1e999" height="1e999"', 'width="16000" height="1"', 'width="0" height="0"'];
  const endless = ['viewBox="0 0 Infinity Infinity"', 'height="1e308" viewBox="0 0 1e308 1"'];
  const files: NamedFiles = Object.fromEntries(
    [...sizes, ...endless].map((attributes) => [attributes, svgFile('<rect width="9" height="9"/>', attributes)]),
  );
  const items = itemsForm(files);
  items.append('at', '0');
  const frame = await post(service, items, {}, '/video/frames');
  const body = await frame.text();
  assert.equal(frame.status, 200, body);
  const { warnings } = await metadataOf(await post(service, itemsForm(files)), 201);
  for (const said of [warnings, JSON.parse(frame.headers.get('tiercut-warnings')!) as typeof warnings]) {
    const codes = said.map(({ code }) => code);
    assert.equal(codes.length, sizes.length + endless.length, codes.join());
    assert.ok(
      codes.every((code) => /^paint\.image_(too_large|broken)$/.test(code)),
      codes.join(),
    );
  }
  const clips = await refusal(service, files);
  assert.deepEqual([clips.status, clips.codes], [422, Object.keys(files).map((name) => `${name}: media.unsupported`)]);
});
