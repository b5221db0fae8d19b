/** `svc read`, `svc read-value`. */
import { readAction } from '../../executions/flat-actions.ts'
import { defined } from '../command.ts'
import { type FlatCommand, misuse, switched } from './command.ts'
import { CONTAINER_FLAGS, containerOf, neededMatcher, SELECTOR_FLAGS } from './selectors.ts'

export const read: FlatCommand = {
  path: ['read'],
  shape: 'svc read <selector> [--all] [<container selector>]',
  summary: 'read the text of a node',
  flags: [...SELECTOR_FLAGS, { name: 'all', summary: 'every match, as a JSON array' }, ...CONTAINER_FLAGS],
  examples: ['svc read --id com.example:id/price', 'svc read --role listitem --all --container-id com.example:id/list'],
  draft(call) {
    const matcher = neededMatcher(call, read)
    return readAction({ matcher, all: switched(call, 'all'), container: containerOf(call, read) })
  },
}

export const readValue: FlatCommand = {
  path: ['read-value'],
  shape: 'svc read-value (--label <text> | --label-id <id> | --label-desc <text> | --label-ref <ref>) [--all]',
  summary: 'read the value beside a label',
  flags: [
    { name: 'label', value: 'text', summary: 'the label is exactly this' },
    { name: 'label-id', value: 'id', summary: 'the label has exactly this resource id' },
    { name: 'label-desc', value: 'text', summary: 'the label has exactly this content description' },
    { name: 'label-ref', value: 'ref', summary: 'the label of a compact snapshot, such as @12.7' },
    { name: 'all', summary: 'every label that matches' },
  ],
  examples: ['svc read-value --label "Android version"', 'svc read-value --label-id com.example:id/total'],
  draft(call) {
    const labelMatcher = defined({
      textEquals: call.text('label'),
      resourceId: call.text('label-id'),
      contentDescEquals: call.text('label-desc'),
      ref: call.text('label-ref'),
    })
    if (Object.keys(labelMatcher).length === 0) throw misuse(readValue, 'a label is missing')
    return { type: 'read_key_value_pair', params: defined({ labelMatcher, all: switched(call, 'all') }) }
  },
}
