/** A session whose machine was dropped with its journal gives its phone back, and one that goes on keeps it. */
import { expect, test } from 'vitest'
import { NO_COMMAND, newSession, type WebDriverDeps } from '../../../../src/surfaces/webdriver/deps.ts'
import type { SessionWish } from '../../../../src/surfaces/webdriver/session/capabilities.ts'
import { giveUpWhenBroken } from '../../../../src/surfaces/webdriver/session/end-of-session.ts'
import { settled } from '../../../support/settled.ts'

interface Broken {
  isRunning?: boolean
  hasPhone?: boolean
  released?: { ok: boolean; error?: { code: string; message: string } }
}

/** The ports of the session are told to stop. */
const breakSession = async ({ isRunning = false, hasPhone = true, released = { ok: true } }: Broken) => {
  const session = newSession('s1', {} as SessionWish, NO_COMMAND)
  if (hasPhone) session.phone = { deviceId: 'd1', leaseId: 'l1' }
  const ended: unknown[] = []
  const notes: string[] = []
  const sessions = new Map([['s1', session]])
  const deps = {
    sessions,
    note: (text: string) => void notes.push(text),
    host: { snapshot: () => (isRunning ? {} : undefined) },
    service: async () => ({
      'leases.end': async (...asked: unknown[]) => {
        ended.push(asked)
        return released
      },
    }),
  } as unknown as WebDriverDeps
  const stopped = new AbortController()
  giveUpWhenBroken(deps, session, stopped.signal)
  stopped.abort()
  await settled()
  return { session, sessions, ended, notes }
}

const NAMED = [{ leaseId: 'l1' }, { context: { caller: 'webdriver', leaseId: 'l1' } }]

test('its phone is given back, its command stops, and nothing is left of it', async () => {
  const { session, sessions, ended, notes } = await breakSession({})
  expect(ended).toEqual([NAMED])
  expect([session.ended.signal.aborted, session.cancelled.signal.aborted]).toEqual([true, true])
  expect([sessions.size, notes]).toEqual([0, []])
})

test('one that only left a state keeps its phone', async () => {
  const { session, sessions, ended } = await breakSession({ isRunning: true })
  expect([ended, sessions.get('s1'), session.ended.signal.aborted]).toEqual([[], session, false])
})

test('one without a phone has nothing to give back', async () => {
  const { sessions, ended } = await breakSession({ hasPhone: false })
  expect([ended, sessions.size]).toEqual([[], 0])
})

test.each([
  ['LEASE_NOT_FOUND', []],
  ['JOURNAL_UNAVAILABLE', [expect.stringMatching(/s1.*d1.*The disk is full/)]],
])('a reservation that cannot be ended for %s', async (code, said) => {
  const { sessions, notes } = await breakSession({
    released: { ok: false, error: { code, message: 'The disk is full.' } },
  })
  expect([sessions.size, notes]).toEqual([0, said])
})
