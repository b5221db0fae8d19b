/** Interrupted commands that go through a daemon: the skill that asks for them, and many random moments. */
import { expect, test } from 'vitest'
import { anyMoment, interrupt, LATER_MS, SLOW, STAGES, withLink } from '../support/cli/interrupted-command.ts'
import { svcLab } from '../support/cli/svc-lab.ts'
import { until, wait } from '../support/until.ts'
import { setting } from './trial/setting.ts'

/** Sixty of them where a hundred trials are run. */
const MOMENTS = Math.max(12, Math.round(0.6 * setting('SVC_TRIALS', 100)))

const labOf = svcLab()

test('a skill that is interrupted before its command was sent to the device: nothing is sent, also later', async () => {
  await withLink(labOf, async (lab, link) => {
    const skill = ['com.android.settings.tap', '--summary', 'Taps.']
    const env = { PATH: process.env.PATH }
    expect(await lab.svc(['skills', 'install'], { env })).toMatchObject({ code: 0 })
    expect(await lab.svc(['skills', 'new', ...skill])).toMatchObject({ code: 0 })
    link.cutAt(STAGES.looking)
    const running = lab.start(['skills', 'run', 'com.android.settings.tap', '--log-level', 'info'])
    await until(link.isCut, 'the device to be asked')
    expect((await interrupt(running)).code).toBe(130)
    link.heal()
    await wait(LATER_MS)
    expect(lab.seen()).toBe(0)
  })
})

test('at random moments: what is said and what the device saw never contradict', async () => {
  const lab = await labOf(SLOW)
  await anyMoment(
    lab,
    Array.from({ length: MOMENTS }, () => 20 + Math.random() * 160),
  )
})
