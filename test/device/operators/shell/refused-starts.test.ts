/** Starts that Android refuses for permission are told as such, whoever asks for them, on a simulated phone too. */
import { expect, test } from 'vitest'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { shellDriver } from '../../../../src/device/operators/shell/driver.ts'
import { APP_STEPS } from '../../../../src/device/steps/app.ts'
import { runHostStep } from '../../../../src/device/steps/run-host-step.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { phoneLink } from '../../../support/adb/phone-link.ts'
import { type Answer, scriptedLink } from '../../../support/device/scripted-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { phoneOf } from '../../../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const NAME = 'com.example'
const SECRET = 'example://secret'

const simulated = () => {
  const screens = {
    main: { activity: '.Main', exported: false, nodes: [{ text: 'main' }] },
    secret: { activity: '.Secret', exported: false, nodes: [{ text: 'secret' }] },
    open: { activity: '.Open', nodes: [{ text: 'open' }] },
  }
  const intents = [
    { uri: SECRET, goTo: 'secret' },
    { uri: 'example://open', goTo: 'open' },
  ]
  const { front: _, ...scenario } = { ...appOf(screens, { intents }), front: undefined }
  return phoneLink(phoneOf({ scenario: scenarioOf(scenario) }), systemClock())
}

const over = (link: ReturnType<typeof simulated> | ReturnType<typeof scriptedLink>) => {
  const clock = manualClock()
  const signal = new AbortController().signal
  const deadline = clock.now() + 30_000
  const driver = shellDriver(link, { clock, deadline, signal })
  return {
    uri: (uri: string) => APP_STEPS.open_uri.screen({ uri }, { driver, clock, deadline, signal } as never),
    app: (applicationId: string) =>
      APP_STEPS.open_app.screen({ applicationId, skipNavigationWait: true, navigationTimeoutMs: 1_000 }, {
        ...{ driver, clock, deadline, signal },
      } as never),
    async browser(uri: string) {
      const action = { id: 'a', type: 'open_uri', params: { uri, browser: false } } as Extract<
        Action,
        { type: 'open_uri' }
      >
      const { error, stepResults } = await runHostStep(action as never, {
        link,
        clock,
        deadline,
        signal,
        screenshotPath: () => '',
      })
      if (error) throw Object.assign(new Error(error.message), { code: error.code, data: stepResults[0]?.data })
    },
  }
}

test('a simulated activity that is not exported is refused by its reason, by link and by icon', async () => {
  const start = over(simulated())
  const notExported = { code: 'ACTIVITY_REFUSED', data: { reason: 'not_exported' } }
  await expect(start.uri(SECRET)).rejects.toMatchObject({
    ...notExported,
    message: `the activity that opens ${SECRET} is not exported by its application`,
  })
  await expect(start.browser(SECRET)).rejects.toMatchObject(notExported)
  await expect(start.app(NAME)).rejects.toMatchObject({
    ...notExported,
    message: `the activity of the icon of ${NAME} is not exported by its application`,
  })
  await expect(start.uri('example://open')).resolves.toEqual({ uri: 'example://open' })
  await expect(start.uri('example://nothing')).rejects.toMatchObject({ code: 'URI_NOT_HANDLED' })
})

const denial = (why: string): Answer => ({
  exitCode: 255,
  stderr: `\nException occurred while executing 'start':\njava.lang.SecurityException: Permission Denial: starting Intent { act=android.intent.action.VIEW dat=x://y cmp=a.b/.C } from null (pid=1, uid=2000) ${why}\n\tat com.android.server.wm.ActivityTaskSupervisor.checkStartAnyActivityPermission(ActivityTaskSupervisor.java:1120)`,
})

test.each([
  ['not exported from uid 10101', { reason: 'not_exported' }],
  ['requires android.permission.BIND_X', { reason: 'permission', permission: 'android.permission.BIND_X' }],
])('an activity that %s is refused in the words of Android', async (why, data) => {
  const start = over(scriptedLink(command => (command.startsWith('am start') ? denial(why) : undefined)))
  await expect(start.uri('x://y')).rejects.toMatchObject({ code: 'ACTIVITY_REFUSED', data })
})
