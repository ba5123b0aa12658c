import { type ConnectionOptions, TiercutClient, TiercutError } from '../../../packages/client/src/client.ts';
import { readConfig } from '../../config/config.ts';
import { type ErrorKind, ExportError } from '../../errors.ts';

/** The address of the service. */
export function serviceUrl(): string {
  return readConfig().serviceUrl ?? 'http://127.0.0.1:8080';
}

/** The address of the service and the key. */
export function connectionOptions(): ConnectionOptions {
  const { serviceKey: key } = readConfig();
  return { url: serviceUrl(), ...(key !== null && { key }) };
}

/** A client of the service. */
export function serviceClient(): TiercutClient {
  return new TiercutClient(connectionOptions());
}

/** Runs a call to the service. @throws ExportError with the code and the errors that the service returned. */
export async function callService<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof TiercutError)) throw cause;
    const { code, errors: issues, warnings } = cause;
    const message =
      code === 'client.unreachable'
        ? `The service at ${serviceUrl()} cannot be reached. TIERCUT_URL sets its address.`
        : cause.message;
    throw new ExportError(kindOf(cause), code, message, { issues, warnings, cause });
  }
}

function kindOf({ status, isPassing }: TiercutError): ErrorKind {
  if (isPassing) return 'unavailable';
  if (status === 401 || status === 404) return 'missing';
  return status >= 400 && status < 500 ? 'invalid' : 'internal';
}
