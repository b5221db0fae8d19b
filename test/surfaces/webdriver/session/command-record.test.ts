/** The end of a command is recorded again where the journal had no room: until then the session counts as busy. */
import { expect, test } from 'vitest'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { NO_COMMAND, newSession, type WebDriverDeps } from '../../../../src/surfaces/webdriver/deps.ts'
import type { SessionWish } from '../../../../src/surfaces/webdriver/session/capabilities.ts'
import type { LiveSession } from '../../../../src/surfaces/webdriver/session/live-session.ts'
import { createSessions } from '../../../../src/surfaces/webdriver/session/sessions.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const LATER_MS = 60_000

/** The ends of commands are refused until the disk has room. */
const sessionOnFullDisk = () => {
  const clock = manualClock()
  const session = newSession('s1', {} as SessionWish, NO_COMMAND)
  session.live = { sessionId: 's1' } as LiveSession
  const disk = { isFull: true }
  const recorded: string[] = []
  let refused = 0
  const host = {
    onEmitted() {},
    async tell(_: unknown, { type, path, error }: { type: string; path?: string; error?: unknown }) {
      if (type === 'command.ended' && disk.isFull) {
        refused += 1
        return { kind: 'unrecorded', error: new JournalError('full', 'The disk is full') }
      }
      recorded.push(type === 'command.ended' ? `ended ${error}` : `begun ${path}`)
      return { kind: 'told' }
    },
  }
  const deps = { clock, ids: { at: () => 'x1' }, host, sessions: new Map([['s1', session]]), note() {} }
  const sessions = createSessions(deps as unknown as WebDriverDeps)
  return {
    session,
    disk,
    recorded,
    refused: () => refused,
    run: (path: string) => sessions.run('s1', { method: 'POST', path }, async () => path, {}),
    async pass(ms = LATER_MS) {
      clock.advance(ms)
      await settled()
    },
  }
}

test('once the disk has room again, and only once', async () => {
  const { disk, recorded, refused, run, pass } = sessionOnFullDisk()
  expect((await run('/a')).status).toBe(200)
  await settled()
  expect([recorded, refused()]).toEqual([['begun /a'], 1])
  await pass()
  disk.isFull = false
  await pass()
  await pass()
  expect(recorded).toEqual(['begun /a', 'ended null'])
  expect(refused()).toBeGreaterThan(1)
})

test('never after the next command has begun: that end would be another one', async () => {
  const { disk, recorded, run, pass } = sessionOnFullDisk()
  await run('/a')
  await settled()
  disk.isFull = false
  await run('/b')
  await settled()
  await pass()
  expect(recorded).toEqual(['begun /a', 'begun /b', 'ended null'])
})

test('not once the session is over', async () => {
  const { session, disk, recorded, refused, run, pass } = sessionOnFullDisk()
  await run('/a')
  await settled()
  session.ended.abort()
  disk.isFull = false
  await pass()
  expect([recorded, refused()]).toEqual([['begun /a'], 1])
})
