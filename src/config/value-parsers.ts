import { isIP } from 'node:net';
import { z } from 'zod';
import { isWebhookSecret } from '../store/webhook-secret.ts';
import { DEFAULT_PRESETS, type Presets } from '../timeline/presets.ts';
import { BLOB_BACKENDS, type BlobPlace } from './blob-backends.ts';

/** Parses the text of a variable. Returns the value, or a description of the allowed values. */
type ValueParser<T> = (text: string) => { readonly value: T } | { readonly allowed: string };

/** Any text that is not empty. */
export const text: ValueParser<string> = (given) => (given === '' ? { allowed: 'a text' } : { value: given });

/** A whole number within bounds. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): ValueParser<number> {
  const allowed =
    max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min} up` : `a whole number from ${min} to ${max}`;
  return (given) => {
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= min && value <= max ? { value } : { allowed };
  };
}

/** One of a few words. */
export function oneOf<const T extends string>(...choices: readonly T[]): ValueParser<T> {
  return (given) => {
    const value = choices.find((choice) => choice === given);
    return value === undefined ? { allowed: choices.join(' | ') } : { value };
  };
}

/** `auto`, `off`, or the path of a cgroup below the root. */
export const cgroup: ValueParser<'auto' | 'off' | `/${string}`> = (given) => {
  if (given === 'auto' || given === 'off') return { value: given };
  const isPath = /^(\/[^/\0]+)+$/.test(given) && !/\/\.\.?(\/|$)/.test(given);
  return isPath ? { value: given as `/${string}` } : { allowed: 'auto | off | the path of a cgroup, such as /tiercut' };
};

/** `on` or `off`. */
export const onOff: ValueParser<boolean> = (given) => {
  if (given === 'on' || given === 'off') return { value: given === 'on' };
  return { allowed: 'on | off' };
};

/** A text that may be empty. */
export const optionalText: ValueParser<string | null> = (given) => ({ value: given === '' ? null : given });

/** A SHA-256 in hexadecimal, or null. */
export const optionalSha256: ValueParser<string | null> = (given) => {
  if (given === '') return { value: null };
  return /^[0-9a-f]{64}$/i.test(given) ? { value: given.toLowerCase() } : { allowed: '64 hexadecimal digits' };
};

/** Texts separated by commas; may be empty. */
export const list: ValueParser<readonly string[]> = (given) => ({
  value: given
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
});

/** Names without a port, as in a `Host` header. */
export const hostNames: ValueParser<readonly string[]> = (given) => {
  const names = given
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  if (names.every((name) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[0-9]{1,5})?$/.test(name))) return { value: names };
  return { allowed: 'host names between commas, without a scheme, with a port where it is not the default' };
};

/** Which proxies are trusted with the client's address: none, this many in a row, or these networks. */
type TrustedProxies = false | number | readonly string[];

const PROXIES =
  'off | on (one proxy) | the number of proxies in a row (1 to 16) | networks such as 10.0.0.0/8, fd00::/8';

/** `off`, `on`, a number of hops, or networks separated by commas. */
export const trustedProxies: ValueParser<TrustedProxies> = (given) => {
  if (given === 'off') return { value: false };
  if (given === 'on') return { value: 1 };
  if (/^([1-9]|1[0-6])$/.test(given)) return { value: Number(given) };
  const networks = given.split(',').map((entry) => entry.trim());
  return networks.every(isNetwork) ? { value: networks } : { allowed: PROXIES };
};

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128));
}

/** An address to listen on, or null. */
export const optionalAddress: ValueParser<{ readonly host: string; readonly port: number } | null> = (given) => {
  if (given === '') return { value: null };
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(given) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    return { allowed: 'host:port, such as 127.0.0.1:9090 or [::1]:9090' };
  return { value: { host, port: Number(port) } };
};

/** The base URL of a site, without the slash at its end, or null. */
export const optionalBaseUrl: ValueParser<string | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '';
  if (!isPlain || /[?#]/.test(given))
    return { allowed: 'an address such as https://videos.example.com, without ? and #' };
  return { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
};

/** A key, or null. */
export const optionalKey: ValueParser<string | null> = (given) => {
  if (given === '' || /^[\x21-\x7e]{16,200}$/.test(given)) return { value: given === '' ? null : given };
  return { allowed: '16 to 200 printable characters' };
};

const OF_A_TENANT = /^([A-Za-z0-9_-]{1,64}):([\x21-\x2b\x2d-\x7e]{16,200})$/;

/** `tenant:text` separated by commas, or null; a tenant may have several. */
function byTenant(given: string): (readonly [tenant: string, text: string])[] | null {
  if (given.trim() === '') return [];
  const parsed = given.split(',').map((entry) => OF_A_TENANT.exec(entry.trim()));
  return parsed.includes(null) ? null : parsed.map((match) => [match![1]!, match![2]!]);
}

/** `tenant:key` separated by commas; a tenant may have several keys. */
export const apiKeys: ValueParser<readonly { readonly tenant: string; readonly key: string }[]> = (given) => {
  const value = byTenant(given)?.map(([tenant, key]) => ({ tenant, key }));
  return value === undefined ? { allowed: 'tenant:key, … with keys of 16 to 200 printable characters' } : { value };
};

const WEBHOOK_SECRET = 'whsec_ and the base64 of 16 to 64 bytes; "tiercut secret" makes one';

/** The common secret of webhooks, or null. */
export const optionalWebhookSecret: ValueParser<string | null> = (given) => {
  if (given === '') return { value: null };
  return isWebhookSecret(given) ? { value: given } : { allowed: WEBHOOK_SECRET };
};

/** `tenant:secret` separated by commas; a tenant may have several, and all of them sign. */
export const webhookSecrets: ValueParser<readonly { readonly tenant: string; readonly secret: string }[]> = (given) => {
  const value = byTenant(given)?.map(([tenant, secret]) => ({ tenant, secret }));
  if (value?.every(({ secret }) => isWebhookSecret(secret))) return { value };
  return { allowed: `tenant:secret, … with secrets of ${WEBHOOK_SECRET}` };
};

const BYTE_UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** A size: `1048576`, `50MiB`, `2 GiB`. */
export const bytes: ValueParser<number> = (given) => {
  const [, digits, unit] = /^(\d+)\s*([KMGT]iB)?$/.exec(given) ?? [];
  const value = Number(digits) * (BYTE_UNITS[unit ?? ''] ?? Number.NaN);
  return Number.isSafeInteger(value) ? { value } : { allowed: 'a size such as 1048576, 50MiB or 2GiB' };
};

const ALLOWED =
  'a JSON list of exactly three {"name", "width", "height", "aliases"}: names and aliases of letters, digits, "_" and ' +
  '"-", all different; even sides from 64 to 3840';

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const side = z.number().int().min(64).max(3840).multipleOf(2);
const preset = z.strictObject({ name, width: side, height: side, aliases: z.array(name).default([]) });

/**
 * The three presets as JSON. Their names are part of addresses, so only characters without escaping are allowed. (C11)
 */
export const presets: ValueParser<Presets> = (given) => {
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    return { allowed: ALLOWED };
  }
  const checked = z.tuple([preset, preset, preset]).safeParse(json);
  if (!checked.success) return { allowed: ALLOWED };
  const names = checked.data.flatMap(({ name: own, aliases }) => [own, ...aliases]);
  return new Set(names).size === names.length ? { value: checked.data } : { allowed: ALLOWED };
};

/** The default, in the form that the parser reads. */
export const DEFAULT_PRESETS_JSON = JSON.stringify(DEFAULT_PRESETS);

/** The address of a PostgreSQL database, or null. */
export const databaseUrl: ValueParser<string | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const isDatabase = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  return isDatabase ? { value: given } : { allowed: 'an address such as postgres://user:password@host:5432/database' };
};

/** Examples of blob URLs. */
export const BLOBS_URL_EXAMPLES = BLOB_BACKENDS.map(({ example }) => example).join(' or ');

/** A URL of one of the backends, or null. */
export const blobsUrl: ValueParser<BlobPlace | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const isPlain = url !== null && !/[?#]/.test(given) && `${url.username}${url.password}${url.port}` === '';
  const backend = isPlain ? BLOB_BACKENDS.find(({ scheme }) => url.protocol === `${scheme}:`) : undefined;
  const value = backend?.parse(url!) ?? null;
  return value === null ? { allowed: BLOBS_URL_EXAMPLES } : { value };
};

/** One variable: its name, its parser, its purpose. */
export interface Variable<T> {
  readonly name: string;
  /** As it is written in the environment. */
  readonly default: string;
  readonly doc: string;
  readonly parse: ValueParser<T>;
  /** Never printed. */
  readonly secret: boolean;
}

export function variable<T>(name: string, parse: ValueParser<T>, fallback: string, doc: string): Variable<T> {
  return { name, default: fallback, doc, parse, secret: false };
}

/** A variable whose value is never printed; null by default. */
export function secret<T>(name: string, parse: ValueParser<T>, doc: string): Variable<T> {
  return { name, default: '', doc, parse, secret: true };
}
