import type { DatabaseSync } from 'node:sqlite';
import { ExportError } from '../../errors.ts';

const FIRST = `
  create table exports (
    id text primary key,
    tenant text not null,
    state text not null check (state in ('queued', 'rendering', 'completed', 'failed', 'cancelled', 'expired')),
    created_at_ms integer not null,
    expires_at_ms integer,
    revision integer not null default 1,
    selected_preset text not null,
    settings text not null,
    title text not null,
    file_name text not null,
    duration_seconds real not null,
    total_frames integer not null,
    warnings text not null,
    error text,
    request_hash text not null,
    idempotency_key text,
    sound_state text not null check (sound_state in ('waiting', 'queued', 'completed')),
    callback_url text,
    webhook_state text not null check (webhook_state in ('none', 'pending', 'delivered', 'given_up')),
    webhook_attempts integer not null default 0,
    webhook_due_at_ms integer
  ) strict;
  create unique index exports_idempotency on exports (tenant, idempotency_key) where idempotency_key is not null;
  create index exports_state on exports (state, created_at_ms);
  create index exports_expiry on exports (expires_at_ms) where expires_at_ms is not null;
  create index exports_webhook on exports (webhook_due_at_ms) where webhook_state = 'pending';

  create table outputs (
    export_id text not null references exports (id) on delete cascade,
    preset text not null,
    place integer not null,
    state text not null check (state in ('waiting', 'queued', 'rendering', 'completed', 'failed')),
    width integer not null,
    height integer not null,
    total_frames integer not null,
    frames_done integer not null default 0 check (frames_done between 0 and total_frames),
    jobs_left integer not null default 0 check (jobs_left >= 0),
    bytes integer,
    sha256 text,
    error text,
    plan_key text not null,
    primary key (export_id, preset)
  ) strict, without rowid;

  create table uploads (
    export_id text not null references exports (id) on delete cascade,
    field text not null,
    hash text not null,
    bytes integer not null,
    primary key (export_id, field)
  ) strict, without rowid;
  create index uploads_hash on uploads (hash);

  create table jobs (
    seq integer primary key autoincrement,
    id text not null unique,
    export_id text not null,
    kind text not null check (kind in ('chunk', 'sound', 'assembly')),
    preset text,
    chunk integer,
    priority integer not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    attempt integer not null default 0,
    failures integer not null default 0,
    due_at_ms integer not null,
    lease_until_ms integer,
    reason text
  ) strict;
  create index jobs_ready on jobs (priority desc, seq) where state = 'waiting';
  create index jobs_due on jobs (due_at_ms) where state = 'waiting';
  create index jobs_lease on jobs (lease_until_ms) where state = 'running';
  create index jobs_export on jobs (export_id, state, priority);
`;

/** Which process took a job: a later one knows that an earlier one is dead. */
const HOLDERS = 'alter table jobs add column holder text';

/** What a client has seen tells whether it has missed a change of state, or only figures. */
const STATE_REVISIONS = `
  alter table exports add column state_revision integer not null default 1;
  update exports set state_revision = revision;
`;

/**
 * A job names its tenant and is some adjacent chunks for some outputs. 0.1 had one chunk in each job, and raised for good
 * whatever was waited for: what it left in the queue goes on where it was, as urgent as if it were added today.
 */
const TURNS = `
  create table jobs_by_turn (
    seq integer primary key autoincrement,
    id text not null unique,
    tenant text not null,
    export_id text not null,
    kind text not null check (kind in ('chunks', 'sound', 'assembly')),
    presets text not null,
    first_chunk integer,
    chunk_count integer,
    priority integer not null,
    urgency integer not null,
    raised_until_ms integer,
    aged integer not null default 0,
    added_at_ms integer not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    attempt integer not null default 0,
    failures integer not null default 0,
    due_at_ms integer not null,
    lease_until_ms integer,
    holder text,
    reason text
  ) strict;

  insert into jobs_by_turn (seq, id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, urgency,
      added_at_ms, state, attempt, failures, due_at_ms, lease_until_ms, holder, reason)
    select j.seq, j.id, e.tenant, j.export_id, case j.kind when 'chunk' then 'chunks' else j.kind end,
      case when j.preset is null then '[]' else json_array(j.preset) end, j.chunk, case j.kind when 'chunk' then 1 end,
      r.priority, r.priority, e.created_at_ms, j.state, j.attempt, j.failures, j.due_at_ms, j.lease_until_ms,
      coalesce(j.holder, ''), j.reason
    from jobs j
      join exports e on e.id = j.export_id
      join (select j.seq, (case when j.preset is null or j.preset = e.selected_preset then 200 else 100 end)
          + (j.kind = 'assembly') as priority
        from jobs j join exports e on e.id = j.export_id) r on r.seq = j.seq;

  drop table jobs;
  alter table jobs_by_turn rename to jobs;
  create index jobs_turn on jobs (tenant, urgency desc, seq) where state = 'waiting';
  create index jobs_due on jobs (due_at_ms) where state = 'waiting';
  create index jobs_fresh on jobs (added_at_ms) where state = 'waiting' and aged = 0;
  create index jobs_raised on jobs (raised_until_ms) where raised_until_ms is not null;
  create index jobs_lease on jobs (lease_until_ms) where state = 'running';
  create index jobs_export on jobs (export_id);
`;

/** The engine an output was planned for: null of what 0.1 planned. Where its plan is follows from its name. */
const ENGINE_VERSIONS = `
  alter table outputs add column engine_version text;
  alter table outputs drop column plan_key;
`;

/** What a client calls an export, and its exports in the order of a list, by what they can be asked for. (C40) */
const LISTS = `
  alter table exports add column external_id text;
  create index exports_list on exports (tenant, created_at_ms, id);
  create index exports_list_state on exports (tenant, state, created_at_ms, id);
  create index exports_list_external on exports (tenant, external_id, created_at_ms, id) where external_id is not null;
`;

/** What became of the tries at telling a client that its export has ended. (C41) */
const DELIVERIES = `
  create table deliveries (
    seq integer primary key autoincrement,
    export_id text not null references exports (id) on delete cascade,
    at_ms integer not null,
    duration_ms integer not null,
    delivered integer not null check (delivered in (0, 1)),
    status integer,
    reason text
  ) strict;
  create index deliveries_export on deliveries (export_id, seq);
`;

/**
 * What each tenant has sent, with what looking into it has brought (C38). `lasting`: it was put there by itself, and lasts
 * for a while after its use; all else goes with the last export that draws on it, as all of it did before.
 */
const MEDIA = `
  create table media (
    tenant text not null,
    sha256 text not null,
    bytes integer not null,
    lasting integer not null check (lasting in (0, 1)),
    used_at_ms integer not null,
    facts text,
    facts_by text,
    primary key (tenant, sha256)
  ) strict, without rowid;
  create index media_sha256 on media (sha256);
  create index media_used on media (used_at_ms) where lasting = 1;

  insert into media (tenant, sha256, bytes, lasting, used_at_ms)
    select e.tenant, u.hash, max(u.bytes), 0, max(e.created_at_ms)
    from uploads u join exports e on e.id = u.export_id
    where e.state not in ('expired', 'cancelled')
    group by e.tenant, u.hash;

  create table unfinished_media (
    tenant text not null,
    sha256 text not null,
    file text not null unique,
    bytes integer not null,
    received integer not null check (received between 0 and bytes),
    received_at_ms integer not null,
    primary key (tenant, sha256)
  ) strict, without rowid;
`;

/** Sessions that were ended before their time. (C51) */
const ENDED_SESSIONS = `
  create table ended_sessions (id text primary key, expires_at_ms integer not null) strict, without rowid;
  create index ended_sessions_expiry on ended_sessions (expires_at_ms);
`;

/**
 * Files that records name. Rendered pieces, and who needs them: earlier releases went by the names and times of files. The
 * bytes of uploads, once for all tenants, and of finished videos: their blobs have names that nobody else ever gets, so
 * that whoever comes late with one, or late to remove one, touches no other. Earlier ones have those they had.
 */
const FILES = `
  create table parts (
    key text primary key,
    blob text not null unique,
    bytes integer not null,
    used_at_ms integer not null
  ) strict, without rowid;
  create index parts_used on parts (used_at_ms, key);

  create table part_pins (owner text not null, key text not null, primary key (owner, key)) strict, without rowid;
  create index part_pins_key on part_pins (key);

  create table contents (
    sha256 text primary key,
    blob text not null unique,
    bytes integer not null,
    used_at_ms integer not null
  ) strict, without rowid;
  insert into contents (sha256, blob, bytes, used_at_ms)
    select hash, 'uploads/' || hash, max(bytes), max(at_ms) from (
      select sha256 as hash, bytes, used_at_ms as at_ms from media
      union all select u.hash, u.bytes, e.created_at_ms from uploads u join exports e on e.id = u.export_id
        where e.state not in ('expired', 'cancelled'))
    group by hash;

  alter table outputs add column blob text;
`;

/** What is being rendered, as far as other processes are to see it; of one process's own, it is in its memory. */
const LIVE_FRAMES = `
  create table live_frames (
    export_id text not null,
    preset text not null,
    first_chunk integer not null,
    frames integer not null,
    primary key (export_id, preset, first_chunk),
    foreign key (export_id, preset) references outputs (export_id, preset) on delete cascade
  ) strict, without rowid;
`;

/** Outputs that are cut from another one; null in those that are not. (C52) */
const SHORTS = `
  alter table outputs add column short_number integer;
  alter table outputs add column short_title text;
  alter table outputs add column short_start integer;
  create index outputs_shorts_queued on outputs (export_id) where state = 'queued' and short_number is not null;
`;

/** Each brings the database from the version of its place to the next. Shipped ones are never edited: add another. */
export const MIGRATIONS: readonly string[] = [
  FIRST,
  HOLDERS,
  STATE_REVISIONS,
  TURNS,
  ENGINE_VERSIONS,
  LISTS,
  DELIVERIES,
  MEDIA,
  ENDED_SESSIONS,
  FILES,
  LIVE_FRAMES,
  SHORTS,
];

/**
 * Applies what a database lacks, all of it or nothing.
 *
 * @throws `store.newer_schema` where it was written by a newer release than this one.
 */
export function migrate(connection: DatabaseSync, migrations: readonly string[]): void {
  const version = Number(connection.prepare('pragma user_version').get()?.user_version);
  if (version > migrations.length) {
    const message = `The database was written by a newer release (schema ${version}, this one knows ${migrations.length}). Start that release, or another data folder.`;
    throw new ExportError('unavailable', 'store.newer_schema', message);
  }
  if (version === migrations.length) return;
  connection.exec('begin immediate');
  try {
    for (const sql of migrations.slice(version)) connection.exec(sql);
    connection.exec(`pragma user_version = ${migrations.length}`);
    connection.exec('commit');
  } catch (cause) {
    if (connection.isTransaction) connection.exec('rollback');
    throw cause;
  }
}
