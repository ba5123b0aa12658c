export const languages = { curl: 'curl', typeScript: 'TypeScript', python: 'Python' } as const;

/** Programs that make a video of a template. @param values as JSON. */
export const typeScript = (origin: string, id: string, values: string, needsKey: boolean) =>
  [
    'import { TiercutClient } from "@tiercut/client";',
    'import { saveTo } from "@tiercut/client/node";',
    '',
    `const client = new TiercutClient({ url: '${origin}'${needsKey ? `, key: 'YOUR_KEY'` : ''} });`,
    `const { export_id } = await client.projects.export('${id}', { values: ${values} });`,
    'await client.wait(export_id);',
    `await saveTo('video.mp4', await client.download(export_id));\n`,
  ].join('\n');
export const python = (origin: string, id: string, values: string, needsKey: boolean) =>
  [
    'from tiercut import Client',
    '',
    `client = Client("${origin}"${needsKey ? ', key="YOUR_KEY"' : ''})`,
    `made = client.export_project("${id}", ${values})`,
    'client.wait(made["export_id"])',
    `client.download(made["export_id"], "video.mp4")\n`,
  ].join('\n');
