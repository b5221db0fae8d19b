/** Which keys are known at a place of a scenario, for saying what a mistyped one may have meant. */
import { APP_KEYS, INTENT_KEYS, SCREEN_KEYS } from './app.ts'
import { DEVICE_KEYS, OPERATOR_KEYS, SIZE_KEYS } from './device.ts'
import { Fault } from './fault.ts'
import { NODE_KEYS } from './node.ts'
import { effectEntries, NodeChanges } from './reaction.ts'

const REACTION_KEYS = Object.keys(effectEntries)

/** By the last key on the way that says what kind of object it holds. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  apps: APP_KEYS,
  screens: SCREEN_KEYS,
  nodes: NODE_KEYS,
  intents: INTENT_KEYS,
  device: DEVICE_KEYS,
  size: SIZE_KEYS,
  operator: OPERATOR_KEYS,
  faults: Object.keys(Fault.entries),
  appearsAfter: ['ms', 'reads'],
  disappearsAfter: ['ms', 'reads'],
  set: Object.keys(NodeChanges.entries),
  onTap: REACTION_KEYS,
  onLongPress: REACTION_KEYS,
  onKey: REACTION_KEYS,
  onText: ['when', ...REACTION_KEYS],
  onScroll: ['when', ...REACTION_KEYS],
}

export const keysAt = (path: readonly PropertyKey[], top: readonly string[]): readonly string[] => {
  // Names of screens, nodes and keys are the author's own, and one of them may be called `nodes`.
  const kinds = path.filter((_, index) => !['screens', 'set', 'onKey'].includes(String(path[index - 1])))
  const kind = kinds.findLast(key => typeof key === 'string' && Object.hasOwn(KEYS, key))
  return kind === undefined ? top : (KEYS[String(kind)] ?? top)
}
