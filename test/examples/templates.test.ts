import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCsv } from '../../src/timeline/csv/read-csv.ts';
import { rowsOf } from '../../src/timeline/csv/table-rows.ts';
import { IssueList } from '../../src/timeline/issue-list.ts';
import { fillProject } from '../../src/timeline/project/fill-project.ts';
import { readFields } from '../../src/timeline/project/template-fields.ts';
import { picture, plan } from '../request-builder.ts';

const TEMPLATES = join(import.meta.dirname, '../../examples/templates');

for (const name of readdirSync(TEMPLATES)) {
  test(`[C83] every row of the template ${name} is a video without a warning`, () => {
    const folder = join(TEMPLATES, name);
    const project = JSON.parse(readFileSync(join(folder, 'project.json'), 'utf8'));
    const issues = new IssueList();
    const { rows } = rowsOf(
      readCsv(readFileSync(join(folder, 'rows.csv'), 'utf8')),
      readFields(project.fields, issues)!,
      issues,
    );
    issues.throwIfFailed();
    assert.ok(rows.length > 1);
    for (const { values } of rows) {
      const filled = fillProject(project, values, { files: true });
      assert.ok('documents' in filled, JSON.stringify(filled));
      assert.deepEqual(filled.warnings, []);
      const media = [...filled.media].map(([field, place]) => {
        assert.ok(place.kind === 'file' && existsSync(join(folder, place.file)), field);
        return [field, picture(field)] as const;
      });
      assert.deepEqual(plan(filled.documents, Object.fromEntries(media)).warnings, []);
    }
  });
}
