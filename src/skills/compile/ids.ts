/** Section Compile artifact rules: ids that are the same whenever the same skill, recipe and vars are. */
import { createHash } from 'node:crypto'
import { COMPILE_HASH_HEX_CHARS } from '../../contracts/limits.ts'
import type { Vars } from './placeholders.ts'

export interface DerivedIds {
  commandId: string
  taskId: string
}

/** By code units, so that the language of the host changes nothing. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

export const derivedIds = (skillId: string, artifact: string, vars: Vars): DerivedIds => {
  const stable = JSON.stringify([skillId, artifact, Object.entries(vars).sort(byName)])
  const hash = createHash('sha256').update(stable).digest('hex').slice(0, COMPILE_HASH_HEX_CHARS)
  return { commandId: `cmd-${hash}`, taskId: `task-${hash}` }
}
