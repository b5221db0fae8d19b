/** Commands with --output text on a simulated device: what is asked of it, and where what it says goes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIo } from '../../../../src/surfaces/cli/io.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

const env = () => ({ HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial, SVC_OUTPUT: 'text' })
const svc = (...args: string[]) => runCliHere(args, { env: env() })
const idIn = (text: string) => /execution ([0-9a-f-]{36})/.exec(text)?.[1] ?? 'none'

const payload = (...actions: object[]) =>
  JSON.stringify({
    commandId: 'c',
    taskId: 't',
    source: 's',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 20_000,
    actions,
  })
const LOOK = { id: 'look', type: 'snapshot' }
const HOME = { id: 'home', type: 'press_key', params: { key: 'home' } }

describe('a screen', () => {
  test('is compact, with --full it is XML, and JSON is as it was', async () => {
    const { code, stdout, stderr } = await svc('snapshot')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^screen \d+ \S+\n@\d+\.1 /)
    expect(stdout).toMatch(/\n✓ Read screen \d+ on \S+ in .+, execution [0-9a-f-]{36}\n$/)
    expect((await svc('snapshot', '--full')).stdout).toMatch(/^<\?xml|^<hierarchy/)
    expect((await svc('snapshot', '--json')).stdout).toContain('<hierarchy')
  })

  test('of a step is compact, too', async () => {
    const { stdout } = await svc('exec', payload(HOME, LOOK))
    expect(stdout).toMatch(/✓ {2}home {2}Pressed home\n✓ {2}look {2}Read screen \d+\n\nlook:\nscreen \d+ /)
    expect(stdout).toMatch(/\n✓ 2 steps succeeded on /)
  })

  test('since last says which execution that is', async () => {
    const before = idIn((await svc('snapshot')).stdout)
    const { stdout, stderr } = await svc('snapshot', '--since', 'last')
    expect(stderr).toBe(`last is execution ${before}.\n`)
    expect(stdout).toMatch(/^screen \d+ \S+ \(unchanged since \d+\)\n/)
  })
})

test('an action is one line, and its receipt answers whether it happened', async () => {
  const { stdout } = await svc('press', 'home')
  expect(stdout).toMatch(/^✓ Pressed home on \S+ in .+, execution [0-9a-f-]{36}\n$/)
  const shown = await svc('executions', 'show', 'last')
  expect(shown.stdout).toMatch(/^✓ Yes: pressed home on \S+ It was sent at \S+ \(.+\) and took .+\.\n/)
  expect(shown.stdout).toContain(`  Execution  ${idIn(stdout)}\n`)
})

test('a failed action is on stderr alone, and resuming it names the execution that was chosen', async () => {
  const failed = await svc('click', '--text', 'Nowhere')
  expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/^✗ NODE_NOT_FOUND: /)
  const id = /svc executions show (\S+)/.exec(failed.stderr)?.[1]
  const resumed = await svc('executions', 'resume', 'last', '--dry-run')
  expect(resumed.stderr).toBe(`last is execution ${id}.\n`)
  expect(resumed.stdout).toMatch(/^Plan of 1 step within 30 s, /)
})

test('the width of stderr is known where it is a terminal', () => {
  const ioWith = (stderr: object) =>
    createIo({
      stdin: () => process.stdin,
      stdout: () => process.stdout,
      stderr: () => Object.assign(Object.create(process.stderr), stderr),
      stop: () => undefined,
    })
  expect(ioWith({ isTTY: true, columns: 72 }).errorColumns()).toBe(72)
  expect(ioWith({ isTTY: false, columns: 72 }).errorColumns()).toBeUndefined()
})
