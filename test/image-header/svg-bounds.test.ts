import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../src/errors.ts';
import { checkSvg } from '../../src/image-header/svg-header.ts';
import { svgFile, useBomb } from '../fixtures/svg-file.ts';
import { timesLonger } from '../processor-time.ts';

const check = (body: string, head = '') => checkSvg(svgFile(body, '', head).toString());
const refused = (body: string, head = '') =>
  assert.throws(() => check(body, head), { code: 'paint.image_too_complex' });

test('output of drawing programs is accepted', () => {
  check('<style>.a{fill:#0f0}</style><g><path class="a" d="M0 0L9 9" data-x="a > b"/></g><![CDATA[ <g> ]]>');
  check('<filter id="f"><feGaussianBlur stdDeviation="3"/></filter><g filter="url(#f)" opacity=".5"/>');
  check(`${'<g>'.repeat(80)}${'</g>'.repeat(80)}`);
  check('<path d="M0 0"/>'.repeat(20_000));
  check(useBomb(10));
  check(
    '<g/>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.0//EN" "x.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>',
  );
});

test('[H12] nesting, numbers, uses of uses, filters and entities are bounded', () => {
  refused('<g>'.repeat(100) + '</g>'.repeat(100));
  refused('<g>'.repeat(100_000));
  refused('<path/>'.repeat(100_000));
  refused(' '.repeat(5_000_000));
  refused(useBomb(30));
  refused(useBomb(60));
  const chain = Array.from({ length: 2_000 }, (_, n) => `<g id="a${n + 1}"><use href="#a${n}"/></g>`).reverse();
  refused(`<use href="#a2000"/>${chain.join('')}`);
  refused(`<filter id="f">${'<feBlend/>'.repeat(20)}</filter>${'<g filter="url(#f)"/>'.repeat(10)}`);
  refused(`<pattern id="p">${'<g/>'.repeat(500)}</pattern>${'<g style="fill:url(#p)"/>'.repeat(200)}`);
  refused('<feTurbulence numOctaves="100000"/>');
  refused('<feConvolveMatrix order="100 100"/>');
  refused('&a;', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>');
  refused('&b;', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>');
  refused('&a;', '<!DOCTYPE svg [<!ENTITY a "<g/>">]>');
  refused('&a;', `<!DOCTYPE svg [<!ENTITY % a "b">]>`);
});

test('a self-reference is not a bomb', () => {
  check('<g id="a"><use href="#a"/><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#nobody"/>');
});

test('any text is accepted, or refused with a named error', () => {
  const fragments = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '<g',
    '</g>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<!DOCTYPE',
    '[',
    ']',
    '/',
    ' id="a"',
    '&',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string({ maxLength: 4 })), { maxLength: 60 }), (parts) => {
      try {
        checkSvg(parts.join(''));
      } catch (error) {
        assert.ok(error instanceof ExportError, String(error));
        assert.match(error.code, /^paint\.image_(broken|too_complex)$/);
      }
    }),
    { numRuns: 3000 },
  );
});

test('[H12] broken text takes time in proportion to its length', async () => {
  const parts = ['<', '<a ', "<a '", '<!--', '<!', '<g id="', ' href=', 'url(', '<!ENTITY '];
  const checkAll = (times: number) => {
    for (const part of parts) {
      try {
        checkSvg(`<svg ${part.repeat(times)}`);
      } catch (error) {
        assert.ok(error instanceof ExportError, String(error));
      }
    }
  };
  const longer = await timesLonger(
    () => checkAll(100_000),
    () => checkAll(400_000),
    10,
  );
  assert.ok(longer < 10, `four times the text takes ${longer.toFixed(1)} times as long`);
});
