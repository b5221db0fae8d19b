/** A journal that fails in the middle of an execution: the answer says whether the request was out, and is right. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await startLab()
})
afterEach(() => lab.close())

/** The disk is full from this event on. */
const failAt = (type: string) => {
  const journal = lab.services.journal()
  const { append, begin } = journal
  let isFull = false
  journal.append = async (record, options) => {
    isFull ||= record.event.type === type
    if (isFull) throw new JournalError('full', 'the disk is full')
    return append(record, options)
  }
  journal.begin = async (lease, record, options) => {
    isFull ||= record.event.type === type
    if (isFull) throw new JournalError('full', 'the disk is full')
    return begin(lease, record, options)
  }
  return journal
}

const press = async () => {
  const { result } = await lab.execute([{ id: 'home', type: 'press_key', params: { key: 'home' } }])
  return result.ok ? undefined : result.error
}

test.each([
  ['execution.requested', false, 'nothing was sent'],
  ['execution.dispatched', false, 'nothing was sent'],
  ['execution.settled', true, 'it may have executed'],
])('when %s cannot be recorded', async (type, dispatched, said) => {
  failAt(type)
  expect(await press()).toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    message: expect.stringContaining(said),
    details: { reason: 'full', dispatched },
    retriable: false,
  })
})

test('when it cannot be asked either, nobody knows', async () => {
  const journal = failAt('execution.dispatched')
  journal.receipt = () => {
    throw new JournalError('full', 'the disk is full')
  }
  const error = await press()
  expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', message: expect.stringContaining('may have executed') })
  expect(error?.details).toMatchObject({ dispatched: 'unknown' })
})
