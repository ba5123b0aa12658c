import { createSkiaSurface, type SkiaSurface } from '../../src/paint/skia/skia.ts';

/** What a picture is of; people upload all of these. */
export type PictureKind = 'photo' | 'poster' | 'wide' | 'logo' | 'black-logo' | 'white-logo' | 'banner';

const SIZES: Readonly<Record<PictureKind, readonly [number, number]>> = {
  photo: [640, 640],
  poster: [500, 750],
  wide: [960, 540],
  logo: [800, 240],
  'black-logo': [600, 400],
  'white-logo': [600, 400],
  banner: [1200, 300],
};

/** Its size in pixels. */
export function pictureSize(kind: PictureKind): { width: number; height: number } {
  const [width, height] = SIZES[kind];
  return { width, height };
}

/** A picture drawn by code, different for every `seed`. */
export function drawPicture(kind: PictureKind, seed: number): SkiaSurface {
  const { width, height } = pictureSize(kind);
  const surface = createSkiaSurface(width, height);
  if (kind === 'logo' || kind === 'black-logo' || kind === 'white-logo') drawLogo(surface, kind, seed, width, height);
  else drawScene(surface, seed, width, height);
  return surface;
}

/** Sky, sun, hills and a tower: detail enough to see where it is cut. */
function drawScene({ bitmap }: SkiaSurface, seed: number, width: number, height: number): void {
  const context = bitmap.getContext('2d');
  const hue = (seed * 67) % 360;
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, `hsl(${hue}, 65%, ${30 + ((seed * 13) % 30)}%)`);
  sky.addColorStop(1, `hsl(${(hue + 40) % 360}, 80%, 78%)`);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  const least = Math.min(width, height);
  context.fillStyle = `hsl(${(hue + 60) % 360}, 95%, 88%)`;
  context.beginPath();
  context.arc(width * (0.25 + ((seed * 17) % 50) / 100), height * 0.32, least * 0.13, 0, Math.PI * 2);
  context.fill();
  for (let layer = 0; layer < 3; layer += 1) {
    context.fillStyle = `hsl(${(hue + 160 + layer * 12) % 360}, 45%, ${42 - layer * 11}%)`;
    context.beginPath();
    context.moveTo(0, height);
    for (let step = 0; step <= 24; step += 1) {
      const at = step / 24;
      const wave = Math.sin(at * (5 + layer * 2) + seed * 1.7 + layer * 2) * 0.09;
      context.lineTo(at * width, height * (0.58 + layer * 0.12 + wave));
    }
    context.lineTo(width, height);
    context.fill();
  }
  // A frame, so that one sees what is cut off.
  context.strokeStyle = 'rgba(255, 255, 255, 0.55)';
  context.lineWidth = least * 0.012;
  context.strokeRect(least * 0.03, least * 0.03, width - least * 0.06, height - least * 0.06);
}

const WORDS = ['TUNDRA', 'Kestrel', 'OVALE', 'north&co', 'Pixelbau', 'HALO 9', 'Mira', 'BOREAL'];

function drawLogo(
  { bitmap }: SkiaSurface,
  kind: 'logo' | 'black-logo' | 'white-logo',
  seed: number,
  width: number,
  height: number,
): void {
  const context = bitmap.getContext('2d');
  if (kind === 'logo') {
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
  }
  context.fillStyle =
    kind === 'logo' ? `hsl(${(seed * 67) % 360}, 75%, 40%)` : kind === 'black-logo' ? '#0b0b0b' : '#fafafa';
  const least = Math.min(width, height);
  context.beginPath();
  context.arc(least * 0.42, height / 2, least * 0.27, 0, Math.PI * 2);
  context.arc(least * 0.42, height / 2, least * 0.14, 0, Math.PI * 2, true);
  context.fill();
  context.font = `${least * 0.3}px "Tiercut Display"`;
  context.textBaseline = 'middle';
  context.fillText(WORDS[seed % WORDS.length]!, least * 0.78, height / 2, width - least * 0.9);
}
