import { useEffect, useRef } from 'preact/hooks';
import { layoutPlaces } from '../document/layout-commands.ts';
import { StageCanvas } from '../preview/stage-canvas.tsx';
import { isFullPageDrawn, LARGE, largePlace } from '../preview/stage-client.ts';
import { planned } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import * as texts from '../texts/en/take.ts';
import { hasPicture, stream, takeLayout } from './control/take-state.ts';
import { choices } from './devices.ts';

const PLACE = 'take';

interface LivePictureProps {
  /** The class of its box. */
  readonly class: string;
  readonly mirrored?: boolean;
}

/** A live preview of the video: the board drawn by the code of the export, the camera in its place. */
export function LivePicture({ class: box, mirrored = false }: LivePictureProps) {
  const preset = shownPreset.value;
  const { width, height } = planned.value.plans.get(preset.name)?.canvas ?? preset;
  const { x, y, width: wide, height: high } = layoutPlaces(takeLayout.value, preset).cam;
  useEffect(() => {
    largePlace.value = PLACE;
    return () => {
      largePlace.value = LARGE;
      isFullPageDrawn.value = false;
    };
  }, []);
  return (
    <div class={box} style={{ '--ratio': String(width / height) }}>
      <div class="tk-picture" style={{ aspectRatio: `${width} / ${height}` }}>
        <StageCanvas place={PLACE} width={width} label={texts.video} />
        {hasPicture() && (
          <div class="tk-cam" style={{ left: `${x}%`, top: `${y}%`, width: `${wide}%`, height: `${high}%` }}>
            <Camera mirrored={mirrored && choices.value.source === 'camera'} />
          </div>
        )}
      </div>
    </div>
  );
}

function Camera({ mirrored }: { readonly mirrored: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  const source = stream.value;
  useEffect(() => {
    video.current!.srcObject = source;
    if (source !== null) void video.current!.play().catch(() => {});
  }, [source]);
  return <video ref={video} muted playsInline aria-label={texts.camera} data-mirrored={mirrored} />;
}
