/** A session whose client left while it was opened is ended: nobody would ever send it a command. */
import { expect, test } from 'vitest'
import type { WebDriverDeps } from '../../../../src/surfaces/webdriver/deps.ts'
import type { LiveSession } from '../../../../src/surfaces/webdriver/session/live-session.ts'
import { createSessions } from '../../../../src/surfaces/webdriver/session/sessions.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const create = (leavesAt: 'opening' | 'ready' | 'never') => {
  const left = new AbortController()
  const told: string[] = []
  const sessions: WebDriverDeps['sessions'] = new Map()
  const host = {
    onEmitted() {},
    async ask(_: unknown, { sessionId }: { sessionId: string }) {
      const session = sessions.get(sessionId)
      if (session) session.live = { sessionId } as LiveSession
      if (leavesAt === 'opening') left.abort()
      expect(told).toEqual(leavesAt === 'opening' ? ['end.requested'] : [])
      if (leavesAt === 'ready') left.abort()
      return { kind: 'answered', emitted: { type: 'session.ready', sessionId } }
    },
    async tell(_: unknown, { type }: { type: string }) {
      told.push(type)
      return { kind: 'told' }
    },
  }
  const deps = { clock: manualClock(), ids: { at: () => 's1' }, host, sessions } as unknown as WebDriverDeps
  const created = createSessions(deps).create({ capabilities: {} }, { leave: left.signal })
  return { created, told }
}

test.each(['opening', 'ready'] as const)('it leaves when the session is %s', async when => {
  const { created, told } = create(when)
  await expect(created).rejects.toMatchObject({ error: 'session not created' })
  expect(told).toContain('end.requested')
})

test('a client that stays gets its session', async () => {
  const { created, told } = create('never')
  expect(await created).toMatchObject({ sessionId: 's1' })
  expect(told).toEqual([])
})
