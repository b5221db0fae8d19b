/** The search of the documentation: which sections are found, in which order, and with which excerpt. */
import { describe, expect, test } from 'vitest'
import { type Section, search } from '../../../src/surfaces/viewer/docs/docs-search.ts'

const LONG = `${'before '.repeat(20)}needle ${'after '.repeat(40)}`

const SECTIONS: readonly Section[] = [
  ['executions', 'Did my tap happen?', '', 'Did my tap happen?', 'Read receipts and cancel executions.'],
  ['executions', 'Did my tap happen?', 'cancel-an-execution', 'Cancel an execution', 'The request is recorded.'],
  ['policy', 'Policy', 'rules', 'Rules', LONG],
  ['troubleshooting', 'Troubleshooting', 'no_devices', 'NO_DEVICES', 'No device is ready.'],
]

const found = (query: string) => search(SECTIONS, query).map(({ address }) => address)

describe('a section is found', () => {
  test('by a word of its heading before one of its text', () => {
    expect(found('cancel')).toEqual(['/docs/executions#cancel-an-execution', '/docs/executions'])
  })

  test('by any of the words, in any case; one that has more of them comes first', () => {
    expect(found('RECEIPTS Cancel')).toEqual(['/docs/executions', '/docs/executions#cancel-an-execution'])
    expect(found('receipts policy')).toEqual(['/docs/policy#rules', '/docs/executions'])
    expect(found('recorded cancel an')[0]).toBe('/docs/executions#cancel-an-execution')
    expect(found('unheard unwritten')).toEqual([])
  })

  test('by a failure code', () => expect(found('no_devices')).toEqual(['/docs/troubleshooting#no_devices']))

  test('by no empty query', () => expect(found('  ')).toEqual([]))

  test('by text that would be a pattern', () => expect(found('tap happen?')[0]).toBe('/docs/executions'))
})

test('the excerpt is the text around the word', () => {
  const [hit] = search(SECTIONS, 'needle')
  expect(hit?.excerpt).toMatch(/^… (before ){1,8}needle (after ?)+.* …$/)
})
