import { addressForms } from './address-forms.ts';
import type { Attack } from './attack.ts';
import { costlyResponses } from './costly-responses.ts';
import { foreignIds } from './foreign-ids.ts';
import { hostileNames } from './hostile-names.ts';
import { internalNames } from './internal-names.ts';
import { largestDocuments } from './largest-documents.ts';
import { mcpFiles } from './mcp-files.ts';
import { openWaits } from './open-waits.ts';
import { slowHeaders } from './slow-headers.ts';
import { smuggling } from './smuggling.ts';
import { svgBombsAsItems } from './svg.ts';

/** Every attack, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [
  slowHeaders,
  smuggling,
  hostileNames,
  foreignIds,
  addressForms,
  internalNames,
  largestDocuments,
  openWaits,
  svgBombsAsItems,
  mcpFiles,
  costlyResponses,
];
