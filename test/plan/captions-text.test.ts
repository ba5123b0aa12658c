import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captionsText } from '../../src/plan/captions-text.ts';
import { readSubtitleFile } from '../../src/timeline/subtitle-file/read-subtitle-file.ts';
import { plan } from '../request-builder.ts';

const PLAN = plan(
  {
    tier_list: {},
    timeline_data: {
      subtitles: [
        { text: 'Later\n\nthan & <b>', start: 3661.5, duration: 2 },
        { text: 'First', start: 1, duration: 1.5 },
        {
          text: 'On top',
          start: 2,
          duration: 1,
          y_percent: 5,
          height_percent: 10,
          x_percent: 60,
          width_percent: 30,
          align: 'left',
        },
      ],
    },
  },
  {},
);

test('[C43] captions.vtt has every subtitle, with its time and position', () => {
  assert.equal(
    captionsText(PLAN, 'vtt'),
    `WEBVTT

00:00:01.000 --> 00:00:02.500
First

00:00:02.000 --> 00:00:03.000 line:15%,end position:60% size:30% align:left
On top

01:01:01.500 --> 01:01:03.500
Later
than &amp; &lt;b&gt;
`,
  );
});

test('[C43] captions.srt has the same', () => {
  assert.match(captionsText(PLAN, 'srt'), /^1\n00:00:01,000 --> 00:00:02,500\nFirst\n\n2\n.*\n\{\\an7\}On top\n\n3\n/);
});

test('[C43] exported WebVTT reads back unchanged', () => {
  const cues = readSubtitleFile(captionsText(PLAN, 'vtt')).cues;
  assert.deepEqual(
    cues.map(({ start, end, text }) => [start, end, text]),
    [
      [1, 2.5, 'First'],
      [2, 3, 'On top'],
      [3661.5, 3663.5, 'Later\nthan & <b>'],
    ],
  );
  assert.deepEqual(cues[1]!.place.down, { percent: 15, edge: 'bottom' });
});

test('a video without subtitles has captions without cues', () => {
  const silent = plan({ tier_list: {}, timeline_data: { tier_blocks: [{ start: 0, duration: 1 }] } }, {});
  assert.deepEqual([captionsText(silent, 'vtt'), captionsText(silent, 'srt')], ['WEBVTT\n', '']);
});
