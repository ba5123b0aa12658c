import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readImageHeader } from '../../../src/image-header/read-image-header.ts';
import { limitWasmMemory } from '../../../src/paint/svg/limit-wasm-memory.ts';
import { type RasterizedSvg, SvgRasterizer } from '../../../src/paint/svg/svg-rasterizer.ts';
import { svgFile } from '../../fixtures/svg-file.ts';
import { greyPng } from '../../hostile/files/picture-bombs.ts';

const drawings = new SvgRasterizer();
after(() => drawings[Symbol.asyncDispose]());

function draw(svg: Buffer, sidePx = 100, by = drawings): Promise<RasterizedSvg> {
  return by.rasterize(svg, readImageHeader(svg), sidePx);
}

function pixel({ rgba, width }: RasterizedSvg, x: number, y: number): number[] {
  return [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

describe('drawings', () => {
  test('[R11] colours are exact, undrawn parts stay transparent, and the aspect ratio is kept', async () => {
    const svg = svgFile(
      '<style>.a{fill:#00ff00}</style><rect width="50" height="50" fill="#ff0000" fill-opacity=".5"/>' +
        '<rect class="a" x="150" width="50" height="100"/>',
      'viewBox="0 0 200 100"',
    );
    const picture = await draw(svg, 60);
    assert.deepEqual([picture.width, picture.height], [120, 60]);
    assert.deepEqual(pixel(picture, 10, 10), [255, 0, 0, 128]);
    assert.deepEqual(pixel(picture, 110, 30), [0, 255, 0, 255]);
    assert.deepEqual(pixel(picture, 60, 30), [0, 0, 0, 0]);
  });

  test('a drawing much longer than high is bounded', async () => {
    const { width, height } = await draw(svgFile('<rect width="9" height="9"/>', 'viewBox="0 0 10000 100"'), 800);
    assert.deepEqual([width, height], [4096, 41]);
  });

  test('[R14] text uses shipped fonts, whatever it asks for, in any script', async () => {
    const text = (content: string) =>
      svgFile(`<text x="5" y="70" font-family="Comic Sans MS, cursive" font-size="60">${content}</text>`);
    const inked = ({ rgba }: RasterizedSvg) => rgba.filter((value, n) => n % 4 === 3 && value > 0).length;
    for (const content of ['Ag', 'жд', 'ش', '字', '&#23383;'])
      assert.ok(inked(await draw(text(content))) > 200, content);
  });

  test('[H12] scripts, files, networks and other drawings are not available', async () => {
    const picture = await draw(
      svgFile(
        '<script>fetch("http://127.0.0.1:9/")</script><style>@import url("http://127.0.0.1:9/a.css");</style>' +
          '<image href="file:///etc/passwd" width="100" height="100"/><image href="http://127.0.0.1:9/a.png" width="100" height="100"/>' +
          '<use href="other.svg#a"/><foreignObject width="100" height="100"><p>text</p></foreignObject>' +
          '<rect width="50" height="100" fill="#0000ff" onload="alert(1)"/>',
      ),
    );
    assert.deepEqual(pixel(picture, 20, 50), [0, 0, 255, 255]);
    assert.deepEqual(pixel(picture, 80, 50), [0, 0, 0, 0]);
  });

  test('a drawing that fails is reported as broken, and the next drawing is drawn', async () => {
    await assert.rejects(draw(svgFile('<g>', 'width="9" height="9"')), { code: 'paint.image_broken' });
    await assert.rejects(draw(svgFile('&nobody;')), { code: 'paint.image_broken' });
    await assert.rejects(draw(Buffer.concat([svgFile(''), Buffer.from([0xff])])), { code: 'paint.image_broken' });
    assert.equal((await draw(svgFile('<g/>'))).width, 100);
  });
});

describe('[hostile] bounds', () => {
  test('[H12] a picture of 900 megapixels inside a drawing gets no memory, and the next drawing is drawn', async () => {
    const bomb = greyPng(30_000, 30_000).toString('base64');
    const svg = svgFile(`<image href="data:image/png;base64,${bomb}" width="10" height="10"/>`);
    await assert.rejects(draw(svg), { code: 'paint.image_too_complex' });
    assert.equal((await draw(svgFile('<g/>'))).width, 100);
  });

  test('[H12] a drawing that takes too long is ended, and so are all later ones once the time is used up', async () => {
    await using busy = new SvgRasterizer();
    const svg = svgFile(
      '<filter id="f"><feMorphology radius="900"/></filter><rect width="99" height="99" filter="url(#f)"/>',
    );
    for (let n = 0; n < 3; n++) await assert.rejects(draw(svg, 1000, busy), { code: 'paint.image_too_complex' });
    await assert.rejects(draw(svgFile('<g/>'), 10, busy), { code: 'paint.image_too_complex' });
  });

  test('[H12] the memory of a program is limited', () => {
    // One memory of a page or more, and a function that grows it by one.
    const program = Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[1, 5, 1, 0x60, 0, 1, 0x7f],
      ...[3, 2, 1, 0],
      ...[5, 3, 1, 0, 1],
      ...[7, 5, 1, 1, 0x67, 0, 0],
      ...[10, 8, 1, 6, 0, 0x41, 1, 0x40, 0, 0x0b],
    ]);
    // biome-ignore lint/suspicious/noExplicitAny: Node's types know WebAssembly as a namespace of types only.
    const { Module, Instance } = (globalThis as any).WebAssembly;
    const grow = new Instance(new Module(limitWasmMemory(program, 300))).exports.g;
    let pages = 1;
    while (grow() !== -1) pages++;
    assert.equal(pages, 300);
  });
});
