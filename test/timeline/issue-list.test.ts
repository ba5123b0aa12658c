import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IssueList } from '../../src/timeline/issue-list.ts';

test('[C5] lists that share a budget stop hinting together: the rows of a hostile batch cost no more than one list', () => {
  const hints = { compared: 0 };
  const hint = (list: IssueList) => list.hint('subtitels', ['subtitles']);
  assert.match(hint(new IssueList(hints)), /Did you mean "subtitles"/);
  new IssueList(hints).hint('x'.repeat(1_500), ['y'.repeat(1_500)]);
  assert.equal(hint(new IssueList(hints)), '');
  assert.match(hint(new IssueList()), /Did you mean "subtitles"/);
});
