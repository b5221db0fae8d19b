/** The tables of the journal file, and the version of their shape. */

export const SCHEMA_VERSION = 4
/** No version will be above this: the header of the file is damaged. */
export const SCHEMA_VERSION_MAX = 1_000

/**
 * The settings of every process. The first process that opens the journal reads the whole WAL, and that is often a
 * command: so a command leaves a small WAL. A server checkpoints it in a thread, and leaves none when it ends.
 */
export const SESSION = `
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 256;
  PRAGMA journal_size_limit = 16777216;
`

/** Brings the WAL into the file, as far as nobody reads it. */
export const CHECKPOINT_WAL = 'PRAGMA wal_checkpoint(PASSIVE)'
/** The same, and leaves the WAL empty, unless another process uses it now. */
export const EMPTY_WAL = 'PRAGMA wal_checkpoint(TRUNCATE)'

/**
 * `seq` is not AUTOINCREMENT, which would write one more page with every record: the newest record is never pruned,
 * so the next rowid is always a new one. `fact` is a sealed row; the columns beside it exist to be searched,
 * but for a small `body`, whose digest is in the fact. A `digest` names a row of `bodies`. `receipts_sought` is read whole in
 * place of the much larger receipts; earlier builds made an index for each of its columns, one more page to write with each
 * execution.
 */
export const SCHEMA = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  BEGIN;

  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    actor TEXT NOT NULL,
    n INTEGER NOT NULL,
    machine TEXT NOT NULL,
    at INTEGER NOT NULL,
    digest TEXT,
    fact BLOB NOT NULL,
    listener TEXT,
    body BLOB
  );
  CREATE UNIQUE INDEX records_position ON records (actor, n);
  CREATE INDEX records_digest ON records (digest) WHERE digest IS NOT NULL;
  CREATE INDEX records_listener ON records (listener, seq) WHERE listener IS NOT NULL;

  CREATE TABLE actors (actor TEXT PRIMARY KEY, machine TEXT NOT NULL, tags TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE checkpoints (actor TEXT PRIMARY KEY, n INTEGER NOT NULL, fact BLOB NOT NULL);

  CREATE TABLE bodies (digest TEXT PRIMARY KEY, json BLOB NOT NULL);

  CREATE TABLE receipts (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    device TEXT NOT NULL,
    command TEXT NOT NULL,
    skill_run TEXT,
    settled INTEGER NOT NULL,
    at INTEGER NOT NULL,
    digest TEXT,
    fact BLOB NOT NULL,
    key TEXT
  );
  CREATE INDEX receipts_sought ON receipts (row, device, command);
  CREATE INDEX receipts_skill_run ON receipts (skill_run) WHERE skill_run IS NOT NULL;
  CREATE INDEX receipts_digest ON receipts (digest) WHERE digest IS NOT NULL;
  CREATE INDEX receipts_key ON receipts (key) WHERE key IS NOT NULL;

  CREATE TABLE leases (key TEXT PRIMARY KEY, fence INTEGER NOT NULL, fact BLOB, renewed INTEGER) WITHOUT ROWID;

  PRAGMA user_version = ${SCHEMA_VERSION};
  COMMIT;
`

/** The SQL that brings a journal of the given schema version one version up. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `
    ALTER TABLE records ADD COLUMN listener TEXT;
    CREATE INDEX records_listener ON records (listener, seq) WHERE listener IS NOT NULL;
    ALTER TABLE receipts ADD COLUMN key TEXT;
    CREATE INDEX receipts_key ON receipts (key) WHERE key IS NOT NULL;
    PRAGMA user_version = 2;
  `,
  // Earlier builds would miss the bodies that are kept beside their record from now on.
  2: `
    ALTER TABLE records ADD COLUMN body BLOB;
    PRAGMA user_version = 3;
  `,
  // Earlier builds would take the phone of an owner in another container, which they cannot see.
  3: `
    ALTER TABLE leases ADD COLUMN renewed INTEGER;
    PRAGMA user_version = 4;
  `,
}
