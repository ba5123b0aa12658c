import type { SqlDialect } from './tables.ts';

/**
 * A change of the tables. Nodes of an older release may be running while it is made, so its kind says what they can
 * stand:
 *
 * - `adds`: older releases work as before. Nodes of this release need it.
 * - `removes`: removes what only older releases use. Nodes of this release work without it and with it.
 * - `replaces`: neither. Older nodes stop before it, and nodes of this release start after it. Avoid it.
 */
export interface MigrationStep {
  /** The version of the schema that it makes; the numbers have no gaps. */
  readonly number: number;
  readonly name: string;
  readonly kind: 'adds' | 'removes' | 'replaces';
  /** One statement each. Never changed once a release has it. */
  readonly statements: (dialect: SqlDialect) => readonly string[];
}

/** The schema of the first release that can be migrated: 1.0.0-rc.1. */
const FIRST_SCHEMA = 19;

/** All steps since then. `recordTables` and the tables of jobs have the result: the tables of a new database. */
export const STEPS: readonly MigrationStep[] = [
  {
    number: 20,
    name: 'a record of the steps',
    kind: 'adds',
    statements: ({ table }) => [table('schema_steps', 'number integer primary key, name text not null')],
  },
  {
    number: 21,
    name: 'one queue for all work',
    kind: 'replaces',
    // PostgreSQL: move-jobs.ts moves what waits.
    statements: ({ database, table }) => [
      'drop index captions_due',
      `create index captions_unfinished on captions (created_at_ms) where state = 'queued'`,
      'alter table captions add column running integer not null default 0',
      ...(database === 'sqlite' ? sqliteQueue(table) : [POSTGRES_PLACES]),
    ],
  },
  {
    number: 22,
    name: 'no claims beside the queue',
    kind: 'removes',
    statements: ({ database }) => [
      'drop index fetches_due',
      'drop index destinations_due',
      'drop index if exists exports_webhook',
      ...['fetches', 'captions', 'destinations'].flatMap((name) =>
        ['tries', 'holder', 'held_until_ms'].map((column) => `alter table ${name} drop column ${column}`),
      ),
      ...(database === 'postgres' ? ['drop table jobs'] : []),
    ],
  },
  {
    number: 23,
    name: 'metadata of exports',
    kind: 'adds',
    statements: ({ table, wide }) => [
      `alter table exports add column metadata text not null default '{}'`,
      table(
        'export_metadata',
        `export_id text not null references exports (id) on delete cascade,
    pair text not null,
    tenant text not null,
    created_at_ms ${wide} not null,
    primary key (export_id, pair)`,
      ),
      'create index export_metadata_list on export_metadata (tenant, pair, created_at_ms, export_id)',
    ],
  },
  {
    number: 24,
    name: 'the project of an export',
    kind: 'adds',
    statements: () => [
      'alter table exports add column project_id text',
      'alter table exports add column project_revision integer',
      'alter table exports add column project_values text',
    ],
  },
  {
    number: 25,
    name: 'a list of media',
    kind: 'adds',
    statements: () => ['create index media_list on media (tenant, used_at_ms, sha256)'],
  },
  {
    number: 26,
    name: 'batches',
    kind: 'adds',
    statements: ({ table, wide }) => [
      table(
        'batches',
        `id text primary key,
        tenant text not null,
        state text not null check (state in ('running', 'completed', 'cancelled')),
        created_at_ms ${wide} not null,
        ended_at_ms ${wide},
        expires_at_ms ${wide},
        project_id text not null,
        revision integer not null,
        total integer not null,
        table_columns text not null,
        fields text not null,
        request_hash text not null,
        idempotency_key text,
        template text not null,
        bytes ${wide} not null`,
      ),
      'create unique index batches_idempotency on batches (tenant, idempotency_key) where idempotency_key is not null',
      'create index batches_tenant on batches (tenant, state, created_at_ms, id)',
      "create index batches_running on batches (created_at_ms, id) where state = 'running'",
      'create index batches_expiry on batches (expires_at_ms) where expires_at_ms is not null',
      table(
        'batch_rows',
        `batch_id text not null references batches (id) on delete cascade,
        number integer not null,
        video text,
        fill text not null,
        state text not null check (state in ('waiting', 'created', 'completed', 'failed', 'cancelled', 'invalid')),
        export_id text,
        error text,
        tries integer not null default 0,
        primary key (batch_id, number)`,
      ),
      'create index batch_rows_state on batch_rows (batch_id, state, number)',
      'create index batch_rows_export on batch_rows (export_id) where export_id is not null',
    ],
  },
  {
    number: 27,
    name: 'a record of every event',
    kind: 'replaces',
    statements: (dialect) => [...eventTables(dialect), ...eventsMoved(dialect)],
  },
  {
    number: 28,
    name: 'registered webhooks',
    kind: 'adds',
    statements: ({ table, wide }) => [
      table(
        'webhooks',
        `tenant text not null,
    name text not null,
    url text not null,
    events text not null,
    secret text not null,
    enabled integer not null check (enabled in (0, 1)),
    disabled_reason text,
    created_at_ms ${wide} not null,
    changed_at_ms ${wide} not null,
    primary key (tenant, name)`,
      ),
    ],
  },
  {
    number: 29,
    name: 'a list of batches',
    kind: 'adds',
    statements: ({ table }) => [
      'create index batches_list on batches (tenant, created_at_ms, id)',
      table(
        'batch_metadata',
        `batch_id text not null references batches (id) on delete cascade,
        pair text not null,
        primary key (batch_id, pair)`,
      ),
    ],
  },
  {
    number: 30,
    name: 'the secret of a webhook before the last change',
    kind: 'adds',
    statements: ({ wide }) => [
      'alter table webhooks add column old_secret text',
      `alter table webhooks add column old_secret_until_ms ${wide}`,
    ],
  },
  {
    number: 31,
    name: 'events of batches',
    kind: 'replaces',
    statements: eventsOfBatches,
  },
  {
    number: 32,
    name: 'the media of batches',
    kind: 'adds',
    statements: ({ table }) => [
      table(
        'batch_media',
        `batch_id text not null references batches (id) on delete cascade,
        tenant text not null,
        sha256 text not null,
        primary key (batch_id, sha256)`,
      ),
      'create index batch_media_sha256 on batch_media (tenant, sha256)',
    ],
  },
];

const POSTGRES_PLACES = 'create sequence job_places minvalue 0 maxvalue 4194303 cycle';

/** Jobs of all lanes in one table, with what had a claim, or a time, in the table of its records. */
function sqliteQueue(table: SqlDialect['table']): string[] {
  const own =
    'tenant, export_id, kind, lane, needs, presets, priority, urgency, added_at_ms, state, failures, due_at_ms';
  return [
    'alter table jobs rename to old_jobs',
    ...['turn', 'due', 'fresh', 'raised', 'lease', 'export'].map((name) => `drop index jobs_${name}`),
    table(
      'jobs',
      `seq integer primary key autoincrement,
    id text not null unique,
    tenant text not null,
    export_id text not null,
    kind text not null,
    lane text not null,
    presets text not null,
    first_chunk integer,
    chunk_count integer,
    needs text,
    priority integer not null,
    urgency integer not null,
    raised_until_ms integer,
    aged integer not null default 0,
    added_at_ms integer not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    attempt integer not null default 0,
    failures integer not null default 0,
    deaths integer not null default 0,
    due_at_ms integer not null,
    lease_until_ms integer,
    holder text,
    reason text`,
    ),
    `insert into jobs (seq, id, tenant, export_id, kind, lane, presets, first_chunk, chunk_count, priority, urgency,
       raised_until_ms, aged, added_at_ms, state, attempt, failures, deaths, due_at_ms, lease_until_ms, holder, reason)
     select seq, id, tenant, export_id, kind, 'render', presets, first_chunk, chunk_count, priority, urgency,
       raised_until_ms, aged, added_at_ms, state, attempt, failures, deaths, due_at_ms, lease_until_ms, holder, reason
     from old_jobs order by seq`,
    'drop table old_jobs',
    `insert into jobs (id, ${own})
     select 'fetch/' || f.export_id, f.tenant, f.export_id, 'fetch', 'fetch', null, '[]', 100, 100, e.created_at_ms, 'waiting', 0, 0
     from fetches f join exports e on e.id = f.export_id`,
    `insert into jobs (id, ${own})
     select 'captions/' || id, tenant, id, 'captions', 'captions', model, '[]', 100, 100, created_at_ms, 'waiting', 0, 0
     from captions where state = 'queued'`,
    `insert into jobs (id, ${own})
     select 'destination/' || d.export_id || '/' || d.preset, d.tenant, d.export_id, 'destination', 'destination', null,
       json_array(d.preset), 100, 100, e.created_at_ms, 'waiting', d.attempts - (d.state = 'sending'),
       case when d.holder is null then d.held_until_ms else 0 end
     from destinations d join exports e on e.id = d.export_id
     where d.state in ('waiting', 'sending') and d.held_until_ms is not null`,
    `insert into jobs (id, ${own})
     select 'webhook/' || id, 'receiver 0', id, 'webhook', 'webhook', null, '[]', 100, 100, created_at_ms, 'waiting',
       webhook_attempts, coalesce(webhook_due_at_ms, 0)
     from exports where webhook_state = 'pending' and callback_url is not null`,
    `create index jobs_turn on jobs (lane, tenant, urgency desc, seq) where state = 'waiting'`,
    `create index jobs_due on jobs (lane, due_at_ms) where state = 'waiting'`,
    `create index jobs_fresh on jobs (added_at_ms) where state = 'waiting' and aged = 0`,
    'create index jobs_raised on jobs (raised_until_ms) where raised_until_ms is not null',
    `create index jobs_lease on jobs (lease_until_ms) where state = 'running'`,
    'create index jobs_export on jobs (export_id)',
  ];
}

function eventTables({ table, wide }: SqlDialect): string[] {
  return [
    table(
      'events',
      `id text primary key,
    export_id text not null references exports (id) on delete cascade,
    tenant text not null,
    type text not null,
    preset text,
    at_ms ${wide} not null`,
    ),
    'create index events_export on events (export_id, at_ms)',
    'create index events_list on events (tenant, at_ms, id)',
    'create index events_list_type on events (tenant, type, at_ms, id)',
    table(
      'event_receivers',
      `event_id text not null references events (id) on delete cascade,
    receiver text not null,
    export_id text not null,
    tenant text not null,
    at_ms ${wide} not null,
    state text not null check (state in ('pending', 'delivered', 'given_up', 'dropped')),
    attempts integer not null default 0,
    due_at_ms ${wide},
    primary key (event_id, receiver)`,
    ),
    'create index event_receivers_queue on event_receivers (export_id, receiver, state, at_ms)',
    `create index event_receivers_waiting on event_receivers (tenant, receiver) where state = 'pending'`,
    'alter table deliveries add column event_id text',
    `alter table deliveries add column receiver text not null default ''`,
    'alter table exports add column callback_ended integer not null default 0',
  ];
}

/** An event is of an export or of a batch. */
function eventsOfBatches({ database, table, wide }: SqlDialect): string[] {
  const batch = 'batch_id text references batches (id) on delete cascade';
  const index = 'create index events_batch on events (batch_id) where batch_id is not null';
  if (database === 'postgres')
    return ['alter table events alter column export_id drop not null', `alter table events add column ${batch}`, index];
  return [
    table(
      'events_next',
      `id text primary key,
    export_id text references exports (id) on delete cascade,
    tenant text not null,
    type text not null,
    preset text,
    at_ms ${wide} not null,
    ${batch}`,
    ),
    `insert into events_next (id, export_id, tenant, type, preset, at_ms)
     select id, export_id, tenant, type, preset, at_ms from events`,
    'drop table events',
    'alter table events_next rename to events',
    'create index events_export on events (export_id, at_ms)',
    'create index events_list on events (tenant, at_ms, id)',
    'create index events_list_type on events (tenant, type, at_ms, id)',
    index,
  ];
}

/** The current event of each export, and those that wait, move out of its row; the time of each is later than of the one before. */
function eventsMoved({ database }: SqlDialect): string[] {
  const listed =
    database === 'sqlite'
      ? `select e.id, e.tenant, e.webhook_state, e.webhook_attempts, e.webhook_due_at_ms, j.key as place,
           j.value ->> 'type' as type, j.value ->> 'preset' as preset, coalesce(j.value ->> 'atMs', e.created_at_ms) as at_ms
         from exports e, json_each(e.webhook_events) j`
      : `select e.id, e.tenant, e.webhook_state, e.webhook_attempts, e.webhook_due_at_ms, j.number - 1 as place,
           j.value ->> 'type' as type, j.value ->> 'preset' as preset, coalesce((j.value ->> 'atMs')::bigint, e.created_at_ms) as at_ms
         from exports e, json_array_elements(e.webhook_events::json) with ordinality as j(value, number)`;
  const placed = `select l.*, place + max(at_ms) over (partition by id order by place) as event_at_ms,
      case when preset is null then id || '.' || substr(type, 8) else id || '.' || type || '.' || preset end as event_id
    from (${listed}) l`;
  return [
    `insert into events (id, export_id, tenant, type, preset, at_ms)
     select event_id, id, tenant, type, preset, event_at_ms from (${placed}) p`,
    `insert into event_receivers (event_id, receiver, export_id, tenant, at_ms, state, attempts, due_at_ms)
     select event_id, '', id, tenant, event_at_ms, webhook_state,
       case when place = 0 then webhook_attempts else 0 end,
       case when place = 0 and webhook_due_at_ms > 0 then webhook_due_at_ms end from (${placed}) p`,
    ...['state', 'attempts', 'due_at_ms', 'events'].map((name) => `alter table exports drop column webhook_${name}`),
  ];
}

/** The newest version of all tables, in both databases. */
export const SCHEMA_VERSION = STEPS.at(-1)?.number ?? FIRST_SCHEMA;
