import { placeTiles } from '../../../plan/place/place-tiles.ts';
import { frameAt } from '../../../time.ts';
import { IssueList } from '../../../timeline/issue-list.ts';
import type { ExportRequest } from '../../../timeline/request/export-request.ts';
import type { RevealCourse, RevealCourses } from '../../document/timeline/reveal-course.ts';

/** When each tile enters, gets its verdict and lands. It is the same in all presets, so it is computed once. (R26) */
export function revealCourses(request: ExportRequest): RevealCourses {
  const { rate } = request.settings;
  // The plan reports the warnings.
  const placed = placeTiles({ request, rate, issues: new IssueList() });
  const byTile = new Map(
    placed.map(({ tile, cue, event }): [string, RevealCourse] => {
      const own = frameAt(tile.position, rate);
      // A card without enough time may pop in at its verdict, which is not the start of its spotlight.
      const starts = event.style === 'spotlight' ? event.at - own : 0;
      const course = {
        style: event.style,
        starts,
        verdict: event.verdict - own,
        takeOff: event.takeOff - own,
        lands: event.lands - own,
        asked: cue.hold && Math.max(starts + cue.hold.length, (cue.hold.stampAt ?? own) - own),
      };
      return [tile.id, course];
    }),
  );
  return { byTile, longest: [...byTile.values()].reduce((longest, { lands }) => Math.max(longest, lands), 0) };
}
