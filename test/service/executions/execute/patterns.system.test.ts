/** A pattern of one caller that needs exponential time holds up no other caller of the same process. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { startLab } from '../../../support/executions/lab.ts'
import { wait } from '../../../support/until.ts'

const PROGRAM = fileURLToPath(new URL('../../../../dist/svc.cjs', import.meta.url))
const TRIES = 4
const EVIL = '^([A-Za-z ]+)+;$'

/** Waits of 10 ms that took as long as one pattern may, until it is told to stop. */
const watchLoop = () => {
  const clock = systemClock()
  let isOver = false
  let held = 0
  const watching = (async () => {
    while (!isOver) {
      const before = clock.elapsed()
      await wait(10)
      if (clock.elapsed() - before > 450) held += 1
    }
  })()
  return async () => {
    isOver = true
    await watching
    return held
  }
}

test('svc.shell has it matched in a thread', async () => {
  const lab = await startLab({ operator: 'none', program: PROGRAM })
  try {
    const open = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
    const matcher = { resourceId: 'com.android.settings:id/search' }
    const type = { id: 'type', type: 'enter_text', params: { matcher, text: `${'a'.repeat(40)}!` } }
    const run = (actions: unknown[]) => lab.execute(actions, { operatorPackage: 'svc.shell' })
    expect((await run([open, type])).result).toMatchObject({ ok: true, envelope: { status: 'success' } })
    const stop = watchLoop()
    const retry = { maxAttempts: TRIES, initialDelayMs: 10 }
    const params = { matcher, validator: 'regex', validatorPattern: EVIL, retry }
    const { result } = await run([{ id: 'read', type: 'read_text', params }])
    expect(result).toMatchObject({ envelope: { errorCode: 'VALIDATOR_MISMATCH' } })
    expect(JSON.stringify(result)).toContain('took longer than 500 ms')
    expect(await stop(), 'tries that held the event loop up').toBeLessThan(2)
  } finally {
    await lab.close()
  }
})
