/** The tags that a machine has in a state, told from its definition. */
import type { AnyStateNode } from 'xstate'
import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'

export const tagsOf = (machine: string, state: string): readonly string[] => {
  if (!Object.hasOwn(CATALOGUE, machine)) return []
  let node: AnyStateNode | undefined = CATALOGUE[machine as MachineName].logic.root as AnyStateNode
  const tags: string[] = []
  for (const name of state.split('.')) {
    node = node?.states[name]
    tags.push(...(node?.tags ?? []))
  }
  return tags
}
