// The newest tables. A change of them is a step as well (migration/steps.ts): ARCHITECTURE.md, "A change of the schema".

/** The differences between the two databases. */
export interface SqlDialect {
  readonly database: 'sqlite' | 'postgres';
  /** 64-bit integers, for times and bytes. */
  readonly wide: string;
  readonly real: string;
  /** A primary key that grows with every row. */
  readonly serialKey: string;
  /** Creates a table, stored as its use suggests. */
  table(name: string, columns: string): string;
}

/**
 * The tables of all records. Each queue has its own table of jobs. Documents are texts and flags are 0 and 1, which
 * both databases store unchanged.
 */
export function recordTables({ wide, real, serialKey, table }: SqlDialect): string {
  return `
  ${table(
    'exports',
    `id text primary key,
    tenant text not null,
    state text not null check (state in ('queued', 'rendering', 'completed', 'failed', 'cancelled', 'expired')),
    created_at_ms ${wide} not null,
    expires_at_ms ${wide},
    revision integer not null default 1,
    state_revision integer not null default 1,
    selected_preset text not null,
    settings text not null,
    title text not null,
    file_name text not null,
    duration_seconds ${real} not null,
    total_frames integer not null,
    warnings text not null,
    error text,
    request_hash text not null,
    idempotency_key text,
    sound_state text not null check (sound_state in ('waiting', 'queued', 'completed')),
    callback_url text,
    callback_events text not null,
    external_id text,
    retention_ms ${wide},
    metadata text not null default '{}',
    project_id text,
    project_revision integer,
    project_values text,
    callback_ended integer not null default 0`,
  )}
  create unique index exports_idempotency on exports (tenant, idempotency_key) where idempotency_key is not null;
  create index exports_state on exports (state, created_at_ms);
  create index exports_expiry on exports (expires_at_ms) where expires_at_ms is not null;
  create index exports_list on exports (tenant, created_at_ms, id);
  create index exports_list_state on exports (tenant, state, created_at_ms, id);
  create index exports_list_external on exports (tenant, external_id, created_at_ms, id) where external_id is not null;

  -- Which exports have a pair of metadata, in the order of lists; a pair is a hash. (C87)
  ${table(
    'export_metadata',
    `export_id text not null references exports (id) on delete cascade,
    pair text not null,
    tenant text not null,
    created_at_ms ${wide} not null,
    primary key (export_id, pair)`,
  )}
  create index export_metadata_list on export_metadata (tenant, pair, created_at_ms, export_id);

  -- The columns of a short are null in all other outputs. (C52)
  ${table(
    'outputs',
    `export_id text not null references exports (id) on delete cascade,
    preset text not null,
    place integer not null,
    state text not null check (state in ('waiting', 'queued', 'rendering', 'completed', 'failed')),
    width integer not null,
    height integer not null,
    total_frames integer not null,
    frames_done integer not null default 0 check (frames_done between 0 and total_frames),
    jobs_left integer not null default 0 check (jobs_left >= 0),
    bytes ${wide},
    sha256 text,
    blob text,
    error text,
    engine_version text not null,
    short_number integer,
    short_title text,
    short_start integer,
    primary key (export_id, preset)`,
  )}
  create index outputs_under_way on outputs (export_id) where state in ('queued', 'rendering');
  create index outputs_shorts_queued on outputs (export_id) where state = 'queued' and short_number is not null;

  -- The progress of running jobs, for other processes. A worker reports lost rows again.
  ${table(
    'live_frames',
    `export_id text not null,
    preset text not null,
    first_chunk integer not null,
    frames integer not null,
    primary key (export_id, preset, first_chunk),
    foreign key (export_id, preset) references outputs (export_id, preset) on delete cascade`,
  )}

  ${table(
    'uploads',
    `export_id text not null references exports (id) on delete cascade,
    field text not null,
    hash text not null,
    bytes ${wide} not null,
    primary key (export_id, field)`,
  )}
  create index uploads_hash on uploads (hash);

  -- The tries to send the events of an export. (C41)
  ${table(
    'deliveries',
    `seq ${serialKey},
    export_id text not null references exports (id) on delete cascade,
    type text not null,
    at_ms ${wide} not null,
    duration_ms integer not null,
    delivered integer not null check (delivered in (0, 1)),
    status integer,
    reason text,
    event_id text,
    receiver text not null default ''`,
  )}
  create index deliveries_export on deliveries (export_id, seq);

  -- The webhooks that tenants have registered. The client chooses the name, so it is unique per tenant only. (C96)
  ${table(
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
    old_secret text,
    old_secret_until_ms ${wide},
    primary key (tenant, name)`,
  )}

  -- The media of each tenant, with the facts of their probes (C38). Lasting media were uploaded on their own and stay for a
  -- while after their last use; others are deleted with the last export that uses them.
  ${table(
    'media',
    `tenant text not null,
    sha256 text not null,
    bytes ${wide} not null,
    lasting integer not null check (lasting in (0, 1)),
    used_at_ms ${wide} not null,
    facts text,
    facts_by text,
    primary key (tenant, sha256)`,
  )}
  create index media_sha256 on media (sha256);
  create index media_used on media (used_at_ms) where lasting = 1;
  create index media_list on media (tenant, used_at_ms, sha256);

  ${table(
    'unfinished_media',
    `tenant text not null,
    sha256 text not null,
    file text not null unique,
    bytes ${wide} not null,
    received ${wide} not null check (received between 0 and bytes),
    received_at_ms ${wide} not null,
    primary key (tenant, sha256)`,
  )}

  -- Projects: the current revision, earlier revisions, and the media that they refer to (C76). The client chooses the id, so it
  -- is unique per tenant only. Documents and thumbnails are contents; a project may refer to media that are not stored yet.
  ${table(
    'projects',
    `tenant text not null,
    id text not null,
    revision integer not null,
    created_at_ms ${wide} not null,
    saved_at_ms ${wide} not null,
    thumbnail text,
    thumbnail_bytes integer not null default 0,
    primary key (tenant, id)`,
  )}
  create index projects_list on projects (tenant, saved_at_ms, id);
  create index projects_thumbnail on projects (thumbnail) where thumbnail is not null;
  ${table(
    'project_revisions',
    `tenant text not null,
    project_id text not null,
    revision integer not null,
    name text not null,
    document text not null,
    bytes ${wide} not null,
    saved_at_ms ${wide} not null,
    primary key (tenant, project_id, revision),
    foreign key (tenant, project_id) references projects (tenant, id) on delete cascade`,
  )}
  create index project_revisions_document on project_revisions (document);
  ${table(
    'project_media',
    `tenant text not null,
    project_id text not null,
    revision integer not null,
    sha256 text not null,
    primary key (tenant, project_id, revision, sha256),
    foreign key (tenant, project_id, revision) references project_revisions (tenant, project_id, revision) on delete cascade`,
  )}
  create index project_media_sha256 on project_media (tenant, sha256);

  -- Links that read a project. Only the hash of the secret is stored.
  ${table(
    'project_links',
    `secret_sha256 text primary key,
    id text not null,
    tenant text not null,
    project_id text not null,
    created_at_ms ${wide} not null,
    foreign key (tenant, project_id) references projects (tenant, id) on delete cascade`,
  )}
  create index project_links_project on project_links (tenant, project_id);
  -- The content of each fetched address (by the SHA-256 of the address), and the validators of its version. (C66)
  ${table(
    'fetched_media',
    `tenant text not null,
    address text not null,
    sha256 text not null,
    etag text,
    last_modified text,
    primary key (tenant, address),
    foreign key (tenant, sha256) references media (tenant, sha256) on delete cascade`,
  )}
  create index fetched_media_sha256 on fetched_media (tenant, sha256);

  -- Exports whose files have to be fetched. (C66)
  ${table(
    'fetches',
    `export_id text primary key references exports (id) on delete cascade,
    tenant text not null,
    waits integer not null check (waits in (0, 1)),
    files integer not null,
    files_done integer not null default 0,
    bytes_done ${wide} not null default 0`,
  )}

  -- Drafts, which are rendered while a user edits: the current plan of each, and the parts that a worker renders (C79). The client
  -- chooses the id, so it is unique per tenant only.
  ${table(
    'drafts',
    `tenant text not null,
    id text not null,
    plan_id text not null unique,
    preset text not null,
    engine_version text not null,
    state text not null check (state in ('rendering', 'ready', 'failed')),
    used_at_ms ${wide} not null,
    served_at_ms ${wide} not null default 0,
    primary key (tenant, id)`,
  )}
  create index drafts_open on drafts (served_at_ms) where state = 'rendering';
  create index drafts_used on drafts (used_at_ms);
  ${table(
    'draft_claims',
    `plan_id text not null references drafts (plan_id) on delete cascade on update cascade,
    part integer not null,
    holder text not null,
    held_until_ms ${wide} not null,
    primary key (plan_id, part)`,
  )}

  -- Captions from speech (C77). A tenant has one row for a sound, model and language.
  -- The source is JSON. The result is content of the tenant, and the row is deleted with it.
  ${table(
    'captions',
    `id text primary key,
    tenant text not null,
    key text not null,
    state text not null check (state in ('queued', 'completed', 'failed')),
    language text not null,
    model text not null,
    source text not null,
    progress ${real} not null default 0,
    result text,
    error text,
    created_at_ms ${wide} not null,
    ended_at_ms ${wide},
    running integer not null default 0,
    foreign key (tenant, result) references media (tenant, sha256) on delete cascade`,
  )}
  create unique index captions_key on captions (tenant, key);
  create index captions_failed on captions (ended_at_ms) where state = 'failed';
  create index captions_result on captions (tenant, result) where result is not null;
  create index captions_unfinished on captions (created_at_ms) where state = 'queued';
  -- The media of unfinished captions, which do not expire.
  ${table(
    'caption_media',
    `captions_id text not null references captions (id) on delete cascade,
    tenant text not null,
    sha256 text not null,
    primary key (captions_id, sha256)`,
  )}
  create index caption_media_sha256 on caption_media (tenant, sha256);
  -- The speech models of all nodes, and when a running node last reported each.
  ${table('caption_models', `model text primary key, seen_at_ms ${wide} not null`)}

  -- Destinations of outputs. A settled row has no address. (C69)
  ${table(
    'destinations',
    `id text primary key,
    export_id text not null references exports (id) on delete cascade,
    preset text not null,
    tenant text not null,
    state text not null check (state in ('waiting', 'sending', 'sent', 'failed')),
    target text,
    attempts integer not null default 0,
    error text,
    unique (export_id, preset)`,
  )}

  -- The usage of each tenant on each UTC day, one counter per row; preset is empty for counters without presets. (C74)
  ${table(
    'usage_days',
    `tenant text not null,
    day text not null,
    counter text not null check (counter in ('exports', 'rendered_ms', 'bytes_stored', 'bytes_sent')),
    preset text not null,
    amount ${wide} not null,
    primary key (tenant, day, counter, preset)`,
  )}
  create index usage_days_day on usage_days (day);

  -- Sessions that were ended before they expired. (C51)
  ${table('ended_sessions', `id text primary key, expires_at_ms ${wide} not null`)}
  create index ended_sessions_expiry on ended_sessions (expires_at_ms);

  -- Rendered parts (chunks and sounds), and their owners.
  ${table(
    'parts',
    `key text primary key,
    blob text not null unique,
    bytes ${wide} not null,
    sha256 text not null,
    used_at_ms ${wide} not null`,
  )}
  create index parts_used on parts (used_at_ms, key);
  ${table('part_pins', 'owner text not null, key text not null, primary key (owner, key)')}
  create index part_pins_key on part_pins (key);

  -- The bytes of uploads, once for all tenants.
  ${table(
    'contents',
    `sha256 text primary key,
    blob text not null unique,
    bytes ${wide} not null,
    used_at_ms ${wide} not null`,
  )}

  -- Many exports of one project (C85). The template is JSON: the project as it was. A row has its export from the
  -- transaction that makes it.
  ${table(
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
  )}
  create unique index batches_idempotency on batches (tenant, idempotency_key) where idempotency_key is not null;
  create index batches_tenant on batches (tenant, state, created_at_ms, id);
  create index batches_running on batches (created_at_ms, id) where state = 'running';
  create index batches_expiry on batches (expires_at_ms) where expires_at_ms is not null;
  create index batches_list on batches (tenant, created_at_ms, id);
  ${table(
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
  )}
  -- The media of a batch, which do not expire while it runs. (C85)
  ${table(
    'batch_media',
    `batch_id text not null references batches (id) on delete cascade,
    tenant text not null,
    sha256 text not null,
    primary key (batch_id, sha256)`,
  )}
  create index batch_media_sha256 on batch_media (tenant, sha256);
  -- Which batches have a pair of metadata; a pair is a hash. (C87)
  ${table(
    'batch_metadata',
    `batch_id text not null references batches (id) on delete cascade,
    pair text not null,
    primary key (batch_id, pair)`,
  )}

  -- The events of exports and batches, and their receivers: the callback_url (empty), and registered webhooks. (C93)
  ${table(
    'events',
    `id text primary key,
    export_id text references exports (id) on delete cascade,
    tenant text not null,
    type text not null,
    preset text,
    at_ms ${wide} not null,
    batch_id text references batches (id) on delete cascade`,
  )}
  create index events_export on events (export_id, at_ms);
  create index events_list on events (tenant, at_ms, id);
  create index events_list_type on events (tenant, type, at_ms, id);
  create index events_batch on events (batch_id) where batch_id is not null;
  ${table(
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
  )}
  create index event_receivers_queue on event_receivers (export_id, receiver, state, at_ms);
  create index event_receivers_waiting on event_receivers (tenant, receiver) where state = 'pending';
  create index batch_rows_state on batch_rows (batch_id, state, number);
  create index batch_rows_export on batch_rows (export_id) where export_id is not null;

  -- The steps that were made, or that the tables had from the start.
  ${table('schema_steps', 'number integer primary key, name text not null')}
`;
}
