/** `svc executions resume`: in this process, through the daemon and over HTTP, with the same outcome. */
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { svcLab } from '../../../support/cli/svc-lab.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { until } from '../../../support/until.ts'

const labOf = svcLab()

const OPEN = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
const MISSING = {
  id: 'row',
  type: 'click',
  params: { matcher: { textEquals: 'Battery' } },
}
const LOOK = { id: 'look', type: 'snapshot' }
const PAYLOAD = JSON.stringify(payloadOf([OPEN, MISSING, LOOK]))

const failedIn = async (lab: Awaited<ReturnType<typeof labOf>>): Promise<string> => {
  expect((await lab.svc(['exec', PAYLOAD])).code).toBe(1)
  const listed = (await lab.svc(['executions', 'list', '--limit', '1'])).json<{ executions: Receipt[] }>()
  return listed.executions[0]?.executionId ?? ''
}

describe.concurrent('what is left of an execution', () => {
  test.each([[['--no-daemon']], [[]]])('runs once: svc executions resume %j', async flags => {
    const lab = await labOf()
    const id = await failedIn(lab)
    // What was in the way is put right by hand.
    expect((await lab.svc(['scroll-until', '--text', 'Battery'])).code).toBe(0)

    const planned = await lab.svc(['executions', 'resume', id, '--dry-run', ...flags])
    expect(planned.json()).toMatchObject({ dryRun: true, plan: { actions: [{ id: 'row' }, { id: 'look' }] } })

    const resumed = await lab.svc(['executions', 'resume', id, ...flags])
    expect(resumed.json()).toMatchObject({
      envelope: { status: 'success', stepResults: [{ id: 'row' }, { id: 'look' }] },
      operatorPackage: 'com.svc.operator',
    })
    const [newest] = (await lab.svc(['executions', 'list'])).json<{ executions: Receipt[] }>().executions
    expect(newest).toMatchObject({ resumes: id, state: 'settled' })

    const again = await lab.svc(['executions', 'resume', id, ...flags])
    expect([again.code, again.json()]).toMatchObject([
      1,
      { code: 'RESUME_REFUSED', details: { resumedBy: newest?.executionId } },
    ])
    expect((await lab.svc(['executions', 'resume', 'e0', ...flags])).json()).toMatchObject({
      code: 'EXECUTION_NOT_FOUND',
    })
    expect((await lab.svc(['executions', 'resume', id, '--from-step', ' ', ...flags])).json()).toMatchObject({
      code: 'USAGE',
    })
  })

  test('of a process that was killed goes on after the last step whose end is on record', async () => {
    const lab = await labOf()
    const nap = { id: 'nap', type: 'sleep', params: { durationMs: 60_000 } }
    const close = { id: 'close', type: 'close_app', params: { applicationId: 'com.android.settings' } }
    const back = { id: 'back', type: 'press_key', params: { key: 'back' } }
    const payload = JSON.stringify(payloadOf([close, OPEN, nap, back, LOOK], { timeoutMs: 90_000 }))
    const running = lab.start(['exec', payload, '--no-daemon', '--operator-package', 'svc.shell'])
    const receipts = async () => (await lab.svc(['executions', 'list'])).json<{ executions: Receipt[] }>().executions
    await until(async () => (await receipts())[0]?.state === 'dispatched', 'the dispatch')
    const stepsOf = async () => {
      const { executionId = '' } = (await receipts())[0] ?? {}
      return (await lab.svc(['executions', 'show', executionId])).json<{ execution: Receipt }>().execution.steps
    }
    await until(async () => (await stepsOf())?.[1]?.outcome === 'done', 'the end of the second step')
    running.child.kill('SIGKILL')
    await running.ended
    const id = (await receipts())[0]?.executionId ?? ''
    // It was killed in the nap: the step that acts behind it cannot have begun.
    const shown = await lab.svc(['executions', 'show', id])
    expect(shown.json()).toMatchObject({
      execution: {
        state: 'interrupted',
        outcome: 'failed',
        steps: [
          { id: 'close', outcome: 'done' },
          { id: 'open', outcome: 'done', source: 'progress' },
          { id: 'nap', outcome: 'unknown' },
          { id: 'back', outcome: 'not_run' },
          { id: 'look', outcome: 'not_run' },
        ],
      },
    })
    const planned = await lab.svc(['executions', 'resume', id, '--dry-run'])
    expect(planned.json()).toMatchObject({ plan: { actions: [{ id: 'nap' }, { id: 'back' }, { id: 'look' }] } })
    const resumed = await lab.svc(['executions', 'resume', id, '--from-step', 'back'])
    expect(resumed.json()).toMatchObject({ envelope: { status: 'success' }, operatorPackage: 'svc.shell' })
  })
})
