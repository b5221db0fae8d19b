/** Checkpoints in SQLite: the newest snapshot of each actor. */
import type { Connection } from './connection.ts'
import type { Checkpoint } from './journal.ts'
import { unseal } from './seal.ts'

export const sqliteCheckpoints = (connection: Connection) => {
  const select = connection.statement('SELECT CAST(fact AS BLOB) FROM checkpoints WHERE actor = ?')
  const upsert = connection.statement(`
    INSERT INTO checkpoints (actor, n, fact) VALUES (?, ?, ?)
    ON CONFLICT (actor) DO UPDATE SET n = excluded.n, fact = excluded.fact WHERE excluded.n >= checkpoints.n`)
  return {
    read: (actor: string): Checkpoint | undefined => {
      const row = select.get(actor)
      return row && unseal<Checkpoint>(row[0])
    },
    /** Inside a write. A process that fell behind may come with an older one: the newer stays. */
    save: ({ actor, n }: Checkpoint, sealed: Buffer): void => void upsert.run(actor, n, sealed),
  }
}
