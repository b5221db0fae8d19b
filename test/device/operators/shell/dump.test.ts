import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../../src/device/link/link.ts'
import { shellDriver } from '../../../../src/device/operators/shell/driver.ts'
import { DUMP_ATTEMPTS, DUMP_FILE } from '../../../../src/device/operators/shell/dump.ts'
import { snapshotXml } from '../../../../src/device/screen/snapshot-xml.ts'
import { createPhone } from '../../../../src/simulator/device.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import { emptyInput, StreamEnded } from '../../../../src/simulator/shell/io.ts'
import { createShell } from '../../../../src/simulator/shell/shell.ts'
import { runOut } from '../../../support/cli/run-out.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'
import { type Answer, scriptedLink } from '../../../support/device/scripted-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const tree = screen(node({ text: 'Ä\n& <b>', children: [node()] }))
const dumped = `UI hierchary dumped to: ${DUMP_FILE}\n${snapshotXml(tree)}`
const IDLE: Answer = { stderr: 'ERROR: could not get idle state.\ncat: No such file or directory\n' }
const NO_ROOT: Answer = { stderr: 'ERROR: null root node returned by UiTestAutomationBridge.\n', exitCode: 1 }
const LATE = new LinkError('LINK_TIMEOUT', 'too late')

const setup = (answers: Answer[], ms = 60_000) => {
  const rest = [...answers]
  const link = scriptedLink(() => rest.shift())
  const clock = manualClock()
  const controller = new AbortController()
  const driver = shellDriver(link, { clock, deadline: clock.now() + ms, signal: controller.signal })
  return { link, clock, controller, driver }
}

test('takes one round trip, and leaves nothing behind', async () => {
  const { link, driver } = setup([dumped])
  expect(await driver.tree()).toEqual(tree)
  expect(link.commands).toEqual([
    `trap '' HUP PIPE; rm -f ${DUMP_FILE}; uiautomator dump ${DUMP_FILE}; cat ${DUMP_FILE}; rm -f ${DUMP_FILE}`,
  ])
})

test('leaves no screen on a phone whose link ends in the middle', async () => {
  const { link, driver } = setup([dumped])
  await driver.tree()
  const clock = manualClock()
  const phone = createPhone({ name: 'sim', serialno: 'SIM', scenario: defaultScenario(), clock })
  const cut = new AbortController()
  const { write } = phone.files
  const written: string[] = []
  phone.files.write = (path, content, ...more) => {
    write(path, content, ...more)
    written.push(path)
    cut.abort()
  }
  const ended = () => Promise.reject(new StreamEnded())
  const io = { stdin: emptyInput, stdout: ended, stderr: ended, signal: cut.signal }
  await runOut(
    createShell({ phone, clock })
      .run(link.commands[0] ?? '', io)
      .catch(() => {}),
    clock,
  )
  expect(written).toContain(DUMP_FILE)
  expect(phone.files.read(DUMP_FILE)).toBeUndefined()
})

describe('tries again', () => {
  test.each([
    ['a screen that is never still', IDLE],
    ['a moment between two windows', NO_ROOT],
    ['a dump that was cut off', dumped.slice(0, -30)],
    ['an empty answer', ''],
    ['a tool that was killed', { exitCode: 137, stdout: 'Killed' }],
    ['a call that took too long', LATE],
  ])('after %s', async (_name, first) => {
    const { link, clock, driver } = setup([first, dumped])
    expect(await runOut(driver.tree(), clock)).toEqual(tree)
    expect(link.commands).toHaveLength(2)
  })

  test('but not for ever', async () => {
    const { link, clock, driver } = setup([IDLE, IDLE, IDLE, IDLE])
    await expect(runOut(driver.tree(), clock)).rejects.toMatchObject({ code: 'SNAPSHOT_HIERARCHY_UNAVAILABLE' })
    expect(link.commands).toHaveLength(DUMP_ATTEMPTS)
  })

  test('not past the time of the execution', async () => {
    const { link, clock, driver } = setup([IDLE, dumped], 200)
    await expect(runOut(driver.tree(), clock)).rejects.toMatchObject({ code: 'SNAPSHOT_HIERARCHY_UNAVAILABLE' })
    expect(link.commands).toHaveLength(1)
  })

  test('not once it was aborted', async () => {
    const { link, clock, controller, driver } = setup([IDLE, dumped])
    const work = driver.tree()
    await new Promise(resolve => setImmediate(resolve))
    controller.abort(new Error('cancelled'))
    await expect(runOut(work, clock)).rejects.toThrow('cancelled')
    expect(link.commands).toHaveLength(1)
  })
})

test('a lost link ends the execution', async () => {
  const { driver } = setup([new LinkError('DEVICE_LINK_LOST', 'gone')])
  await expect(driver.tree()).rejects.toMatchObject({ code: 'DEVICE_LINK_LOST' })
})

test('so does a call that ran into the end of the execution', async () => {
  const { clock, link } = setup([])
  const late = scriptedLink(() => {
    clock.advance(60_000)
    return LATE
  })
  const driver = shellDriver(late, { clock, deadline: clock.now() + 60_000, signal: new AbortController().signal })
  await expect(driver.tree()).rejects.toMatchObject({ code: 'LINK_TIMEOUT' })
  expect(link.commands).toEqual([])
})

test('no attempt outlasts the time of its caller', async () => {
  const { clock, link, driver } = setup([IDLE, IDLE, IDLE])
  const until = clock.now() + 1_000
  await expect(runOut(driver.tree({ until }), clock)).rejects.toThrow('does not become idle')
  expect(link.deadlines.every(deadline => deadline <= until)).toBe(true)
  const slow = setup([LATE])
  await expect(slow.driver.tree({ until: slow.clock.now() })).rejects.toThrow('gave no answer')
})

test.each<[string, Answer, string]>([
  ['a screen that is never still', IDLE, 'could not get idle state'],
  ['no active window', NO_ROOT, 'null root node'],
  ['a tool that was killed', { exitCode: 137, stdout: 'Killed\n' }, 'killed by the device'],
  [
    'another automation',
    {
      stderr:
        'java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1 already registered!\n\tat x',
    },
    'another UiAutomation is registered',
  ],
  [
    'a tool that is missing',
    { exitCode: 127, stderr: '/system/bin/sh: uiautomator: not found' },
    'uiautomator: not found',
  ],
  ['a dump that was cut off', dumped.slice(0, -30), 'cannot be read'],
])('%s is named in the end', async (_name, answer, cause) => {
  const { clock, driver } = setup([answer, answer, answer])
  const failure = await runOut(driver.tree(), clock).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', message: expect.stringContaining(cause) })
  if (/idle|root|killed|UiAutomation/.test(cause)) expect(failure).toMatchObject({ hint: expect.stringMatching(/\w+/) })
})
