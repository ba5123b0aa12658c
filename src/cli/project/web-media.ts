import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchRules, readConfig } from '../../config/config.ts';
import { ExportError } from '../../errors.ts';
import { fetchFile, tooLarge, type Validators } from '../../outbound/fetch-file.ts';
import { readAddress } from '../../outbound/read-address.ts';
import { allOrFirstFault } from '../../platform/signals.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import type { CommandName } from '../command-line/commands.ts';
import { usageError } from '../command-line/read-arguments.ts';
import type { StatusLine } from '../command-line/terminal.ts';
import { StoredMedia } from './service-media.ts';

const MAX_AT_ONCE = 4;

/**
 * Fetches media of a project from the web, under the rules of the service, into a folder that is removed on dispose.
 * (C66)
 */
export class WebMedia implements AsyncDisposable {
  /** The values of the command line, by `file_field`; they take precedence over the project. */
  readonly named: ReadonlyMap<string, string>;
  /** Media that the service of the user stores. */
  readonly stored: StoredMedia;
  readonly #status: StatusLine;
  readonly #here = new Map<string, { readonly path: string; readonly validators: Validators }>();
  #folder: Promise<string> | null = null;
  #files = 0;

  /** @param given the values of `--media-url`. @throws `cli.usage` */
  constructor(command: CommandName, given: readonly string[], status: StatusLine) {
    this.named = readNamed(command, given);
    this.#status = status;
    this.stored = new StoredMedia(status);
  }

  /**
   * Paths by field. An address that was fetched before is fetched again only if it has changed.
   *
   * @throws ExportError with all errors, at `/media/<field>`.
   */
  async fetch(addresses: ReadonlyMap<string, string>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const faults = new IssueList();
    const urls = readUrls(addresses, faults);
    faults.throwIfFailed();
    const fields = Map.groupBy(urls.keys(), (field) => urls.get(field)!.href);
    const left = fields.keys();
    let done = 0;
    const fetchInTurn = async () => {
      for (const href of left) {
        this.#status.show(`fetching files: ${done} of ${fields.size}`);
        try {
          await this.#fetch(new URL(href), signal);
        } catch (error) {
          if (!(error instanceof ExportError)) throw error;
          for (const field of fields.get(href)!) faults.error(placeOf(field), error.code, error.message, error.kind);
        }
        done += 1;
      }
    };
    try {
      await allOrFirstFault(Array.from({ length: MAX_AT_ONCE }, fetchInTurn));
    } finally {
      this.#status.end();
    }
    faults.throwIfFailed();
    return new Map(urls.entries().map(([field, { href }]) => [field, this.#here.get(href)!.path]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stored[Symbol.asyncDispose]();
    if (this.#folder !== null) await rm(await this.#folder, { recursive: true, force: true });
  }

  async #fetch(url: URL, signal: AbortSignal): Promise<void> {
    const config = readConfig();
    const { maxFileBytes } = config;
    const requireSize = async (bytes: number | null) => {
      if ((bytes ?? 0) > maxFileBytes) throw tooLarge('file', maxFileBytes);
    };
    this.#folder ??= mkdtemp(join(tmpdir(), 'tiercut-fetched-'));
    const path = join(await this.#folder, String(this.#files++));
    const before = this.#here.get(url.href);
    const watch = { onLength: requireSize, onBytes: requireSize };
    const file = await fetchFile(url, path, before?.validators ?? null, fetchRules(config), signal, watch);
    if (file === null) return;
    this.#here.set(url.href, { path, validators: file.validators });
    if (before !== undefined) await rm(before.path);
  }
}

function readNamed(command: CommandName, given: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const wrong: string[] = [];
  for (const text of given) {
    const [, field, url] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (field === undefined || url === undefined) {
      wrong.push(`--media-url must be FIELD=URL, not ${shownText(text)}.`);
    } else if (named.has(field)) wrong.push(`--media-url names ${shownText(field)} twice.`);
    else named.set(field, url);
  }
  if (wrong.length > 0) throw usageError(command, wrong);
  return named;
}

function readUrls(addresses: ReadonlyMap<string, string>, faults: IssueList): ReadonlyMap<string, URL> {
  const { allowPrivate } = fetchRules(readConfig());
  const urls = new Map<string, URL>();
  for (const [field, text] of addresses) {
    const url = readAddress(text, allowPrivate);
    if (url instanceof URL) urls.set(field, url);
    else faults.error(placeOf(field), 'fetch.address', `The address of a file ${url}`);
  }
  return urls;
}

function placeOf(field: string): string {
  return pointer('/media', field);
}
