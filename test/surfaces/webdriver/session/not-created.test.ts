/** What a client is told of a session that did not come to be: the cause, and never that it waited for minutes when it did not. */
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { whyNotCreated } from '../../../../src/surfaces/webdriver/session/not-created.ts'

const OPEN_MS = 1_000
const why = (asked: Parameters<typeof whyNotCreated>[0]) => whyNotCreated(asked, { problem: undefined }, OPEN_MS)
const over = (reason: 'closed' | 'failed', message?: string) =>
  ({
    kind: 'answered',
    emitted: {
      type: 'session.over',
      sessionId: 's',
      reason,
      failure: message === undefined ? null : { code: 'ANY', message, executionId: null },
    },
  }) as const

describe('a session that was not created', () => {
  test('because a record of it was lost: that may have been after steps on the phone', () => {
    const problem = why({ kind: 'broken', error: new JournalError('full', 'database or disk is full') })
    expect(problem.message).toContain('could not be recorded: database or disk is full.')
    expect(problem.data).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', dispatched: 'unknown' })
  })

  test('because its request could not be recorded: nothing was done', () => {
    const problem = why({ kind: 'unrecorded', error: new JournalError('full', 'database or disk is full') })
    expect(problem.data).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', dispatched: false })
  })

  test('because its server ended', () => {
    const problem = why(over('closed'))
    expect(problem.message).toContain('The server ended while the session was opened.')
    expect(problem.data).toMatchObject({ code: 'EXECUTION_CANCELLED' })
  })

  test('because it failed, with the words of the failure', () => {
    expect(why(over('failed', 'The phone burnt.')).message).toContain('The phone burnt.')
  })

  test('because it broke, or was not ready in time', () => {
    expect(why({ kind: 'broken', error: new Error('no such thing') }).message).toContain('no such thing')
    expect(why({ kind: 'expired' }).message).toContain('not ready within 1000 ms')
  })

  test('for a problem that is known already', () => {
    const error = { code: 'DEVICE_NOT_FOUND', message: 'There is no such phone.', retriable: false }
    const problem = whyNotCreated({ kind: 'expired' }, { problem: { error, executionId: 'e' } }, OPEN_MS)
    expect(problem.message).toContain('There is no such phone.')
  })
})
