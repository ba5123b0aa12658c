import { computed, signal } from '@preact/signals';
import { remembered } from '../session/remembered.ts';
import { hasService } from '../session/service-state.ts';

/** Where a video is rendered. */
export type Place = 'service' | 'device';

/** Where an export can be rendered, the usual place first. */
export const EXPORT_PLACES: readonly Place[] = hasService ? ['service', 'device'] : ['device'];

/** Where exports are rendered; null: not chosen yet. Stored in this browser. */
const chosenPlace = remembered<Place | null>(
  'tiercut-export-place',
  null,
  (kept) => EXPORT_PLACES.find((place) => place === kept) ?? null,
);

/** Where an export is finished sooner, as far as it is known. */
export const soonerPlace = signal<Place>(EXPORT_PLACES[0]!);

/** Where the next export is rendered. */
export const exportPlace = computed(() => chosenPlace.value ?? soonerPlace.value);

/** From now on, exports are rendered there. */
export function choosePlace(place: Place): void {
  chosenPlace.value = place;
}
