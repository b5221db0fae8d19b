/** A rehearsal leaves nothing behind in the journal of its server, and gives way to callers. */
import { expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { rehearse } from '../../src/roots/rehearsal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import { fakeExecutions } from '../support/fake-executions.ts'
import { fakeDeps } from '../support/http-server.ts'
import { wait } from '../support/until.ts'

const clock = systemClock()
const ids = systemIds()

const parts = () => {
  const executions = fakeExecutions()
  const deps = fakeDeps(executions)
  return { executions, deps, app: createApp(deps) }
}

test('a rehearsal is neither recorded nor seen by the executions of its server', async () => {
  const { executions, deps, app } = parts()
  await rehearse({ clock, ids, app, deps, askedAt: () => 0, signal: new AbortController().signal })
  expect(deps.journal.head()).toBe(0)
  expect(executions.requests).toEqual([])
})

test('a rehearsal waits while callers ask, and ends with its server', async () => {
  const { deps, app } = parts()
  const stopping = new AbortController()
  let isOver = false
  const rehearsal = rehearse({ clock, ids, app, deps, askedAt: clock.elapsed, signal: stopping.signal }).finally(() => {
    isOver = true
  })
  await wait(200)
  expect(isOver).toBe(false)
  stopping.abort()
  await rehearsal
})
