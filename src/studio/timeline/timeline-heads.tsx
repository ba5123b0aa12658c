import { LANE_LOOKS } from '../document/lanes.ts';
import { opensMenu } from '../kit/context-menu.ts';
import { Icon } from '../kit/icon.tsx';
import { playhead } from '../session/session.ts';
import { lengthInFrames, timecode } from '../session/transport.ts';
import { roomPx, scrollTop, timelineLayout } from './act/timeline-model.ts';
import { LaneButtons, laneHead } from './lane-switches.tsx';
import { RULER_PX, type TrackBox } from './view/timeline-layout.ts';

/** The headings beside the lines. */
export function TimelineHeads() {
  return (
    <div class="tl-heads">
      <div class="tl-clock">
        <Clock />
      </div>
      <div class="tl-heads-clip">
        <div class="tl-heads-in" style={{ transform: `translateY(${-scrollTop.value}px)` }}>
          {timelineLayout.value.boxes.map((box) => (
            <Head key={`${box.track.lane} ${box.track.role} ${box.track.layer}`} box={box} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Clock() {
  return (
    <time>
      {timecode(playhead.value)} <small>/ {timecode(lengthInFrames()).replace(/\.\d+$/, '')}</small>
    </time>
  );
}

/** Scrolls just enough to show the line with the focus. */
function showLine(top: number, height: number): void {
  const room = roomPx.value.height - RULER_PX;
  scrollTop.value = Math.max(0, Math.min(top, Math.max(scrollTop.value, top + height - room)));
}

function Head({ box: { track, top, height } }: { readonly box: TrackBox }) {
  const { lane, role, layer } = track;
  return (
    <div
      class="tl-head"
      style={{ height: `${height}px` }}
      onFocusCapture={() => showLine(top, height)}
      onContextMenu={opensMenu({ kind: 'lane', lane, role })}
    >
      <Icon name={LANE_LOOKS[lane].line!.icon} />
      <span>
        {laneHead(lane, role)}
        {layer > 0 ? ` ${layer + 1}` : ''}
      </span>
      {layer > 0 ? null : <LaneButtons lane={lane} role={role} />}
    </div>
  );
}
