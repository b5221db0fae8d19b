import { describe, expect, test } from 'vitest'
import { extractInputs, type GivenParam } from '../../../../src/service/skills/record/extract-inputs.ts'
import { proposeVerification } from '../../../../src/service/skills/record/identifying-text.ts'
import { flowOf, idOf, screenOf, tap, type, type WrittenNode, type WrittenStep } from '../../../support/flows/flow.ts'

const proposed = (written: WrittenStep[], ...params: GivenParam[]) => {
  const parameterized = extractInputs(flowOf(...written), params)
  if (!parameterized.ok) throw new Error(parameterized.error.message)
  return proposeVerification(parameterized)
}
const atEnd = (...nodes: WrittenNode[]) => [screenOf({ text: 'Notes' }), tap('Open'), screenOf(...nodes)]

describe('the text that is proposed', () => {
  test('is new on the last screen, and no clock, date or count', () => {
    const found = proposed(
      atEnd(
        { text: '12:31' },
        { text: 'Mon, May' },
        { text: '3 notes' },
        { text: '87%' },
        { text: 'Notes' },
        { text: 'Trash' },
      ),
    )
    expect(found).toMatchObject({ expected: 'Trash', read: { textEquals: 'Trash' } })
    expect(found?.reasons.join()).toContain('no screen before')
  })

  test('is read by an id that is there once, so that another text would be noticed', () => {
    const row = { text: 'First', id: 'title' }
    expect(proposed(atEnd(row, { text: 'Second', id: 'title' }, { text: 'Archive', id: 'heading' }))).toMatchObject({
      expected: 'Archive',
      read: { resourceId: idOf('heading') },
      wait: { resourceId: idOf('heading'), textEquals: 'Archive' },
    })
  })

  test('is there once: a matcher finds the first of several', () => {
    expect(proposed(atEnd({ text: 'Twice' }, { text: 'Twice' }))).toBeUndefined()
  })

  test('is not what is typed in a field, nor a password', () => {
    const field = { text: 'milk', className: 'EditText' }
    expect(proposed(atEnd(field, { text: 'abcd', flags: 'password' }))).toBeUndefined()
  })

  test('says a parameter with more around it, and never the parameter alone', () => {
    const flow = [
      screenOf({ id: 'q', className: 'EditText' }),
      type('q', 'tea'),
      screenOf({ text: 'tea' }, { text: 'Notes on tea' }),
    ]
    expect(proposed(flow, { name: 'query', value: 'tea' })).toMatchObject({
      expected: 'Notes on {query}',
      read: { textEquals: 'Notes on {{QUERY}}' },
    })
    expect(proposed([...flow.slice(0, 2), screenOf({ text: 'tea' })], { name: 'query', value: 'tea' })).toBeUndefined()
  })

  test('with parameters is one that does not depend on them', () => {
    const title = { text: 'All notes' }
    const flow = [
      screenOf(title, { id: 'q', className: 'EditText' }),
      type('q', 'tea'),
      screenOf({ text: 'Green leaves' }, title),
    ]
    expect(proposed(flow, { name: 'query', value: 'tea' })?.expected).toBe('All notes')
  })

  test('is what a wait found where no snapshot was taken at the end', () => {
    const wait = { type: 'wait_for_node', params: { matcher: { textContains: 'Tra' } }, data: { label: 'Trash' } }
    expect(proposed([screenOf({ text: 'Notes' }), tap('Open'), wait])).toMatchObject({
      expected: 'Trash',
      read: { textContains: 'Tra' },
    })
    expect(proposed([screenOf({ text: 'Notes' }), tap('Open')])).toBeUndefined()
  })

  test('is what the last wait found, and not what stood there while it waited', () => {
    const wait = (label: string) => ({
      type: 'wait_for_node',
      params: { matcher: { textEquals: label } },
      data: { label },
    })
    const working = [screenOf({ text: 'Notes' }), tap('Save'), screenOf({ text: 'Working', id: 'title' })]
    const saved = screenOf({ text: 'Notes list', id: 'title' }, { text: 'All saved', flags: 'clickable' })
    expect(proposed([...working, wait('All saved')])?.expected).toBe('All saved')
    expect(proposed([...working, wait('All saved'), saved])?.expected).toBe('All saved')
    // A text that comes and goes, and one that says how many, are no proof.
    expect(proposed([...working, wait('Spinner'), saved])?.expected).toBe('Notes list')
    expect(proposed([...working, wait('3 saved'), saved])?.expected).toBe('Notes list')
  })
})
