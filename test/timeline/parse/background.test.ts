import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { facts, parse, picture, TIER_LIST } from '../../request-builder.ts';

const MEDIA = new Map([
  ['clip', facts('clip')],
  ['wall', picture('wall')],
]);
const TIMELINE = { videos: [{ id: 'film', file_field: 'clip', start: 0, duration: 5 }] };

function parsed(background: unknown) {
  return parse({ tier_list: TIER_LIST, timeline_data: TIMELINE, settings: { background } }, MEDIA);
}

function refused(background: unknown): string[] {
  try {
    parsed(background);
  } catch (error) {
    assert.ok(error instanceof ExportError);
    return error.issues.map(({ path, code, message }) => `${path} ${code} ${message}`);
  }
  return [];
}

test('[C61] a background is a colour, a gradient, an image or a blurred copy of a clip', () => {
  const of = (background: unknown) => parsed(background).settings.background;
  assert.deepEqual(of(undefined), { kind: 'color', color: '#000000' });
  assert.deepEqual(of('#ABCDEF'), { kind: 'color', color: '#abcdef' });
  assert.deepEqual(of({ kind: 'gradient', colors: ['#FF0000', '#00ff00'] }), {
    ...{ kind: 'gradient', colors: ['#ff0000', '#00ff00'], angle: 180, moving: false },
  });
  assert.deepEqual(of({ kind: 'image', file_field: 'wall' }), {
    ...{ kind: 'image', media: { field: 'wall', path: '/settings/background/file_field' }, blur: 0 },
  });
  assert.deepEqual(of({ kind: 'blur', of: 'film' }), { kind: 'blur', of: 'film', follow: false });
});

test('[C61, R37] without a background, a theme and `auto` bring their ground; a request with neither stays black', () => {
  const of = (settings: object, auto?: object) => {
    const timeline_data = { ...TIMELINE, ...(auto && { auto }) };
    return parse({ tier_list: TIER_LIST, timeline_data, settings }, MEDIA).settings.background;
  };
  const black = { kind: 'color', color: '#000000' };
  assert.deepEqual([of({}), of({}, {}), of({ theme: 'neon' })], [black, { kind: 'theme' }, { kind: 'theme' }]);
  assert.deepEqual([of({ background: '#000000', theme: 'neon' }), of({ background: '#000000' }, {})], [black, black]);
  assert.deepEqual(of({ background: { kind: 'theme' } }), { kind: 'theme' });
});

test('[C61] errors of a background are returned with their path and the allowed values', () => {
  assert.deepEqual(refused('red'), [
    '/settings/background field.format background must be a colour of the form "#rrggbb", or an object with a kind, not "red".',
  ]);
  assert.deepEqual(refused({ kind: 'gradiant' }), [
    '/settings/background/kind field.choice kind must be one of "theme", "gradient", "image", "blur", not "gradiant".',
  ]);
  assert.deepEqual(refused({ kind: 'gradient' }), [
    '/settings/background field.required "colors" is missing: it must be a list of 2 to 4 colours of the form "#rrggbb".',
  ]);
  assert.deepEqual(refused({ kind: 'gradient', colors: ['#000000'], angle: 400 }), [
    '/settings/background/colors field.range colors must be a list of 2 to 4 colours of the form "#rrggbb", not a list of 1.',
    '/settings/background/angle field.range angle must be a number from 0 to 360, not 400.',
  ]);
  assert.deepEqual(refused({ kind: 'image', file_field: 'wal' }), [
    '/settings/background/file_field media.not_uploaded No file was uploaded under the form field "wal", which this entry names. Did you mean "wall"?',
  ]);
  assert.deepEqual(refused({ kind: 'image' }), [
    '/settings/background field.required "file_field" is missing: it must be the form field of an image.',
  ]);
  assert.deepEqual(refused({ kind: 'blur', of: 'flim' }), [
    '/settings/background/of clip.unknown No entry of videos has the id "flim". Did you mean "film"?',
  ]);
  const { warnings } = parsed({ kind: 'blur', of: 'film', angle: 90 });
  assert.deepEqual(
    warnings.filter(({ code }) => code !== 'media.unreferenced').map(({ path, code }) => `${path} ${code}`),
    ['/settings/background/angle field.unused'],
  );
});
