import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedAddress } from '../../../src/studio/sync/linked-address.ts';

const PAGE = 'https://host.example/some/path/';

test('[C97] a link names a project file by an address, plain, encoded, or relative to the page', () => {
  const linked = (hash: string) => String(linkedAddress(hash, PAGE));
  assert.equal(linked('#project=https://other.example/a.zip?b=1&c=2'), 'https://other.example/a.zip?b=1&c=2');
  assert.equal(linked('#project=https%3A%2F%2Fother.example%2Fa%2520b.zip'), 'https://other.example/a%20b.zip');
  assert.equal(linked('#project=https://other.example/a%20b.zip#x'), 'https://other.example/a%20b.zip');
  assert.equal(linked('#project=demos/week%2012.zip'), 'https://host.example/some/path/demos/week%2012.zip');
  assert.equal(linked('#project=//other.example/a.zip'), 'https://other.example/a.zip');
  assert.equal(linked('#project=100%.zip'), 'https://host.example/some/path/100%.zip');
  // Letters that look like others are shown as what they are.
  assert.equal(linked('#project=https://аpple.example/a.zip'), 'https://xn--pple-43d.example/a.zip');
  for (const hash of ['', '#project=', '#shared=abc', '#xproject=a']) assert.equal(linkedAddress(hash, PAGE), null);
});

test('[C97] a link to anything but a file of a web site is refused', () => {
  const fault = (hash: string, page = PAGE) => linkedAddress(`#project=${hash}`, page);
  for (const text of [
    'javascript:alert(1)',
    'data:text/plain,a',
    'blob:https://host.example/1',
    'file:///etc/passwd',
    'https://',
  ]) {
    assert.equal(fault(text), 'address', text);
  }
  assert.equal(fault('https://host.example@other.example/a.zip'), 'password');
  assert.equal(fault('https://a:b@other.example/a.zip'), 'password');
  assert.equal(fault('http://other.example/a.zip'), 'insecure');
  assert.ok(fault('http://other.example/a.zip', 'http://localhost:8000/') instanceof URL);
});
