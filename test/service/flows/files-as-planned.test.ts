/** A run that goes on finds its flows where its plan had them, whatever its folder holds meanwhile. */
import { expect, test } from 'vitest'
import { filesAsPlanned, type PlannedFiles } from '../../../src/service/flows/plan-run.ts'

const files = (...names: string[]) => names.map(file => ({ flow: { file } }) as PlannedFiles)
const planned = (...names: string[]) => names.map(file => ({ file }))

const orderOf = (result: ReturnType<typeof filesAsPlanned>) =>
  result.ok ? result.files.map(({ flow }) => flow.file) : `missing ${result.missing}`

test.each([
  ['nothing has changed', ['a', 'b'], ['a', 'b'], ['a', 'b']],
  ['a flow was added before them', ['b', 'c'], ['a', 'b', 'c'], ['b', 'c']],
  ['their order has changed', ['b', 'a'], ['a', 'b'], ['b', 'a']],
  ['each of two phones runs all of them, and one is gone', ['a', 'b', 'a', 'b'], ['a', 'b'], ['a', 'b', 'a', 'b']],
  ['it was never planned', [], ['a'], []],
  ['a flow is gone', ['a', 'b'], ['b'], 'missing a'],
] as const)('%s', (_, before, now, expected) => {
  expect(orderOf(filesAsPlanned(planned(...before), files(...now)))).toEqual(expected)
})
