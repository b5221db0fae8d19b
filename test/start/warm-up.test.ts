/** A rehearsal leaves nothing behind in the journal of its server, and gives way to the first caller. */
import { expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import { createListener } from '../../src/start/listener.ts'
import { rehearse } from '../../src/start/warm-up.ts'
import { fakeExecutions } from '../support/executions/fake-executions.ts'
import { fakeDeps } from '../support/http/http-server.ts'

const clock = systemClock()
const ids = systemIds()

const parts = () => {
  const executions = fakeExecutions()
  const deps = fakeDeps(executions)
  return { executions, deps, app: createListener(deps).app }
}

test('a rehearsal is neither recorded nor seen by the executions of its server', async () => {
  const { executions, deps, app } = parts()
  await rehearse({ clock, ids, app, parts: deps, signal: new AbortController().signal })
  expect(deps.journal().head()).toBe(0)
  expect(executions.requests).toEqual([])
})

test('a rehearsal ends with the first request', async () => {
  const { deps, app } = parts()
  const busy = new AbortController()
  const begun = clock.elapsed()
  const rehearsal = rehearse({ clock, ids, app, parts: deps, signal: busy.signal })
  busy.abort()
  await rehearsal
  expect(clock.elapsed() - begun).toBeLessThan(100)
})
