CREATE SCHEMA pgboss;
CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);
CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          pgboss.job_now(),
          pgboss.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i11 ON pgboss.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i12 ON pgboss.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i10 ON pgboss.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;
CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;
      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;
CREATE FUNCTION pgboss.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;
CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;
CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE pgboss.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;
CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;
CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);
CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid
)
PARTITION BY LIST (name);
CREATE TABLE pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    CONSTRAINT cjc CHECK ((name = 'render'::text))
);
CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);
CREATE TABLE pgboss.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);
CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);
CREATE TABLE pgboss.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);
CREATE TABLE pgboss.queue_stats_20261118 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.queue_stats_20261119 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);
CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);
CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.caption_media (
    captions_id text NOT NULL,
    tenant text NOT NULL,
    sha256 text NOT NULL
);
CREATE TABLE public.caption_models (
    model text NOT NULL,
    seen_at_ms bigint NOT NULL
);
CREATE TABLE public.captions (
    id text NOT NULL,
    tenant text NOT NULL,
    key text NOT NULL,
    state text NOT NULL,
    language text NOT NULL,
    model text NOT NULL,
    source text NOT NULL,
    progress double precision DEFAULT 0 NOT NULL,
    result text,
    error text,
    created_at_ms bigint NOT NULL,
    ended_at_ms bigint,
    tries integer DEFAULT 0 NOT NULL,
    holder text,
    held_until_ms bigint DEFAULT 0 NOT NULL,
    CONSTRAINT captions_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'completed'::text, 'failed'::text])))
);
CREATE TABLE public.contents (
    sha256 text NOT NULL,
    blob text NOT NULL,
    bytes bigint NOT NULL,
    used_at_ms bigint NOT NULL
);
CREATE TABLE public.deliveries (
    seq bigint NOT NULL,
    export_id text NOT NULL,
    type text NOT NULL,
    at_ms bigint NOT NULL,
    duration_ms integer NOT NULL,
    delivered integer NOT NULL,
    status integer,
    reason text,
    CONSTRAINT deliveries_delivered_check CHECK ((delivered = ANY (ARRAY[0, 1])))
);
ALTER TABLE public.deliveries ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.deliveries_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.destinations (
    id text NOT NULL,
    export_id text NOT NULL,
    preset text NOT NULL,
    tenant text NOT NULL,
    state text NOT NULL,
    target text,
    attempts integer DEFAULT 0 NOT NULL,
    error text,
    tries integer DEFAULT 0 NOT NULL,
    holder text,
    held_until_ms bigint,
    CONSTRAINT destinations_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text])))
);
CREATE TABLE public.draft_claims (
    plan_id text NOT NULL,
    part integer NOT NULL,
    holder text NOT NULL,
    held_until_ms bigint NOT NULL
);
CREATE TABLE public.drafts (
    tenant text NOT NULL,
    id text NOT NULL,
    plan_id text NOT NULL,
    preset text NOT NULL,
    engine_version text NOT NULL,
    state text NOT NULL,
    used_at_ms bigint NOT NULL,
    served_at_ms bigint DEFAULT 0 NOT NULL,
    CONSTRAINT drafts_state_check CHECK ((state = ANY (ARRAY['rendering'::text, 'ready'::text, 'failed'::text])))
);
CREATE TABLE public.ended_sessions (
    id text NOT NULL,
    expires_at_ms bigint NOT NULL
);
CREATE TABLE public.exports (
    id text NOT NULL,
    tenant text NOT NULL,
    state text NOT NULL,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint,
    revision integer DEFAULT 1 NOT NULL,
    state_revision integer DEFAULT 1 NOT NULL,
    selected_preset text NOT NULL,
    settings text NOT NULL,
    title text NOT NULL,
    file_name text NOT NULL,
    duration_seconds double precision NOT NULL,
    total_frames integer NOT NULL,
    warnings text NOT NULL,
    error text,
    request_hash text NOT NULL,
    idempotency_key text,
    sound_state text NOT NULL,
    callback_url text,
    callback_events text NOT NULL,
    external_id text,
    retention_ms bigint,
    webhook_state text NOT NULL,
    webhook_attempts integer DEFAULT 0 NOT NULL,
    webhook_due_at_ms bigint,
    webhook_events text DEFAULT '[]'::text NOT NULL,
    CONSTRAINT exports_sound_state_check CHECK ((sound_state = ANY (ARRAY['waiting'::text, 'queued'::text, 'completed'::text]))),
    CONSTRAINT exports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'rendering'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text]))),
    CONSTRAINT exports_webhook_state_check CHECK ((webhook_state = ANY (ARRAY['none'::text, 'pending'::text, 'delivered'::text, 'given_up'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.fetched_media (
    tenant text NOT NULL,
    address text NOT NULL,
    sha256 text NOT NULL,
    etag text,
    last_modified text
);
CREATE TABLE public.fetches (
    export_id text NOT NULL,
    tenant text NOT NULL,
    waits integer NOT NULL,
    files integer NOT NULL,
    files_done integer DEFAULT 0 NOT NULL,
    bytes_done bigint DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    holder text,
    held_until_ms bigint DEFAULT 0 NOT NULL,
    CONSTRAINT fetches_waits_check CHECK ((waits = ANY (ARRAY[0, 1])))
);
CREATE TABLE public.jobs (
    id text NOT NULL,
    engine_id uuid NOT NULL,
    tenant text NOT NULL,
    export_id text NOT NULL,
    kind text NOT NULL,
    presets jsonb NOT NULL,
    first_chunk integer,
    chunk_count integer,
    priority integer NOT NULL,
    added_at_ms bigint NOT NULL,
    raised_until_ms bigint,
    released integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['chunks'::text, 'sound'::text, 'assembly'::text])))
);
CREATE UNLOGGED TABLE public.live_frames (
    export_id text NOT NULL,
    preset text NOT NULL,
    first_chunk integer NOT NULL,
    frames integer NOT NULL
);
CREATE TABLE public.media (
    tenant text NOT NULL,
    sha256 text NOT NULL,
    bytes bigint NOT NULL,
    lasting integer NOT NULL,
    used_at_ms bigint NOT NULL,
    facts text,
    facts_by text,
    CONSTRAINT media_lasting_check CHECK ((lasting = ANY (ARRAY[0, 1])))
);
CREATE TABLE public.outputs (
    export_id text NOT NULL,
    preset text NOT NULL,
    place integer NOT NULL,
    state text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    total_frames integer NOT NULL,
    frames_done integer DEFAULT 0 NOT NULL,
    jobs_left integer DEFAULT 0 NOT NULL,
    bytes bigint,
    sha256 text,
    blob text,
    error text,
    engine_version text NOT NULL,
    short_number integer,
    short_title text,
    short_start integer,
    CONSTRAINT outputs_check CHECK (((frames_done >= 0) AND (frames_done <= total_frames))),
    CONSTRAINT outputs_jobs_left_check CHECK ((jobs_left >= 0)),
    CONSTRAINT outputs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'queued'::text, 'rendering'::text, 'completed'::text, 'failed'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.part_pins (
    owner text NOT NULL,
    key text NOT NULL
);
CREATE TABLE public.parts (
    key text NOT NULL,
    blob text NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    used_at_ms bigint NOT NULL
);
CREATE TABLE public.project_links (
    secret_sha256 text NOT NULL,
    id text NOT NULL,
    tenant text NOT NULL,
    project_id text NOT NULL,
    created_at_ms bigint NOT NULL
);
CREATE TABLE public.project_media (
    tenant text NOT NULL,
    project_id text NOT NULL,
    revision integer NOT NULL,
    sha256 text NOT NULL
);
CREATE TABLE public.project_revisions (
    tenant text NOT NULL,
    project_id text NOT NULL,
    revision integer NOT NULL,
    name text NOT NULL,
    document text NOT NULL,
    bytes bigint NOT NULL,
    saved_at_ms bigint NOT NULL
);
CREATE TABLE public.projects (
    tenant text NOT NULL,
    id text NOT NULL,
    revision integer NOT NULL,
    created_at_ms bigint NOT NULL,
    saved_at_ms bigint NOT NULL,
    thumbnail text,
    thumbnail_bytes integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.unfinished_media (
    tenant text NOT NULL,
    sha256 text NOT NULL,
    file text NOT NULL,
    bytes bigint NOT NULL,
    received bigint NOT NULL,
    received_at_ms bigint NOT NULL,
    CONSTRAINT unfinished_media_check CHECK (((received >= 0) AND (received <= bytes)))
);
CREATE TABLE public.uploads (
    export_id text NOT NULL,
    field text NOT NULL,
    hash text NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE public.usage_days (
    tenant text NOT NULL,
    day text NOT NULL,
    counter text NOT NULL,
    preset text NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT usage_days_counter_check CHECK ((counter = ANY (ARRAY['exports'::text, 'rendered_ms'::text, 'bytes_stored'::text, 'bytes_sent'::text])))
);
ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb FOR VALUES IN ('render');
ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261118 FOR VALUES FROM ('2026-11-18 00:00:00+00') TO ('2026-11-19 00:00:00+00');
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261119 FOR VALUES FROM ('2026-11-19 00:00:00+00') TO ('2026-11-20 00:00:00+00');
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('eb18c008-77e8-5796-b351-12cd00cf93fb', 'render', 200, '{"id": "eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_one+preset_two+preset_three/chunks/0"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:36.815252+00', '2026-11-18 17:36:36.815253+00', '2026-11-18 17:36:36.892066+00', '2026-11-18 17:36:39.015074+00', '2046-11-13 17:36:36.815252+00', NULL, NULL, 'standard', '2026-11-18 17:36:36.892066+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('48c98614-dda5-5f4e-9454-af8662b1fea0', 'render', 200, '{"id": "eee7e390-a2e6-4b81-a097-5ff3fa270f86/sound"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:36.815252+00', '2026-11-18 17:36:36.815254+00', '2026-11-18 17:36:39.04412+00', '2026-11-18 17:36:40.44285+00', '2046-11-13 17:36:36.815252+00', NULL, NULL, 'standard', '2026-11-18 17:36:39.04412+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('3890a5de-3276-542b-b728-8f0d2690adb3', 'render', 201, '{"id": "eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_one/assembly"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:40.44285+00', '2026-11-18 17:36:40.442851+00', '2026-11-18 17:36:40.542813+00', '2026-11-18 17:36:41.247354+00', '2046-11-13 17:36:40.44285+00', NULL, NULL, 'standard', '2026-11-18 17:36:40.542813+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('4a932b42-a12e-5454-8ce5-3544f9e0c72e', 'render', 201, '{"id": "eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_two/assembly"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:40.44285+00', '2026-11-18 17:36:40.442852+00', '2026-11-18 17:36:41.523553+00', '2026-11-18 17:36:42.055226+00', '2046-11-13 17:36:40.44285+00', NULL, NULL, 'standard', '2026-11-18 17:36:41.523553+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('8e706b75-77bc-5930-8c23-b41e28f173a1', 'render', 201, '{"id": "eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_three/assembly"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:40.44285+00', '2026-11-18 17:36:40.442853+00', '2026-11-18 17:36:42.214745+00', '2026-11-18 17:36:42.285829+00', '2046-11-13 17:36:40.44285+00', NULL, NULL, 'standard', '2026-11-18 17:36:42.214745+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('d0448095-cdde-5121-9a6d-57e94355bcc4', 'render', 200, '{"id": "74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_one+preset_two+preset_three/chunks/0"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:44.291012+00', '2026-11-18 17:36:44.291013+00', '2026-11-18 17:36:44.470402+00', '2026-11-18 17:36:48.594302+00', '2046-11-13 17:36:44.291012+00', NULL, NULL, 'standard', '2026-11-18 17:36:44.470402+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('59249d21-92e2-5c4f-9770-d42921c283cc', 'render', 200, '{"id": "74b3b945-063c-4f8b-88bf-331fa5c8cbab/sound"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:44.291012+00', '2026-11-18 17:36:44.291014+00', '2026-11-18 17:36:48.624832+00', '2026-11-18 17:36:49.529443+00', '2046-11-13 17:36:44.291012+00', NULL, NULL, 'standard', '2026-11-18 17:36:48.624832+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('fd50e545-b5ac-5c13-8872-cf1fa8415e58', 'render', 201, '{"id": "74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_one/assembly"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:49.529443+00', '2026-11-18 17:36:49.529444+00', '2026-11-18 17:36:49.539927+00', '2026-11-18 17:36:49.787498+00', '2046-11-13 17:36:49.529443+00', NULL, NULL, 'standard', '2026-11-18 17:36:49.539927+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('dd1ccad7-d780-575f-a170-c2101a07d2d9', 'render', 201, '{"id": "74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_two/assembly"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:49.529443+00', '2026-11-18 17:36:49.529445+00', '2026-11-18 17:36:49.996298+00', '2026-11-18 17:36:50.095074+00', '2046-11-13 17:36:49.529443+00', NULL, NULL, 'standard', '2026-11-18 17:36:49.996298+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('0d384450-0762-51b0-a7a4-605cbc2461e8', 'render', 201, '{"id": "74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_three/assembly"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:49.529443+00', '2026-11-18 17:36:49.529446+00', '2026-11-18 17:36:50.174053+00', '2026-11-18 17:36:50.22651+00', '2046-11-13 17:36:49.529443+00', NULL, NULL, 'standard', '2026-11-18 17:36:50.174053+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('a06d6b83-41f6-5b8c-a51d-c2f82ee12c13', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/0"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406475+00', '2026-11-18 17:36:53.020354+00', NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', '2026-11-18 17:36:53.020354+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('ad4abebe-2079-5e89-a16d-a7a17dd46db8', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/7"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.40648+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('8fdeb038-78e2-5a5e-b0c0-3ffdd2d95a78', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/9"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406481+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('9e7e4a1e-ac99-525e-bf17-5c9af2da9286', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/11"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406482+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('05d1021c-bb27-5d4c-a72b-1bcebdf26667', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/13"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406483+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('2db80fc1-1c4d-56ea-8b74-64468e1f1df9', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/0"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406475+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('79c05db7-24b6-5986-9553-b28960831882', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/1"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406476+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('a0373d23-7ce1-5c3a-8643-5c7cc1edee3f', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/3"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406477+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('c2f18e95-fca5-50a1-a4ef-be379eb40f7b', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/5"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406478+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('78ead108-182c-5eda-89ce-08604747fb81', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/7"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406479+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('8a135f1e-fd8b-5041-bf95-fd7d83553cb1', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/9"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.40648+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('88c8718c-d02e-541c-9694-25e9d3c2d304', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/11"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406481+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('3dd964c0-6a12-5b71-9f7a-21d7b5366114', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/sound"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406476+00', '2026-11-18 17:36:55.165643+00', NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.165643+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('d6b8ccdb-c1a0-5b8b-b387-c4110393ae90', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/1"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406477+00', '2026-11-18 17:36:55.305685+00', NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.305685+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('a5bc83f6-d8e4-529d-bd7b-a25651aef2e5', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/3"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406478+00', '2026-11-18 17:36:55.359377+00', NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.359377+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('90581329-9fc1-5696-b020-2becf109d34d', 'render', 200, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/5"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406479+00', '2026-11-18 17:36:55.382133+00', NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.382133+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('f831bf17-dca5-5fc5-8ef1-5a45b711bd7e', 'render', 100, '{"id": "12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/13"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'ann', NULL, '2026-11-18 17:36:52.406474+00', '2026-11-18 17:36:52.406482+00', NULL, NULL, '2046-11-13 17:36:52.406474+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('53f6c4bc-90fb-5310-9bf1-0110543734b2', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/5"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653576+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('24abe3ca-e200-5244-b151-3eab8fd930dd', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/7"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653577+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('dd037cff-6ffb-534a-b4b3-856ae3077d6a', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/9"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653578+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('4389cdfd-209a-5348-9e99-a288efcfce68', 'render', 100, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/0"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653572+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('5bf5071b-e32a-5fb0-a901-15237158c8f8', 'render', 100, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/1"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653573+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('b0b93ed2-948c-5f65-86d2-f5d62a439037', 'render', 100, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/3"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653574+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('b8e73ff7-6f03-5016-923b-746c9d70000a', 'render', 100, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/5"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653575+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('92dc6d8b-4c8a-5f30-a2d5-439a3d79fe62', 'render', 100, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/7"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653576+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('4aa30b76-3dc3-5924-a815-a8241c4dc594', 'render', 100, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/9"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653577+00', NULL, NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('0cde1643-0005-5cf7-929e-8857b1fbfeb2', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/0"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653572+00', '2026-11-18 17:36:55.217623+00', NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.217623+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('5a34882c-6a1a-572e-975d-6885250db1d0', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/sound"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653573+00', '2026-11-18 17:36:55.325291+00', NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.325291+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('446a411e-c168-5b9e-a021-6944faa825b6', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/1"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653574+00', '2026-11-18 17:36:55.362853+00', NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.362853+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('a32d1595-f3d0-55c8-b56b-07c3a19c0032', 'render', 200, '{"id": "ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/3"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'bob', NULL, '2026-11-18 17:36:52.653571+00', '2026-11-18 17:36:52.653575+00', '2026-11-18 17:36:55.395338+00', NULL, '2046-11-13 17:36:52.653571+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.395338+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('6d563f81-a4c2-52ff-aa08-3be230ad8765', 'render', 200, '{"id": "cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/0"}', 'completed', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'carl', NULL, '2026-11-18 17:36:55.114563+00', '2026-11-18 17:36:55.114564+00', '2026-11-18 17:36:55.239188+00', '2026-11-18 17:36:55.401269+00', '2046-11-13 17:36:55.114563+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.239188+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('daf38a2e-3623-57c5-8054-3817b6aa3f36', 'render', 200, '{"id": "cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/2"}', 'cancelled', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'carl', NULL, '2026-11-18 17:36:55.114563+00', '2026-11-18 17:36:55.114566+00', '2026-11-18 17:36:55.368091+00', '2026-11-18 17:36:55.479101+00', '2046-11-13 17:36:55.114563+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.368091+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('316545f4-523f-5c43-8526-6513fdbca451', 'render', 300, '{"id": "cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/3"}', 'active', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'carl', NULL, '2026-11-18 17:36:55.114563+00', '2026-11-18 17:36:55.114567+00', '2026-11-18 17:36:55.396593+00', NULL, '2046-11-13 17:36:55.114563+00', NULL, NULL, 'standard', '2026-11-18 17:36:55.396593+00', 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('a70dec86-dc6e-5a3d-824c-83d544ba146b', 'render', 300, '{"id": "cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/4"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'carl', NULL, '2026-11-18 17:36:55.114563+00', '2026-11-18 17:36:55.114568+00', NULL, NULL, '2046-11-13 17:36:55.114563+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('c41f2f3f-6e4e-5659-8152-1e566af4102d', 'render', 300, '{"id": "cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/1"}', 'retry', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'carl', NULL, '2026-11-18 17:36:56.416925+00', '2026-11-18 17:36:55.114565+00', '2026-11-18 17:36:55.345637+00', NULL, '2046-11-13 17:36:56.114563+00', '{"reason": "The child was killed."}', NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES ('f9333fee-408a-59eb-9ba7-5462d67f9f4a', 'render', 300, '{"id": "cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/5"}', 'created', 1000000, 0, 0, false, NULL, 86399, 600, NULL, NULL, 'carl', NULL, '2026-11-18 17:36:55.114563+00', '2026-11-18 17:36:55.114569+00', NULL, NULL, '2046-11-13 17:36:55.114563+00', NULL, NULL, 'standard', NULL, 30, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, retention_seconds, deletion_seconds, dead_letter, partition, table_name, deferred_count, queued_count, ready_count, warning_queued, active_count, failed_count, total_count, created_delta, completed_delta, failed_delta, delta_on, delta_seconds, ready_history, heartbeat_seconds, notify, singletons_active, monitor_claim_on, monitor_on, maintain_on, created_on, updated_on) VALUES ('render', 'standard', 1000000, 0, false, NULL, 86399, 630720000, 600, NULL, true, 'j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 30, false, NULL, NULL, NULL, NULL, '2026-11-18 17:36:23.573889+00', '2026-11-18 17:36:23.695357+00');
INSERT INTO pgboss.version (version, cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) VALUES (43, NULL, '2026-11-18 17:36:23.591419+00', '2026-11-18 17:36:50.609653+00', NULL, NULL);
INSERT INTO public.caption_media (captions_id, tenant, sha256) VALUES ('held', 'ann', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO public.caption_media (captions_id, tenant, sha256) VALUES ('waits', 'ann', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO public.caption_models (model, seen_at_ms) VALUES ('tiny', 1790000000000);
INSERT INTO public.caption_models (model, seen_at_ms) VALUES ('base', 1790000000000);
INSERT INTO public.captions (id, tenant, key, state, language, model, source, progress, result, error, created_at_ms, ended_at_ms, tries, holder, held_until_ms) VALUES ('done', 'ann', 'key-done', 'completed', 'en', 'tiny', '', 0.5, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', NULL, 1790000000000, 1790000000000, 1, NULL, 1790000030000);
INSERT INTO public.captions (id, tenant, key, state, language, model, source, progress, result, error, created_at_ms, ended_at_ms, tries, holder, held_until_ms) VALUES ('failed', 'ann', 'key-failed', 'failed', 'en', 'tiny', '', 0.5, NULL, '{"kind":"internal","code":"render.failed","message":"The render failed.","issues":[]}', 1790000000001, 1790000000000, 1, NULL, 1790000030000);
INSERT INTO public.captions (id, tenant, key, state, language, model, source, progress, result, error, created_at_ms, ended_at_ms, tries, holder, held_until_ms) VALUES ('held', 'ann', 'key-held', 'queued', 'en', 'tiny', '{"media":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}', 0.5, NULL, NULL, 1790000000002, NULL, 1, 'node-1', 1790000030000);
INSERT INTO public.captions (id, tenant, key, state, language, model, source, progress, result, error, created_at_ms, ended_at_ms, tries, holder, held_until_ms) VALUES ('waits', 'ann', 'key-waits', 'queued', 'en', 'tiny', '{"media":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}', 0, NULL, NULL, 1790000000003, NULL, 0, NULL, 0);
INSERT INTO public.contents (sha256, blob, bytes, used_at_ms) VALUES ('5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 'uploads/5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6.68d1e87c-ee6d-48e6-a8a2-9fc1e9af2c0e', 23658, 1795023396544);
INSERT INTO public.contents (sha256, blob, bytes, used_at_ms) VALUES ('916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9', 'uploads/916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9.99077ebb-bbeb-46ea-a7d4-b64c40edc3c4', 133, 1795023396675);
INSERT INTO public.contents (sha256, blob, bytes, used_at_ms) VALUES ('d80b1999872dd6ecd73369896e7021c2ade7177dd7c5f1d370b40d072221c3ab', 'uploads/d80b1999872dd6ecd73369896e7021c2ade7177dd7c5f1d370b40d072221c3ab.1b574aa2-a6fd-4854-a96b-302e9ac0cbc8', 153, 1795023410207);
INSERT INTO public.contents (sha256, blob, bytes, used_at_ms) VALUES ('1231cd90bd3f4f5c2530fa3b0f469bdee2f446fc0c4df3bc2b2de35c8af5e074', 'uploads/1231cd90bd3f4f5c2530fa3b0f469bdee2f446fc0c4df3bc2b2de35c8af5e074.8aed8806-fa17-4acf-b951-a9b467a55dbe', 154, 1795023410312);
INSERT INTO public.contents (sha256, blob, bytes, used_at_ms) VALUES ('6a6655a786e919eb6bea82f2f8a4f57e88fb797a166a74c5f3a1f5030bcc3ac7', 'uploads/6a6655a786e919eb6bea82f2f8a4f57e88fb797a166a74c5f3a1f5030bcc3ac7.91ccfbec-6fd6-440d-8890-f701d2f21a31', 157, 1795023410361);
INSERT INTO public.contents (sha256, blob, bytes, used_at_ms) VALUES ('0070aab0a58c694bd356bdc5ac9d6fbad426925f848130d386b9611ab3cff528', 'uploads/0070aab0a58c694bd356bdc5ac9d6fbad426925f848130d386b9611ab3cff528.79bdafcf-5833-4d22-a664-a28166757881', 17, 1795023410490);
INSERT INTO public.deliveries (seq, export_id, type, at_ms, duration_ms, delivered, status, reason) OVERRIDING SYSTEM VALUE VALUES (1, 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'export.completed', 1795023401430, 78, 1, 204, NULL);
INSERT INTO public.deliveries (seq, export_id, type, at_ms, duration_ms, delivered, status, reason) OVERRIDING SYSTEM VALUE VALUES (2, '74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'export.completed', 1795023409968, 18, 0, 410, 'the receiver responded 410');
INSERT INTO public.deliveries (seq, export_id, type, at_ms, duration_ms, delivered, status, reason) OVERRIDING SYSTEM VALUE VALUES (3, '898b8a25-fc41-4ebe-9502-8687343582be', 'export.completed', 1790000000000, 12, 0, 503, 'HTTP 503');
INSERT INTO public.deliveries (seq, export_id, type, at_ms, duration_ms, delivered, status, reason) OVERRIDING SYSTEM VALUE VALUES (4, '898b8a25-fc41-4ebe-9502-8687343582be', 'export.completed', 1790000000000, 12, 0, NULL, 'no answer');
INSERT INTO public.deliveries (seq, export_id, type, at_ms, duration_ms, delivered, status, reason) OVERRIDING SYSTEM VALUE VALUES (5, '06fc3815-a037-45b2-8b2d-43c8e751c550', 'export.completed', 1790000000000, 12, 1, 204, NULL);
INSERT INTO public.destinations (id, export_id, preset, tenant, state, target, attempts, error, tries, holder, held_until_ms) VALUES ('a10f235a-fe6c-4c31-a5a8-ae90580381dd', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'preset_three', 'ann', 'failed', NULL, 1, '{"kind":"invalid","code":"destination.failed","message":"The video could not be sent to its destination: it returned status 410 (Gone).","issues":[]}', 1, NULL, NULL);
INSERT INTO public.destinations (id, export_id, preset, tenant, state, target, attempts, error, tries, holder, held_until_ms) VALUES ('b9039a11-26ab-4e5d-aecf-ea84a6e195f9', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'preset_two', 'ann', 'sent', NULL, 1, NULL, 1, NULL, NULL);
INSERT INTO public.destinations (id, export_id, preset, tenant, state, target, attempts, error, tries, holder, held_until_ms) VALUES ('c55152ff-4090-4814-9936-3c24c9e4a98f', '888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'preset_three', 'ann', 'waiting', '{"url":"https://files.example.com/video.mp4","headers":{"x-own":"1"}}', 0, NULL, 0, NULL, NULL);
INSERT INTO public.destinations (id, export_id, preset, tenant, state, target, attempts, error, tries, holder, held_until_ms) VALUES ('50ecf105-b255-42b3-a6aa-ceb66cb4be78', '888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'preset_one', 'ann', 'sending', '{"url":"https://files.example.com/video.mp4","headers":{"x-own":"1"}}', 1, NULL, 1, 'node-1', 1790000030000);
INSERT INTO public.destinations (id, export_id, preset, tenant, state, target, attempts, error, tries, holder, held_until_ms) VALUES ('251ce8d3-ac60-4c86-9209-468bbd428d3c', '888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'preset_two', 'ann', 'failed', NULL, 1, '{"kind":"internal","code":"render.failed","message":"The render failed.","issues":[]}', 1, NULL, NULL);
INSERT INTO public.draft_claims (plan_id, part, holder, held_until_ms) VALUES ('plan-open', 0, 'node-1', 1790000030000);
INSERT INTO public.drafts (tenant, id, plan_id, preset, engine_version, state, used_at_ms, served_at_ms) VALUES ('ann', 'open', 'plan-open', 'preset_one', '1', 'rendering', 1790000000000, 1790000000000);
INSERT INTO public.drafts (tenant, id, plan_id, preset, engine_version, state, used_at_ms, served_at_ms) VALUES ('ann', 'ready', 'plan-ready', 'preset_one', '1', 'ready', 1790000000000, 1790000000000);
INSERT INTO public.drafts (tenant, id, plan_id, preset, engine_version, state, used_at_ms, served_at_ms) VALUES ('ann', 'failed', 'plan-failed', 'preset_one', '1', 'failed', 1790000000000, 1790000000000);
INSERT INTO public.ended_sessions (id, expires_at_ms) VALUES ('NfM6SH3S9oUHVx5OKElbuA', 1795066610000);
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'ann', 'completed', 1795023396541, 1795109801307, 21, 21, 'preset_one', '{"preset":"preset_one","width":128,"height":72,"fps":30,"rate":{"num":30,"den":1},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Few, ranked.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":["none"],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Few, ranked', 'Few, ranked.mp4', 3, 90, '[]', NULL, '2642eb5471726a14403048fef18e4c76267ed791828c2d2d16b2310e1d6c5c88', 'once', 'completed', 'http://127.0.0.1:36169/webhook', '["export.completed","export.failed","export.cancelled"]', 'order-7', NULL, 'delivered', 1, NULL, '[{"type":"export.completed","preset":null,"atMs":1795023401314}]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'bob', 'completed', 1795023403631, 1795034209862, 17, 17, 'preset_one', '{"preset":"preset_one","width":128,"height":72,"fps":25,"rate":{"num":25,"den":1},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Few, ranked.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":["none"],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Few, ranked', 'Few, ranked.mp4', 3, 75, '[]', NULL, 'bddcce2c6c3f89f61ae4069cc9a3d591e972286dd766e47d066d26ae42014f73', NULL, 'completed', 'http://127.0.0.1:36169/refuses', '["export.completed","export.failed","export.cancelled"]', NULL, 10800000, 'given_up', 1, NULL, '[{"type":"export.completed","preset":null,"atMs":1795023409868}]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130', 'bob', 'queued', 1795023412588, NULL, 4, 4, 'preset_one', '{"preset":"preset_one","width":128,"height":72,"fps":30,"rate":{"num":30,"den":1},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"waiting.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'waiting', 'waiting.mp4', 40, 1200, '[{"path":"/timeline_data/videos/0","code":"clip.source_too_short","message":"The slot needs 40 s of the source and the trim leaves 3 s: the last frame holds, the sound is silent."}]', NULL, 'fabf5c324af2014fc298503eef20b2752833c9de287adb20fd390a5ae4402482', NULL, 'queued', NULL, '["export.completed","export.failed","export.cancelled"]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5', 'ann', 'rendering', 1795023412386, NULL, 6, 6, 'preset_one', '{"preset":"preset_one","width":128,"height":72,"fps":30,"rate":{"num":30,"den":1},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"running.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'running', 'running.mp4', 60, 1800, '[{"path":"/timeline_data/videos/0","code":"clip.source_too_short","message":"The slot needs 60 s of the source and the trim leaves 3 s: the last frame holds, the sound is silent."}]', NULL, '59bfc9f2964948356ceac7a733849187ad90d23298df2999f722110543657b02', NULL, 'queued', NULL, '["export.completed","export.failed","export.cancelled"]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('1dfc07b8-3bf4-4be2-a429-cb343e75dc47', 'ann', 'failed', 1790000000000, NULL, 2, 2, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Failed', 'best-of.mp4', 10, 300, '[]', '{"kind":"internal","code":"render.failed","message":"The render failed.","issues":[]}', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('3cb90b31-68a5-4f40-bac7-07eb6929834e', 'ann', 'cancelled', 1790000000000, NULL, 2, 2, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Cancelled', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('d0271d20-7c21-46c8-9499-ad52e00e9787', 'ann', 'expired', 1790000000000, 1790000000001, 5, 5, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Expired', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('898b8a25-fc41-4ebe-9502-8687343582be', 'ann', 'queued', 1790000000000, NULL, 1, 1, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Best of', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', 'https://hooks.example.com/a', '["export.completed"]', NULL, NULL, 'pending', 2, 1790000060000, '[{"type":"export.completed","id":"event-1"}]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('06fc3815-a037-45b2-8b2d-43c8e751c550', 'ann', 'queued', 1790000000000, NULL, 1, 1, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Best of', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', 'https://hooks.example.com/b', '["export.completed"]', NULL, NULL, 'given_up', 9, NULL, '[{"type":"export.completed","id":"event-1"}]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'bob', 'queued', 1790000000000, NULL, 1, 1, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Fetched', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'bob', 'queued', 1790000000000, NULL, 1, 1, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Fetched', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'ann', 'queued', 1790000000000, NULL, 4, 4, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Sent', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'waiting', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.exports (id, tenant, state, created_at_ms, expires_at_ms, revision, state_revision, selected_preset, settings, title, file_name, duration_seconds, total_frames, warnings, error, request_hash, idempotency_key, sound_state, callback_url, callback_events, external_id, retention_ms, webhook_state, webhook_attempts, webhook_due_at_ms, webhook_events) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'carl', 'queued', 1790000000000, NULL, 2, 2, 'preset_one', '{"preset":"preset_one","width":1920,"height":1080,"fps":29.97,"rate":{"num":30000,"den":1001},"quality":"balanced","encoderPreset":"veryfast","audioBitrateKbps":192,"fileName":"Best of.mp4","fit":"contain","background":{"kind":"color","color":"#000000"},"reveal":"pop","revealHold":0.9,"card":{"shape":"auto","fit":null,"names":"auto"},"boardLayout":"ladder","pool":"auto","hiddenUntilRevealed":true,"effects":[],"theme":{"base":"midnight","colors":{},"panelOpacity":null,"corner":null,"glass":false,"font":null},"subtitleStyle":null,"revealSound":null,"counter":false,"progressBar":false,"chapterTrack":true,"shorts":null,"loudness":null,"duckDb":12,"musicFade":1.5,"cropUnit":"auto","volumeUnit":"gain","trimEndAs":"out_point"}', 'Worked', 'best-of.mp4', 10, 300, '[]', NULL, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', NULL, 'completed', NULL, '[]', NULL, NULL, 'none', 0, NULL, '[]');
INSERT INTO public.fetched_media (tenant, address, sha256, etag, last_modified) VALUES ('ann', '0df8520c15b00027f71bc19ae282de67c2de544b0ed73a81f4300b3915fd9b21', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', '"1"', NULL);
INSERT INTO public.fetches (export_id, tenant, waits, files, files_done, bytes_done, tries, holder, held_until_ms) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'bob', 1, 2, 0, 0, 1, 'node-1', 1790000030000);
INSERT INTO public.fetches (export_id, tenant, waits, files, files_done, bytes_done, tries, holder, held_until_ms) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'bob', 1, 2, 0, 0, 0, NULL, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_one+preset_two+preset_three/chunks/0', 'eb18c008-77e8-5796-b351-12cd00cf93fb', 'ann', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'chunks', '["preset_one", "preset_two", "preset_three"]', 0, 1, 200, 1795023396815, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86/sound', '48c98614-dda5-5f4e-9454-af8662b1fea0', 'ann', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'sound', '[]', NULL, NULL, 200, 1795023396815, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_one/assembly', '3890a5de-3276-542b-b728-8f0d2690adb3', 'ann', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'assembly', '["preset_one"]', NULL, NULL, 201, 1795023400443, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_two/assembly', '4a932b42-a12e-5454-8ce5-3544f9e0c72e', 'ann', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'assembly', '["preset_two"]', NULL, NULL, 201, 1795023400443, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_three/assembly', '8e706b75-77bc-5930-8c23-b41e28f173a1', 'ann', 'eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'assembly', '["preset_three"]', NULL, NULL, 201, 1795023400443, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_one+preset_two+preset_three/chunks/0', 'd0448095-cdde-5121-9a6d-57e94355bcc4', 'bob', '74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'chunks', '["preset_one", "preset_two", "preset_three"]', 0, 1, 200, 1795023404291, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab/sound', '59249d21-92e2-5c4f-9770-d42921c283cc', 'bob', '74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'sound', '[]', NULL, NULL, 200, 1795023404291, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_one/assembly', 'fd50e545-b5ac-5c13-8872-cf1fa8415e58', 'bob', '74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'assembly', '["preset_one"]', NULL, NULL, 201, 1795023409529, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_two/assembly', 'dd1ccad7-d780-575f-a170-c2101a07d2d9', 'bob', '74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'assembly', '["preset_two"]', NULL, NULL, 201, 1795023409529, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_three/assembly', '0d384450-0762-51b0-a7a4-605cbc2461e8', 'bob', '74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'assembly', '["preset_three"]', NULL, NULL, 201, 1795023409529, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/0', 'a06d6b83-41f6-5b8c-a51d-c2f82ee12c13', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 0, 1, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/sound', '3dd964c0-6a12-5b71-9f7a-21d7b5366114', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'sound', '[]', NULL, NULL, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/1', 'd6b8ccdb-c1a0-5b8b-b387-c4110393ae90', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 1, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/3', 'a5bc83f6-d8e4-529d-bd7b-a25651aef2e5', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 3, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/5', '90581329-9fc1-5696-b020-2becf109d34d', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 5, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/7', 'ad4abebe-2079-5e89-a16d-a7a17dd46db8', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 7, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/9', '8fdeb038-78e2-5a5e-b0c0-3ffdd2d95a78', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 9, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/11', '9e7e4a1e-ac99-525e-bf17-5c9af2da9286', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 11, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one/chunks/13', '05d1021c-bb27-5d4c-a72b-1bcebdf26667', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_one"]', 13, 2, 200, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/0', '2db80fc1-1c4d-56ea-8b74-64468e1f1df9', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 0, 1, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/1', '79c05db7-24b6-5986-9553-b28960831882', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 1, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/3', 'a0373d23-7ce1-5c3a-8643-5c7cc1edee3f', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 3, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/5', 'c2f18e95-fca5-50a1-a4ef-be379eb40f7b', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 5, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/7', '78ead108-182c-5eda-89ce-08604747fb81', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 7, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/9', '8a135f1e-fd8b-5041-bf95-fd7d83553cb1', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 9, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/11', '88c8718c-d02e-541c-9694-25e9d3c2d304', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 11, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two+preset_three/chunks/13', 'f831bf17-dca5-5fc5-8ef1-5a45b711bd7e', 'ann', '12efd92e-14ff-4a93-938c-f110c00ea3d5', 'chunks', '["preset_two", "preset_three"]', 13, 2, 100, 1795023412406, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/0', '0cde1643-0005-5cf7-929e-8857b1fbfeb2', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_one"]', 0, 1, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/sound', '5a34882c-6a1a-572e-975d-6885250db1d0', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'sound', '[]', NULL, NULL, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/1', '446a411e-c168-5b9e-a021-6944faa825b6', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_one"]', 1, 2, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/3', 'a32d1595-f3d0-55c8-b56b-07c3a19c0032', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_one"]', 3, 2, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/5', '53f6c4bc-90fb-5310-9bf1-0110543734b2', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_one"]', 5, 2, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/7', '24abe3ca-e200-5244-b151-3eab8fd930dd', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_one"]', 7, 2, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one/chunks/9', 'dd037cff-6ffb-534a-b4b3-856ae3077d6a', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_one"]', 9, 1, 200, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/0', '4389cdfd-209a-5348-9e99-a288efcfce68', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_two", "preset_three"]', 0, 1, 100, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/1', '5bf5071b-e32a-5fb0-a901-15237158c8f8', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_two", "preset_three"]', 1, 2, 100, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/3', 'b0b93ed2-948c-5f65-86d2-f5d62a439037', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_two", "preset_three"]', 3, 2, 100, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/5', 'b8e73ff7-6f03-5016-923b-746c9d70000a', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_two", "preset_three"]', 5, 2, 100, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/7', '92dc6d8b-4c8a-5f30-a2d5-439a3d79fe62', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_two", "preset_three"]', 7, 2, 100, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two+preset_three/chunks/9', '4aa30b76-3dc3-5924-a815-a8241c4dc594', 'bob', 'ffc494e3-6103-4d2b-a59a-90c3450c6130', 'chunks', '["preset_two", "preset_three"]', 9, 1, 100, 1795023412654, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/0', '6d563f81-a4c2-52ff-aa08-3be230ad8765', 'carl', 'cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'chunks', '["preset_one"]', 0, 4, 200, 1795023415115, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/2', 'daf38a2e-3623-57c5-8054-3817b6aa3f36', 'carl', 'cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'chunks', '["preset_one"]', 8, 4, 200, 1795023415115, NULL, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/1', 'c41f2f3f-6e4e-5659-8152-1e566af4102d', 'carl', 'cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'chunks', '["preset_one"]', 4, 4, 200, 1795023415115, 1795023445493, 0, 1);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/3', '316545f4-523f-5c43-8526-6513fdbca451', 'carl', 'cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'chunks', '["preset_one"]', 12, 4, 200, 1795023415115, 1795023445493, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/4', 'a70dec86-dc6e-5a3d-824c-83d544ba146b', 'carl', 'cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'chunks', '["preset_one"]', 16, 4, 200, 1795023415115, 1795023445493, 0, 0);
INSERT INTO public.jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms, raised_until_ms, released, failed) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258/chunks/5', 'f9333fee-408a-59eb-9ba7-5462d67f9f4a', 'carl', 'cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'chunks', '["preset_one"]', 20, 4, 200, 1795023415115, 1795023445493, 0, 0);
INSERT INTO public.live_frames (export_id, preset, first_chunk, frames) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'preset_one', 4, 17);
INSERT INTO public.media (tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by) VALUES ('ann', '916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9', 133, 0, 1795023396541, '{"facts":{"kind":"still","duration":0,"width":64,"height":64,"alpha":false,"sound":false},"description":{"kind":"still","container":"png","durationSeconds":0,"width":64,"height":64,"rate":null,"variableRate":false,"alpha":false,"videoCodec":"png","sound":null,"problems":[]}}', '13 aed4db27815aaeb8');
INSERT INTO public.media (tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by) VALUES ('bob', '916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9', 133, 0, 1795023403631, '{"facts":{"kind":"still","duration":0,"width":64,"height":64,"alpha":false,"sound":false},"description":{"kind":"still","container":"png","durationSeconds":0,"width":64,"height":64,"rate":null,"variableRate":false,"alpha":false,"videoCodec":"png","sound":null,"problems":[]}}', '13 aed4db27815aaeb8');
INSERT INTO public.media (tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by) VALUES ('ann', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 23658, 1, 1795023412386, '{"facts":{"kind":"video","duration":3,"width":128,"height":72,"alpha":false,"sound":true},"description":{"kind":"video","container":"mp4","durationSeconds":3,"width":128,"height":72,"rate":{"num":30,"den":1},"variableRate":false,"alpha":false,"videoCodec":"h264","sound":{"codec":"aac","channels":2,"sampleRate":48000},"problems":[]}}', '13 aed4db27815aaeb8');
INSERT INTO public.media (tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by) VALUES ('bob', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 23658, 0, 1795023412588, '{"facts":{"kind":"video","duration":3,"width":128,"height":72,"alpha":false,"sound":true},"description":{"kind":"video","container":"mp4","durationSeconds":3,"width":128,"height":72,"rate":{"num":30,"den":1},"variableRate":false,"alpha":false,"videoCodec":"h264","sound":{"codec":"aac","channels":2,"sampleRate":48000},"problems":[]}}', '13 aed4db27815aaeb8');
INSERT INTO public.media (tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by) VALUES ('ann', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 5, 1, 1790000000000, NULL, NULL);
INSERT INTO public.media (tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by) VALUES ('ann', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 5, 1, 1790000000000, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'preset_one', 0, 'completed', 128, 72, 90, 90, 0, 20860, 'f0fe953e7599f09f5b653127f244bdca177c5bdfec077b6af91c21ae02e1ae69', 'exports/eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_one/ed5eb7cf-f99f-4940-8fa9-61ca40e73e80.mp4', NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'preset_two', 1, 'completed', 72, 128, 90, 90, 0, 18548, '53fe76da64c4dac6420998095e21dd3ccb0f7d097dbcf2b94c062828d96f8a8f', 'exports/eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_two/08d542bd-321b-44d2-968e-3480441bd7b9.mp4', NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'preset_three', 2, 'completed', 96, 96, 90, 90, 0, 18583, 'c08622c234f4e7a48f8cdb6e343d186d15e3240bce97dcc9628ba4e411e652e8', 'exports/eee7e390-a2e6-4b81-a097-5ff3fa270f86/preset_three/fd41821e-7b4f-4f80-a499-3b051c58c472.mp4', NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'preset_one', 0, 'completed', 128, 72, 75, 75, 0, 19664, 'ef09c38fa45ec4d14385f897a4246b120a17666ab95aa09d76878cd375ea333e', 'exports/74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_one/5349772b-16a0-4932-899b-39b4451299bd.mp4', NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'preset_two', 1, 'completed', 72, 128, 75, 75, 0, 17470, '7a14740edd543c30f09df0f1bd6df12be9d7acb5681b9f5580ba81d788afc9f3', 'exports/74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_two/8f93287c-d972-405c-974d-037f107fe072.mp4', NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'preset_three', 2, 'completed', 96, 96, 75, 75, 0, 17883, 'c1bad28b841feda9df0e0a3e5c5f6f75007d6a26d9e95ce49d0484ab200fd32e', 'exports/74b3b945-063c-4f8b-88bf-331fa5c8cbab/preset_three/932cd5bf-54e0-497e-8e1d-faf37959706c.mp4', NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5', 'preset_two', 1, 'queued', 72, 128, 1800, 0, 9, NULL, NULL, NULL, NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5', 'preset_three', 2, 'queued', 96, 96, 1800, 0, 9, NULL, NULL, NULL, NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130', 'preset_one', 0, 'queued', 128, 72, 1200, 0, 7, NULL, NULL, NULL, NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130', 'preset_two', 1, 'queued', 72, 128, 1200, 0, 7, NULL, NULL, NULL, NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130', 'preset_three', 2, 'queued', 96, 96, 1200, 0, 7, NULL, NULL, NULL, NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5', 'preset_one', 0, 'rendering', 128, 72, 1800, 0, 9, NULL, NULL, NULL, NULL, '13', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('1dfc07b8-3bf4-4be2-a429-cb343e75dc47', 'preset_one', 0, 'failed', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, '{"kind":"internal","code":"render.failed","message":"The render failed.","issues":[]}', 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('1dfc07b8-3bf4-4be2-a429-cb343e75dc47', 'preset_three', 2, 'failed', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, '{"kind":"internal","code":"render.failed","message":"The render failed.","issues":[]}', 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('1dfc07b8-3bf4-4be2-a429-cb343e75dc47', 'preset_two', 1, 'failed', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, '{"kind":"internal","code":"render.failed","message":"The render failed.","issues":[]}', 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('3cb90b31-68a5-4f40-bac7-07eb6929834e', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('3cb90b31-68a5-4f40-bac7-07eb6929834e', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('3cb90b31-68a5-4f40-bac7-07eb6929834e', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('d0271d20-7c21-46c8-9499-ad52e00e9787', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('d0271d20-7c21-46c8-9499-ad52e00e9787', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('d0271d20-7c21-46c8-9499-ad52e00e9787', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('898b8a25-fc41-4ebe-9502-8687343582be', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('898b8a25-fc41-4ebe-9502-8687343582be', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('898b8a25-fc41-4ebe-9502-8687343582be', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('06fc3815-a037-45b2-8b2d-43c8e751c550', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('06fc3815-a037-45b2-8b2d-43c8e751c550', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('06fc3815-a037-45b2-8b2d-43c8e751c550', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'preset_one', 0, 'waiting', 1920, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'preset_two', 1, 'waiting', 1080, 1920, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'preset_three', 2, 'waiting', 1080, 1080, 300, 0, 0, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.outputs (export_id, preset, place, state, width, height, total_frames, frames_done, jobs_left, bytes, sha256, blob, error, engine_version, short_number, short_title, short_start) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'preset_one', 0, 'queued', 1920, 1080, 300, 0, 6, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL);
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/399f3113e390060c4fb3f459fd896925ac3960d6127a6d7dc159a68b5095a027');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/17df7dd2b83dfc6ba37d9eed0f292f3aea482d3f72817815c9c4ec33afd81bc4');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/ece8bc18815a415f5d4721368ff97b662831c1266734b50d62b8b1c7f9987064');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/cc247057ea0d6257b5cf2616ad8dde615da73e362b478ca8a172322309f6f07b');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/9e2c22737c72c6cfc79c45f905cb065c9a0742ae756f2bfa1a127dcb6ec856b3');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/cc469b05816065b1164960940e19293b9d744c265129f9115f8a9ea4c125742c');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/792a78f98a43086610b398eacd005c464889a2d56f860f5516d7ff1584615e8d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/cd7799bf8840b6b523a0b5dde5b0db509da00b738682cae41e3f0e41acc3baa5');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/970e22e97accef824e7cc987c609093cab3a508e1899df9c8dc137667a796325');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/5be03ea895dd13df5b5d876015cbd2676a3379bb31fb1826f9a4933fa67e71ab');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/810f3d8e73a532e0577e44faf65666967b6e5a4a5b5d7e2bff134d52f44c0a63');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/cdb9916a66de713ee729d49afb1f1339294c59bffdfce1773e89744a3edf6058');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/d1d74434461c80695e225c0298ddfb39c1b6d5c91e4e7167c02a8a150ac758e6');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/36a458bf4896e955048727594478c40328ebd1f2782e66f56dbe6b66d416be59');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/ad32500bcd8e029e40e86653621e482dd6b3e8833d1bba77eafc2949beca8516');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_one', '49915e0d7d4b402e/4d635c2823f159399517fc232fd974a02d37a982c7a67ed6f47aff7cf25815eb');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/399f3113e390060c4fb3f459fd896925ac3960d6127a6d7dc159a68b5095a027');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/9a3d983be8067c67f3527ca7fb687b4294c07ac6c6032bf8b1b82194cf803cdb');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/ceea88a23cc578faeb4267aee57fa8152b03cb5396daf3937229a86e63f890a8');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/39376d21157dbc7a2fbeae3132b038a4cadbd094e94c3a3b8e5d93f6ae69cb80');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/d1cd24e90ab7f1891321b663315c9663c8ecc3d71c363bdeaaaedb2e44bc4696');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/7a20ff5677bbd61563e24127b8ddd1fb6348addf312327ef03a01328115d0bf8');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/f24152899b3abf38be4db5734dd67b9f8b29c74c6e18253e17f6733369e1ca82');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/b102c7317bb22fb8e1bb005a8fd9751695b7f40a00907de705e382d707370c8d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/5090fd2401d5f4f0eba16a4fb7557a7ba37401b49d39371c7e7fc1754ccef3ed');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/b27c3a17f0b980888f2a130a44c3b62ee04ce5933b5eec2895a0d111a5bf224c');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/d04cb2400471e452c9f21ff856b57e6c96d7aae9fce73c6af292fc904e407d3d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/e92be0afece8a7a5bd3caa336fa138338c79026b9f55a855c00eaa10ab2a5096');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/1f1778948737370063b5383b64cbeb9ed4c8dd5beadda8d64c6643eeb46ee29b');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/c70354473081f641b6ef47189631a25ff9fc2699a57e9f2c6d832fa75f88cff5');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/e16f7081d1dfafb7322963a0115588ecf40f092072bdd0bf93409487a47bf7ef');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_two', '49915e0d7d4b402e/e85253fa666332ecd5ea63ae2ef2e524323755089f4fa672bd15a26207faa55e');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/399f3113e390060c4fb3f459fd896925ac3960d6127a6d7dc159a68b5095a027');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/00338a86a8a14d4968de71d87b9d96727861712dcb9b7bc4b2eac55ec197852d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/b19f77092c6a6d80297390454f1ea31af8647c50d28c895fdede27618d5daf36');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/9a00f9c9fde786c89a1eb3adab07b4905dd88c4dd49e3697c490cc850f3aaa14');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/39f8180920efe335069cdc70c7be2c796cd4da1c9462a4975b8796bcd79ce38d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/72393e376823a5fa410e187ea66fc20c9d22476569eac5677669a10228cfddc1');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/22e6e8dd6ef26c342bd5bf8a5ffd34c076935946618b7779e2b6da49240be3f8');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/a2dd98c44c869a08cb18ad68ebe12d342f1d71264abf54e4e2b5511e506858fe');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/355a9cf2d534ab2005c82bd690173510560f7381c044e844d1a0564d476f5512');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/e6712a105ecc481ed60a5d31e81ec71f0486376c85cbe85e0977a83be62fe5b3');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/8c50ceb93190bef541e6e1051ba1dd9f078d9f2c289a98d3e92573eee6a3bdae');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/dbe5e376b1658a774ff5d4f78cf5eecf8dbf0cfea5c3dff859d01b10e6c90fc6');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/bd52589726dc8edab177c0683e1bd0ed83c84480fe6208f97f58a79ed2f7977d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/0156fcb661acb722b94a2e49767071b7b0aa782254b8d82667971cd7e408c58d');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/0c4062b50ed7c9f2205ac7844eb5a88e93fdf85fe6326cb9ac5e8c311e1b65ec');
INSERT INTO public.part_pins (owner, key) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5/preset_three', '49915e0d7d4b402e/364e33b60879548cf998a8ed7b2ca30debe252cfc26cc2baf26fcef9d7a3cadf');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/90767a07bc93e1b0573fe54671369ae900ec57ac1eefb75df2ffae32a553a1c0');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/d220389894ecd1fbfcb5786550122ed8191ec6ff2e8c50ef36a01d0e486cc0a4');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/9aefee0490a601b88fe48bfb8c332b486ea29f010460f996f872f6cd9eb24dd6');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/a16000fb1647c30835d8c4d6df5f9a7bf630338a8f30f1e6c2d73106c38b3893');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/17ca3ad0b3e46dd494919c1bae7aae49aa175132e7232d961b5b2810de88e5a8');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/d27a1748ca4edc1b14c0fb1ffde14ad5381886c1eda73b1e43bd827f19348e16');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/eda3f309b3dc5ac4c85bbca34f9215b6a2d480ffcd7a85fea9f55af876a64ff1');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/f8e024efd628e7abbfc0f0b2639206b3485d678733155b94f04b944572e77d32');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/50d140e58d18d3b41b68ce53760fc0e48762ffc8a69f1b59c49dac9d6cf83407');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/6b38e073e4017165bc9e9ab587c877805f40ebf9eb0ff98972493a9fd8303262');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_one', '81b637d8fcd2c6da/dc578740cdbacb9150472d6f85931e859e6ba180b1367a2e0b292939a01a745c');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/90767a07bc93e1b0573fe54671369ae900ec57ac1eefb75df2ffae32a553a1c0');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/6f0aec1a3d972d8f4a2ff40960cf805b9a2007fdde7aae0242472723030f769e');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/0175fa1296e0fcba744c0f413e770e4033b211ac66831d00d4bd8b7bfcc92ee5');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/1c1a63d0b761c85b4db89aa3434d33a1a920054678eab240ac0e5195be1896ca');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/e135e23b681501615290d38d121a10552b7142b3388d4b87d0785a3f4e237cf9');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/2f1ead81baac227f12ff7417806633a65f5bdaf7a38a263e0c248fd3f856822f');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/c417b2306602d15c7a0d691ca621eabbcce2978e9dc09171e3e47f9fb2c578cf');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/534eb8750f5bd52874c6544713a2eb8dd8a31cdc01a976ad331fecffe0999e00');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/c4fd8f0954e3f0930b0deadd73cd8b0310c290814d91cd3dd492a59279b04df8');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/31ef0203c7fcbdb75f2bc2578771b6527f5b7aed813e207bab86990497d819a2');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_two', '81b637d8fcd2c6da/a6b60cd4d58b7215b098018e784a4c78a77d65b2797522266e47f0cd2c5d4daf');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/90767a07bc93e1b0573fe54671369ae900ec57ac1eefb75df2ffae32a553a1c0');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/8b8ec79df718a329245f0de5fbde0d25e633c962b569509cdb2456bafaf0c342');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/02f09294b4dc9c94b8c4f47819dd68a1c79af1cf398ae7b9236126ccbee501b5');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/17159defcce17ce15b8be3d63ffa16966fcf65ca6c828e72c11df0dd1d81cc08');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/e9f166bafc103aa033adfc6f3dd3ce6e461a1277f025f642f193b29fc4990a31');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/6138a4fc3c5901726a9cafe1d2206e6afa0fe2e09f0b05145886c187a1bf7719');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/379128647e188776019f2bb1bb4e7f0e1946d584485b94ca1ea600b4705e1f88');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/eeb55daa81e55ffba30352f230f708cff55c23b4c2b72f2e63b148ecbaa4652e');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/a3268080cc125565f1eb7a8a5d9bc9e1aa4f63956c717758f009cfe118939f9b');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/cff5117c31a5724c851f2c7802eaa701aca4b7844b4ba47f2dacde37338f634c');
INSERT INTO public.part_pins (owner, key) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130/preset_three', '81b637d8fcd2c6da/1657f30ed67a391b5fb49b0ab162fafcec57e29cd92c050557fe1a6eccd1371c');
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('49915e0d7d4b402e/79815a159ef5733c0a1897907e4682ab3eda6913228b4f30fcca70a462bd16cf', 'parts/49915e0d7d4b402e/79815a159ef5733c0a1897907e4682ab3eda6913228b4f30fcca70a462bd16cf/96ff261e-8248-44ad-bc03-550a4e03fc98', 13478, '29321e0a07bfd166b917b83546720b1aed0901e1b1c3439594eed51d5666de2b', 1795023401350);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('49915e0d7d4b402e/69995db28ac1b02356599df0e200e5d375fb2988bd4afc3a2eae46718b518abb', 'parts/49915e0d7d4b402e/69995db28ac1b02356599df0e200e5d375fb2988bd4afc3a2eae46718b518abb/a2ed8d7f-6309-4352-9eb7-3466ce30915a', 11166, '9b999fc48f07f2fe4eee609079d4eeb8b3bee014fd80a0a42c12998e7e961328', 1795023402213);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('49915e0d7d4b402e/e939e380b78cab695c7bd5592baa8590783a0d7a9678d648001017a08dcc15ce', 'parts/49915e0d7d4b402e/e939e380b78cab695c7bd5592baa8590783a0d7a9678d648001017a08dcc15ce/668cb334-f14f-4582-b725-0eb243a2f8ee', 11201, '50224c450a53748a06cd15299b53ff5848d51cf5e8a2ceefcfd12798d85c7f15', 1795023402355);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('49915e0d7d4b402e/a861541ed5f86d3cc55b247ebe7a40440ea9b1cba1b7ff8c87e8848fd735fcae', 'parts/49915e0d7d4b402e/a861541ed5f86d3cc55b247ebe7a40440ea9b1cba1b7ff8c87e8848fd735fcae/92885b97-d7f0-4250-9350-e7f4ca672528', 6930, 'fd7778765e86f7342ad12360605a2a7457db5b8cc14e872de954a86ac92b7d77', 1795023402355);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('81b637d8fcd2c6da/7bcd5458adddde8420bf0177e9f229f68ef4c29918fc28f1d781b99f3696f0ed', 'parts/81b637d8fcd2c6da/7bcd5458adddde8420bf0177e9f229f68ef4c29918fc28f1d781b99f3696f0ed/c3c52ddc-4cb8-4983-baab-fcdb7bdc22a7', 12282, 'eb164d723819396172457271f52ea22724bbea53476ba0d217b0e53840ca450f', 1795023409896);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('81b637d8fcd2c6da/83093f16518d58984c9b7bf1e0b0e34be88b5e2f0940e3c749bc547750b17c51', 'parts/81b637d8fcd2c6da/83093f16518d58984c9b7bf1e0b0e34be88b5e2f0940e3c749bc547750b17c51/e1349726-f56f-44a2-b4b5-11a43ebefebd', 10088, 'd3c879d1ae67987e7ca571a3c4676588fade1c8a877aaa6dc33f89e4de65e712', 1795023410128);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('81b637d8fcd2c6da/3c0d7adec740bffa670a3054ca9fcb25f6265862b5ca965cf80fa3f4251b1776', 'parts/81b637d8fcd2c6da/3c0d7adec740bffa670a3054ca9fcb25f6265862b5ca965cf80fa3f4251b1776/086d470c-983f-4aa1-9039-bc026021f100', 10501, '1902d1873ae0f8d1efcdefa7c34733ea440ee9e93693d3f74c0cb26bb979caea', 1795023410238);
INSERT INTO public.parts (key, blob, bytes, sha256, used_at_ms) VALUES ('81b637d8fcd2c6da/a861541ed5f86d3cc55b247ebe7a40440ea9b1cba1b7ff8c87e8848fd735fcae', 'parts/81b637d8fcd2c6da/a861541ed5f86d3cc55b247ebe7a40440ea9b1cba1b7ff8c87e8848fd735fcae/59a0793c-d5d7-4635-876a-c3768c9cee56', 6930, 'fd7778765e86f7342ad12360605a2a7457db5b8cc14e872de954a86ac92b7d77', 1795023410238);
INSERT INTO public.project_links (secret_sha256, id, tenant, project_id, created_at_ms) VALUES ('8752373b51fe23f2159a4a6df8fb558622aeb3f4718d0ce446006af093f534e6', '40c162b7-d84f-409c-ba01-fb86f3c1f2a5', 'ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 1795023410815);
INSERT INTO public.project_media (tenant, project_id, revision, sha256) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 1, '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6');
INSERT INTO public.project_media (tenant, project_id, revision, sha256) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 2, '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6');
INSERT INTO public.project_media (tenant, project_id, revision, sha256) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 3, '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6');
INSERT INTO public.project_revisions (tenant, project_id, revision, name, document, bytes, saved_at_ms) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 1, 'First', 'd80b1999872dd6ecd73369896e7021c2ade7177dd7c5f1d370b40d072221c3ab', 153, 1795023410234);
INSERT INTO public.project_revisions (tenant, project_id, revision, name, document, bytes, saved_at_ms) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 2, 'Second', '1231cd90bd3f4f5c2530fa3b0f469bdee2f446fc0c4df3bc2b2de35c8af5e074', 154, 1795023410320);
INSERT INTO public.project_revisions (tenant, project_id, revision, name, document, bytes, saved_at_ms) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 3, 'Third ★', '6a6655a786e919eb6bea82f2f8a4f57e88fb797a166a74c5f3a1f5030bcc3ac7', 157, 1795023410425);
INSERT INTO public.project_revisions (tenant, project_id, revision, name, document, bytes, saved_at_ms) VALUES ('bob', '8f14e45f-ceea-467f-a8f4-0123456789ab', 1, 'Of bob', '0070aab0a58c694bd356bdc5ac9d6fbad426925f848130d386b9611ab3cff528', 17, 1795023410720);
INSERT INTO public.projects (tenant, id, revision, created_at_ms, saved_at_ms, thumbnail, thumbnail_bytes) VALUES ('bob', '8f14e45f-ceea-467f-a8f4-0123456789ab', 1, 1795023410720, 1795023410720, NULL, 0);
INSERT INTO public.projects (tenant, id, revision, created_at_ms, saved_at_ms, thumbnail, thumbnail_bytes) VALUES ('ann', '8f14e45f-ceea-467f-a8f4-0123456789ab', 3, 1795023410234, 1795023410425, '916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9', 133);
INSERT INTO public.schema_version (version) VALUES (19);
INSERT INTO public.unfinished_media (tenant, sha256, file, bytes, received, received_at_ms) VALUES ('bob', '3f37b1ec4274943a9b6e1d418d8825b3bcc3ec669130644123b0b158d7954c35', '8efc6fba-9018-432b-8d74-dcd861e1e70b', 4096, 2048, 1795023410176);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'clip', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 23658);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('eee7e390-a2e6-4b81-a097-5ff3fa270f86', 'picture', '916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9', 133);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'clip', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 23658);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('74b3b945-063c-4f8b-88bf-331fa5c8cbab', 'picture', '916596819ea0af70a7edfa12899feadf4e64f5cc3aaf8c09dc8baae32fbc98b9', 133);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('12efd92e-14ff-4a93-938c-f110c00ea3d5', 'clip', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 23658);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('ffc494e3-6103-4d2b-a59a-90c3450c6130', 'clip', '5b7e6e2eb129a5071e052febba4c15b056ae34359a508f397d480c8480b51cf6', 23658);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('1dfc07b8-3bf4-4be2-a429-cb343e75dc47', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('1dfc07b8-3bf4-4be2-a429-cb343e75dc47', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('3cb90b31-68a5-4f40-bac7-07eb6929834e', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('3cb90b31-68a5-4f40-bac7-07eb6929834e', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('d0271d20-7c21-46c8-9499-ad52e00e9787', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('d0271d20-7c21-46c8-9499-ad52e00e9787', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('898b8a25-fc41-4ebe-9502-8687343582be', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('898b8a25-fc41-4ebe-9502-8687343582be', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('06fc3815-a037-45b2-8b2d-43c8e751c550', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('06fc3815-a037-45b2-8b2d-43c8e751c550', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('1f8bcb32-7777-4507-8b95-22575241ebd2', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('443897f5-feb2-45d6-b863-5f6f4c1aca1a', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('888bbb18-2bc9-4b0f-ab60-a30fdfb08963', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'clip', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 3221225472);
INSERT INTO public.uploads (export_id, field, hash, bytes) VALUES ('cfbe2b20-3ea6-44f9-af49-3b7e23b84258', 'Bild 1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 1);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-11-18', 'rendered_ms', 'preset_one', 3000);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-11-18', 'rendered_ms', 'preset_two', 3000);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-11-18', 'rendered_ms', 'preset_three', 3000);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('bob', '2026-11-18', 'rendered_ms', 'preset_one', 3000);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('bob', '2026-11-18', 'rendered_ms', 'preset_two', 3000);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('bob', '2026-11-18', 'rendered_ms', 'preset_three', 3000);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-11-18', 'bytes_stored', '', 82246);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('bob', '2026-11-18', 'bytes_stored', '', 78825);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-11-18', 'bytes_sent', '', 57991);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-11-18', 'exports', '', 2);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('bob', '2026-11-18', 'exports', '', 3);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('bob', '2026-09-21', 'exports', '', 2);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-09-21', 'bytes_stored', '', 10);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('ann', '2026-09-21', 'exports', '', 6);
INSERT INTO public.usage_days (tenant, day, counter, preset, amount) VALUES ('carl', '2026-09-21', 'exports', '', 1);
SELECT pg_catalog.setval('public.deliveries_seq_seq', 5, true);
ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb
    ADD CONSTRAINT j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY pgboss.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);
ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);
ALTER TABLE ONLY pgboss.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.queue_stats_20261118
    ADD CONSTRAINT queue_stats_20261118_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.queue_stats_20261119
    ADD CONSTRAINT queue_stats_20261119_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);
ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);
ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.caption_media
    ADD CONSTRAINT caption_media_pkey PRIMARY KEY (captions_id, sha256);
ALTER TABLE ONLY public.caption_models
    ADD CONSTRAINT caption_models_pkey PRIMARY KEY (model);
ALTER TABLE ONLY public.captions
    ADD CONSTRAINT captions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_blob_key UNIQUE (blob);
ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.destinations
    ADD CONSTRAINT destinations_export_id_preset_key UNIQUE (export_id, preset);
ALTER TABLE ONLY public.destinations
    ADD CONSTRAINT destinations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.draft_claims
    ADD CONSTRAINT draft_claims_pkey PRIMARY KEY (plan_id, part);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_plan_id_key UNIQUE (plan_id);
ALTER TABLE ONLY public.ended_sessions
    ADD CONSTRAINT ended_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fetched_media
    ADD CONSTRAINT fetched_media_pkey PRIMARY KEY (tenant, address);
ALTER TABLE ONLY public.fetches
    ADD CONSTRAINT fetches_pkey PRIMARY KEY (export_id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_engine_id_key UNIQUE (engine_id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.live_frames
    ADD CONSTRAINT live_frames_pkey PRIMARY KEY (export_id, preset, first_chunk);
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (tenant, sha256);
ALTER TABLE ONLY public.outputs
    ADD CONSTRAINT outputs_pkey PRIMARY KEY (export_id, preset);
ALTER TABLE ONLY public.part_pins
    ADD CONSTRAINT part_pins_pkey PRIMARY KEY (owner, key);
ALTER TABLE ONLY public.parts
    ADD CONSTRAINT parts_blob_key UNIQUE (blob);
ALTER TABLE ONLY public.parts
    ADD CONSTRAINT parts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.project_links
    ADD CONSTRAINT project_links_pkey PRIMARY KEY (secret_sha256);
ALTER TABLE ONLY public.project_media
    ADD CONSTRAINT project_media_pkey PRIMARY KEY (tenant, project_id, revision, sha256);
ALTER TABLE ONLY public.project_revisions
    ADD CONSTRAINT project_revisions_pkey PRIMARY KEY (tenant, project_id, revision);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY public.unfinished_media
    ADD CONSTRAINT unfinished_media_file_key UNIQUE (file);
ALTER TABLE ONLY public.unfinished_media
    ADD CONSTRAINT unfinished_media_pkey PRIMARY KEY (tenant, sha256);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (export_id, field);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (tenant, day, counter, preset);
CREATE INDEX j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_i11 ON pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));
CREATE INDEX j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_i12 ON pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);
CREATE UNIQUE INDEX j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_i4 ON pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));
CREATE INDEX j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_i7 ON pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));
CREATE INDEX j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_i9 ON pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));
CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));
CREATE INDEX job_common_i10 ON pgboss.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i11 ON pgboss.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));
CREATE INDEX job_common_i12 ON pgboss.job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);
CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));
CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));
CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));
CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));
CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));
CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i9 ON pgboss.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));
CREATE INDEX job_dep_parent_idx ON pgboss.job_dependency USING btree (parent_name, parent_id);
CREATE INDEX queue_stats_i1 ON ONLY pgboss.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261118_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261118 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261119_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261119 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX tiercut_turns ON pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb USING btree (group_id, priority DESC, created_on) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));
CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);
CREATE INDEX caption_media_sha256 ON public.caption_media USING btree (tenant, sha256);
CREATE INDEX captions_due ON public.captions USING btree (held_until_ms) WHERE (state = 'queued'::text);
CREATE INDEX captions_failed ON public.captions USING btree (ended_at_ms) WHERE (state = 'failed'::text);
CREATE UNIQUE INDEX captions_key ON public.captions USING btree (tenant, key);
CREATE INDEX captions_result ON public.captions USING btree (tenant, result) WHERE (result IS NOT NULL);
CREATE INDEX deliveries_export ON public.deliveries USING btree (export_id, seq);
CREATE INDEX destinations_due ON public.destinations USING btree (held_until_ms) WHERE (held_until_ms IS NOT NULL);
CREATE INDEX drafts_open ON public.drafts USING btree (served_at_ms) WHERE (state = 'rendering'::text);
CREATE INDEX drafts_used ON public.drafts USING btree (used_at_ms);
CREATE INDEX ended_sessions_expiry ON public.ended_sessions USING btree (expires_at_ms);
CREATE INDEX exports_expiry ON public.exports USING btree (expires_at_ms) WHERE (expires_at_ms IS NOT NULL);
CREATE UNIQUE INDEX exports_idempotency ON public.exports USING btree (tenant, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX exports_list ON public.exports USING btree (tenant, created_at_ms, id);
CREATE INDEX exports_list_external ON public.exports USING btree (tenant, external_id, created_at_ms, id) WHERE (external_id IS NOT NULL);
CREATE INDEX exports_list_state ON public.exports USING btree (tenant, state, created_at_ms, id);
CREATE INDEX exports_state ON public.exports USING btree (state, created_at_ms);
CREATE INDEX exports_webhook ON public.exports USING btree (webhook_due_at_ms) WHERE (webhook_state = 'pending'::text);
CREATE INDEX fetched_media_sha256 ON public.fetched_media USING btree (tenant, sha256);
CREATE INDEX fetches_due ON public.fetches USING btree (held_until_ms);
CREATE INDEX jobs_export ON public.jobs USING btree (export_id);
CREATE INDEX jobs_raised ON public.jobs USING btree (raised_until_ms) WHERE (raised_until_ms IS NOT NULL);
CREATE INDEX media_sha256 ON public.media USING btree (sha256);
CREATE INDEX media_used ON public.media USING btree (used_at_ms) WHERE (lasting = 1);
CREATE INDEX outputs_shorts_queued ON public.outputs USING btree (export_id) WHERE ((state = 'queued'::text) AND (short_number IS NOT NULL));
CREATE INDEX outputs_under_way ON public.outputs USING btree (export_id) WHERE (state = ANY (ARRAY['queued'::text, 'rendering'::text]));
CREATE INDEX part_pins_key ON public.part_pins USING btree (key);
CREATE INDEX parts_used ON public.parts USING btree (used_at_ms, key);
CREATE INDEX project_links_project ON public.project_links USING btree (tenant, project_id);
CREATE INDEX project_media_sha256 ON public.project_media USING btree (tenant, sha256);
CREATE INDEX project_revisions_document ON public.project_revisions USING btree (document);
CREATE INDEX projects_list ON public.projects USING btree (tenant, saved_at_ms, id);
CREATE INDEX projects_thumbnail ON public.projects USING btree (thumbnail) WHERE (thumbnail IS NOT NULL);
CREATE INDEX uploads_hash ON public.uploads USING btree (hash);
CREATE INDEX usage_days_day ON public.usage_days USING btree (day);
ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb_pkey;
ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261118_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261118_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261119_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261119_pkey;
ALTER TABLE ONLY pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.j37724b0b776ac35a3767aff875edc95975b9a5b848ca3d9b068cc0fb
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);
ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.caption_media
    ADD CONSTRAINT caption_media_captions_id_fkey FOREIGN KEY (captions_id) REFERENCES public.captions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.captions
    ADD CONSTRAINT captions_tenant_result_fkey FOREIGN KEY (tenant, result) REFERENCES public.media(tenant, sha256) ON DELETE CASCADE;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.destinations
    ADD CONSTRAINT destinations_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.draft_claims
    ADD CONSTRAINT draft_claims_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.drafts(plan_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.fetched_media
    ADD CONSTRAINT fetched_media_tenant_sha256_fkey FOREIGN KEY (tenant, sha256) REFERENCES public.media(tenant, sha256) ON DELETE CASCADE;
ALTER TABLE ONLY public.fetches
    ADD CONSTRAINT fetches_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.live_frames
    ADD CONSTRAINT live_frames_export_id_preset_fkey FOREIGN KEY (export_id, preset) REFERENCES public.outputs(export_id, preset) ON DELETE CASCADE;
ALTER TABLE ONLY public.outputs
    ADD CONSTRAINT outputs_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_links
    ADD CONSTRAINT project_links_tenant_project_id_fkey FOREIGN KEY (tenant, project_id) REFERENCES public.projects(tenant, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_media
    ADD CONSTRAINT project_media_tenant_project_id_revision_fkey FOREIGN KEY (tenant, project_id, revision) REFERENCES public.project_revisions(tenant, project_id, revision) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_revisions
    ADD CONSTRAINT project_revisions_tenant_project_id_fkey FOREIGN KEY (tenant, project_id) REFERENCES public.projects(tenant, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;
