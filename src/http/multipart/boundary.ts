import { ExportError } from '../../errors.ts';
import { parseHeader } from './header-parameters.ts';
import { isJson } from './read-json-body.ts';

/**
 * Checks the media type of a form in the headers, before the body is sent. @throws what `boundaryOf` throws (C1, C67)
 */
export function requireForm(contentType: string | undefined): void {
  if (!isJson(contentType)) boundaryOf(contentType);
}

/** The characters and the length that RFC 2046 allows; no space at the end. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/**
 * The boundary of a multipart request.
 *
 * @throws `request.not_multipart` if the body is something else (415), `multipart.boundary_invalid` if it is multipart
 * without a usable boundary.
 */
export function boundaryOf(contentType: string | undefined): string {
  const header = parseHeader(contentType ?? '');
  if (!/^multipart\/form-data$/i.test(/^[^;]*/.exec(contentType ?? '')![0].trim())) {
    const found = contentType === undefined ? 'nothing' : JSON.stringify(contentType.slice(0, 100));
    const message = `The request must be multipart/form-data or application/json; its Content-Type says ${found}.`;
    throw new ExportError('unsupported', 'request.not_multipart', message);
  }
  const boundary = header?.parameters.get('boundary');
  if (boundary !== undefined && BOUNDARY.test(boundary)) return boundary;
  const message = 'The Content-Type header must carry one boundary of 1 to 70 characters, as RFC 2046 allows them.';
  throw new ExportError('malformed', 'multipart.boundary_invalid', message);
}
