/** How many runs one process takes at once. */

import { expect, test } from 'vitest'
import { SKILL_RUNS_MAX } from '../../../../src/contracts/limits/limits.ts'
import { refuse } from '../../../../src/service/skills/refusal.ts'
import type { GatePassed } from '../../../../src/service/skills/run/request.ts'
import { runAnswer } from '../../../../src/service/skills/run/run-answer.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { createSkillLab } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-at-once-')

test('one more than the most is refused at once, and taken when another has ended', async () => {
  const lab = createSkillLab(folder())
  const waiting: (() => void)[] = []
  const checkDevice = () =>
    new Promise<GatePassed>(resolve => waiting.push(() => resolve(refuse('DEVICE_NOT_FOUND', 'it went away'))))
  const others = Array.from({ length: SKILL_RUNS_MAX }, () => lab.run({ checkDevice }))

  const refused = await lab.run({ checkDevice, timeoutMs: 5_000 })
  expect(runAnswer(refused)).toEqual({
    status: 423,
    body: {
      ok: false,
      status: 'failed',
      error: {
        code: DEVICE_CONFLICT,
        message: `${SKILL_RUNS_MAX} skill runs are in progress; nothing was started.`,
        details: { runsMax: SKILL_RUNS_MAX },
        hint: expect.any(String),
        retriable: true,
        skillId: 'com.lab.do',
        timeoutMs: 5_000,
      },
    },
  })
  expect(lab.events(refused.runId)).toEqual([])

  await until(() => waiting.length === SKILL_RUNS_MAX, 'all of them to wait for the device')
  waiting.shift()?.()
  expect((await Promise.race(others)).error?.code).toBe('DEVICE_NOT_FOUND')
  expect(await lab.sh('echo done')).toMatchObject({ status: 'success' })
  for (const end of waiting) end()
  await Promise.all(others)
  expect(lab.runs.size).toBe(0)
})
