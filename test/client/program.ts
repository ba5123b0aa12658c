import { join } from 'node:path';
import { TiercutClient, TiercutError } from '../../packages/client/src/client.ts';
import { fileSource, saveTo } from '../../packages/client/src/node.ts';

/** What a program does with the service, from the upload to the files, including its errors. */
export async function program(url: string, key: string, clip: string, folder: string): Promise<string[]> {
  const client = new TiercutClient({ url, key });
  const said: string[] = [];

  const media = await client.upload(await fileSource(clip));
  said.push(`uploaded ${media.facts.kind}`);

  const documents = {
    tier_list: { title: 'Sixty lines', rows: [], items: [] },
    timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] },
    settings: { quality: 'draft', file_name: 'Sixty' },
  } as const;
  const { export_id } = await client.create({ ...documents, media: { clip: media } });

  for await (const { state } of client.follow(export_id)) {
    if (said.at(-1) !== state) said.push(state);
    if (state === 'completed') break;
  }

  for (const preset of ['landscape', 'portrait', 'square']) {
    await client.wait(export_id, { preset });
    const download = await client.download(export_id, { preset });
    await saveTo(join(folder, download.name), download);
    said.push(download.name);
  }

  try {
    await client.create({ ...documents, settings: { fps: 1000 }, media: { clip: media } });
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    said.push(...error.errors.map(({ path, code }) => `${path} ${code}`));
  }

  const stop = new AbortController();
  const long = { ...documents, timeline_data: { videos: [{ file_field: 'clip', duration: 60 }] } };
  const aborted = await client.create({ ...long, media: { clip: media } });
  try {
    await client.wait(aborted.export_id, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) });
  } catch (error) {
    said.push((error as Error).message);
    await client.delete(aborted.export_id);
  }
  return said;
}
