import { useEffect, useRef } from 'preact/hooks';
import { layoutPlaces } from '../document/layout-commands.ts';
import { studioConfig } from '../kit/assets.ts';
import { StageCanvas } from '../preview/stage-canvas.tsx';
import { LARGE, largePlace } from '../preview/stage-client.ts';
import { planned, shape } from '../session/session.ts';
import { choices } from './devices.ts';
import { hasPicture, layout, stream } from './take-session.ts';

const PLACE = 'take';

/** The video as it will be: the board by the code of the export, the camera where it will stand. */
export function LivePicture({ mirrored = false }: { readonly mirrored?: boolean }) {
  const preset = studioConfig.presets.find(({ name }) => name === shape.value) ?? studioConfig.presets[0];
  const { width, height } = planned.value.plans.get(preset.name)?.canvas ?? preset;
  const { x, y, width: wide, height: high } = layoutPlaces(layout.value, preset).cam;
  useEffect(() => {
    largePlace.value = PLACE;
    return () => {
      largePlace.value = LARGE;
    };
  }, []);
  return (
    <div class="tk-picture" style={{ aspectRatio: `${width} / ${height}`, '--ratio': String(width / height) }}>
      <StageCanvas place={PLACE} width={width} label="The video" />
      {hasPicture() && (
        <div class="tk-cam" style={{ left: `${x}%`, top: `${y}%`, width: `${wide}%`, height: `${high}%` }}>
          <Camera mirrored={mirrored && choices.value.source === 'camera'} />
        </div>
      )}
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
  return <video ref={video} muted playsInline aria-label="Camera" data-mirrored={mirrored} />;
}
