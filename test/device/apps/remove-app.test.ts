/** uninstall_app and clear_app in the words of several versions of Android. */
import { describe, expect, test } from 'vitest'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { scriptedLink } from '../../support/device/scripted-link.ts'
import { manualClock } from '../../support/manual-clock.ts'

interface Said {
  exitCode?: number
  stdout?: string
  stderr?: string
}
const NAME = 'com.example.notes'
const HERE: Said = { stdout: `package:/data/app/~~ab==/${NAME}/base.apk\n` }
const GONE: Said = { exitCode: 1 }

const uninstall = (applicationId = NAME, keepData = false) =>
  ({ id: 'a', type: 'uninstall_app', params: { applicationId, keepData } }) as const
const clear = (applicationId = NAME) => ({ id: 'a', type: 'clear_app', params: { applicationId } }) as const

/** `paths` are the answers to `pm path`, in order; the last one counts for all after it. */
const phone = (answer: Said, paths: readonly Said[] = [HERE, GONE], mayAct?: () => void) => {
  const left = [...paths]
  const link = scriptedLink(command => {
    if (command === 'am get-current-user') return { stdout: '10\n' }
    if (!command.startsWith('pm path')) return answer
    return (left.length > 1 ? left.shift() : left[0]) ?? GONE
  })
  const clock = manualClock()
  const signal = new AbortController().signal
  return { link, options: { link, clock, deadline: clock.now() + 30_000, signal, screenshotPath: () => '', mayAct } }
}

test.each([
  ['uninstall_app', uninstall(), `pm uninstall --user 10 ${NAME}`],
  ['uninstall_app with keepData', uninstall(NAME, true), `pm uninstall -k --user 10 ${NAME}`],
  ['clear_app', clear(), `pm clear --user 10 ${NAME}`],
])('%s acts on the user in front', async (_, action, command) => {
  const { link, options } = phone({ stdout: 'Success\n' })
  const { stepResults, error } = await runHostStep(action, options)
  expect(error).toBeNull()
  expect(stepResults).toMatchObject([{ success: true, data: { application_id: NAME } }])
  expect(link.commands).toContain(command)
})

describe('refusals', () => {
  test.each([
    [uninstall(), { stdout: 'Failure [DELETE_FAILED_INTERNAL_ERROR]\n', exitCode: 1 }, 'DELETE_FAILED_INTERNAL_ERROR'],
    [uninstall(), { stdout: 'Failure [DELETE_FAILED_OWNER_BLOCKED: no]\n' }, 'DELETE_FAILED_OWNER_BLOCKED'],
    [uninstall(), { stdout: 'Failure [not installed for 10]\n', exitCode: 1 }, undefined],
    [uninstall(), {}, undefined],
    [clear(), { stderr: 'Failed\n', exitCode: 1 }, undefined],
    [clear(), { stderr: 'java.lang.SecurityException: PID 1 does not have permission\n', exitCode: 255 }, undefined],
  ])('%j: %j', async (action, answer, reason) => {
    const { error, stepResults } = await runHostStep(action, phone(answer).options)
    const code = action.type === 'clear_app' ? 'CLEAR_FAILED' : 'UNINSTALL_FAILED'
    expect(error).toMatchObject({ code, message: expect.stringContaining('the device refused: ') })
    expect(stepResults[0]?.data.reason).toBe(reason)
  })

  test('a Success that is none', async () => {
    const { error } = await runHostStep(uninstall(), phone({ stdout: 'Success\n' }, [HERE]).options)
    expect(error).toMatchObject({ code: 'UNINSTALL_FAILED', message: expect.stringContaining('still has') })
  })
})

test.each([uninstall(), clear()])('%j of what is not installed sends nothing that acts', async action => {
  const { link, options } = phone({ stdout: 'Success\n' }, [GONE])
  expect((await runHostStep(action, options)).error).toMatchObject({ code: 'APP_NOT_FOUND' })
  expect(link.commands).toEqual(['am get-current-user', `pm path --user 10 ${NAME}`])
})

test.each(["x'; reboot #", '--all', '$(reboot)', 'a b'])('%s names no package and reaches no shell', async name => {
  const { link, options } = phone({ stdout: 'Success\n' })
  for (const action of [uninstall(name), clear(name)]) {
    expect((await runHostStep(action, options)).error).toMatchObject({ code: 'APP_NOT_FOUND' })
  }
  expect(link.commands).toEqual([])
})

test('a question that the device refuses is no missing application', async () => {
  const denied = { exitCode: 255, stderr: 'java.lang.SecurityException: no access to user 10\n' }
  const { error } = await runHostStep(clear(), phone({ stdout: 'Success\n' }, [denied]).options)
  expect(error).toMatchObject({ code: 'CLEAR_FAILED', message: expect.stringContaining('no access to user 10') })
})

test('a host that lost the phone between two commands does not act', async () => {
  const lost = () => {
    throw new StepFailure('FLEET_HOST_GONE', 'another host owns it')
  }
  const { link, options } = phone({ stdout: 'Success\n' }, [HERE], lost)
  expect((await runHostStep(uninstall(), options)).error).toMatchObject({ code: 'FLEET_HOST_GONE' })
  expect(link.commands.some(command => command.startsWith('pm uninstall'))).toBe(false)
})
