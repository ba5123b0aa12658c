import { createSurface, drawOn, type Surface } from '../../../examples/making/surface.ts';
import { composeMusic } from '../../../examples/planets/music.ts';
import { createOrbitView } from '../../../examples/planets/orbit-view.ts';
import { PLANET_LOOKS, type PlanetKey } from '../../../examples/planets/planet-looks.ts';
import { drawPlanetPicture } from '../../../examples/planets/planet-picture.ts';
import { createRobotHost } from '../../../examples/planets/robot-host.ts';
import { createStarFlight } from '../../../examples/planets/star-flight.ts';
import { PICTURE_PX, WIDE } from './example-documents.ts';
import { wavFile } from './wav-file.ts';

/** Draws the example's media with the example's own code, but on a browser's canvas and as stills. So none of it is shipped or fetched. */

drawOn((width, height) => {
  const canvas = new OffscreenCanvas(width, height);
  return { canvas, context: canvas.getContext('2d') } as unknown as Surface;
});

const DRAFT_PX = 96;

const SCENES: Readonly<Record<string, () => Promise<Blob> | Blob>> = {
  'star-flight.jpg': () => scene(createStarFlight(WIDE.width, WIDE.height), 2.2),
  'orbit-view.jpg': () => scene(createOrbitView(WIDE.width, WIDE.height), 4),
  'robot-host.jpg': () => scene(createRobotHost(WIDE.width), 1.1),
  'music.wav': () => wavFile(composeMusic()),
};

function scene(draw: ReturnType<typeof createStarFlight>, seconds: number): Promise<Blob> {
  const { canvas, context } = createSurface(WIDE.width, WIDE.height);
  draw(context, seconds);
  return (canvas as unknown as OffscreenCanvas).convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

/** Small pictures of the cards first, since a board without pictures looks empty. */
async function drafts(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const look = PLANET_LOOKS[name.replace('.png', '') as PlanetKey];
    if (look === undefined) continue;
    const canvas = drawPlanetPicture(look, DRAFT_PX) as unknown as OffscreenCanvas;
    postMessage({ name, draft: await canvas.convertToBlob({ type: 'image/png' }) });
  }
}

async function make(name: string): Promise<Blob> {
  const made = SCENES[name];
  if (made !== undefined) return made();
  const look = PLANET_LOOKS[name.replace('.png', '') as PlanetKey];
  const canvas = drawPlanetPicture(look, PICTURE_PX) as unknown as OffscreenCanvas;
  return canvas.convertToBlob({ type: 'image/png' });
}

addEventListener('message', async ({ data: names }: MessageEvent<readonly string[]>) => {
  await drafts(names);
  for (const name of names) postMessage({ name, file: await make(name) });
});
