/** `svc read`, `svc read-value`. */
import { accepted, type FlatCommand, given, switched, usage } from './command.ts'
import { CONTAINER_FLAGS, containerOf, neededMatcher, SELECTOR_FLAGS } from './selectors.ts'

export const read: FlatCommand = {
  path: ['read'],
  shape: 'svc read <selector> [--all] [<container selector>]',
  summary: 'read the text of a node',
  flags: [...SELECTOR_FLAGS, { name: 'all', summary: 'every node that matches, as a JSON array' }, ...CONTAINER_FLAGS],
  examples: ['svc read --id com.example:id/price', 'svc read --role listitem --all --container-id com.example:id/list'],
  draft(call) {
    const matcher = neededMatcher(call, read)
    if (!matcher.ok) return matcher
    const container = containerOf(call, read)
    if (!container.ok) return container
    const params = { matcher: matcher.value, all: switched(call, 'all'), container: container.value }
    return accepted({ type: 'read_text', params: given(params) })
  },
}

export const readValue: FlatCommand = {
  path: ['read-value'],
  shape: 'svc read-value (--label <text> | --label-id <id> | --label-desc <text>) [--all]',
  summary: 'read the value beside a label',
  flags: [
    { name: 'label', value: 'text', summary: 'the label is exactly this' },
    { name: 'label-id', value: 'id', summary: 'the label has exactly this resource id' },
    { name: 'label-desc', value: 'text', summary: 'the label has exactly this content description' },
    { name: 'all', summary: 'every label that matches' },
  ],
  examples: ['svc read-value --label "Android version"', 'svc read-value --label-id com.example:id/total'],
  draft(call) {
    const labelMatcher = given({
      textEquals: call.text('label'),
      resourceId: call.text('label-id'),
      contentDescEquals: call.text('label-desc'),
    })
    if (Object.keys(labelMatcher).length === 0) return usage(readValue, 'a label is missing')
    return accepted({ type: 'read_key_value_pair', params: given({ labelMatcher, all: switched(call, 'all') }) })
  },
}
