/** `svc` alone: what is connected, how the newest execution ended, and what to try next. Nothing is started for it. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { journalPath } from '../../../src/runtime/home.ts'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../../src/surfaces/cli/flags/parse-all.ts'
import { startAdbServerStub } from '../../support/adb/adb-server-stub.ts'
import { callCli } from '../../support/cli/call-cli.ts'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { type CrashedExecution, recordCrashes } from '../../support/cli/crashed-home.ts'
import { rememberScreen, seenNode } from '../../support/cli/seen-home.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'
import { actionsOf, TAP } from '../../support/executions/recorded-execution.ts'
import { overwrite } from '../../support/runtime/damage.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-alone-')
const newHome = () => mkdtempSync(join(folder(), 'h-'))
const NO_SERVER = { ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1' }

interface Output {
  devices: { serial: string; state: string; model?: string }[]
  adbServer: string
  newestExecution?: { code?: string; steps: string[] }
  journalProblem?: { code: string }
  next: { command: string; to: string }[]
}

const WORD = /'[^']*'|\S+/g
const COMMANDS = await catalogue.all()

/** Each of them is a command that there is. */
const commandsIn = ({ next }: Output) =>
  next.map(({ command }) => {
    const words = (command.match(WORD) ?? []).slice(1)
    expect(parse(COMMANDS, words), command).toMatchObject({ kind: 'run' })
    return command
  })

test('no device: says that no adb server runs, starts none, and proposes a simulated phone', async () => {
  const home = join(newHome(), 'not-there')
  const adb = join(newHome(), 'adb')
  writeFileSync(adb, `#!/bin/sh\ntouch '${adb}-started'\n`, { mode: 0o755 })
  const env = { ...NO_SERVER, SVC_HOME: home, ADB_PATH: adb }
  const { code, printed, notes } = await callCli([], { env })
  expect([code, notes]).toEqual([0, []])
  expect(printed.join()).toMatch(
    /none is known: no adb server runs[\s\S]*svc devices[\s\S]*svc doctor[\s\S]*svc simulate/,
  )
  expect(printed.join()).toContain('svc --help')
  const json = (await callCli(['--json'], { env })).json<Output>()
  expect(json).toMatchObject({ devices: [], adbServer: 'absent' })
  expect(commandsIn(json)).toEqual(['svc devices', 'svc doctor', 'svc simulate', 'svc install --dry-run'])
  expect([existsSync(`${adb}-started`), existsSync(home)]).toEqual([false, false])
})

test('an adb server without devices, and one that says nothing', async () => {
  const empty = await startAdbServerStub({ 'host:devices': '', 'host:devices-l': '' })
  expect((await callCli([], { env: { ...empty.env, SVC_HOME: newHome() } })).printed.join()).toContain(
    'none is connected',
  )
  const silent = await startAdbServerStub({})
  const said = await callCli(['--output', 'json'], { env: { ...silent.env, SVC_HOME: newHome() } })
  expect([said.code, said.json()]).toMatchObject([0, { devices: [], adbServer: 'silent' }])
})

test('a phone that has not allowed this computer: says what to do, and nothing that needs a phone', async () => {
  const stub = await startAdbServerStub({ 'host:devices': 'R58M\tunauthorized\n', 'host:devices-l': '' })
  const env = { ...stub.env, SVC_HOME: newHome() }
  expect((await callCli([], { env })).printed.join()).toContain('R58M  unauthorized: allow this computer on the screen')
  expect(commandsIn((await callCli(['--json'], { env })).json<Output>())).toEqual(['svc doctor', 'svc simulate'])
})

test('many: each command names a device, quoted where a shell would read it', async () => {
  const stub = await startAdbServerStub({
    'host:devices': 'a;reboot\tdevice\nemulator-5554\tdevice\n',
    'host:devices-l': 'a;reboot device model:Pixel_7 x\n',
  })
  const env = { ...stub.env, SVC_HOME: newHome() }
  const json = (await callCli(['--json'], { env })).json<Output>()
  expect(json.devices).toEqual([
    { serial: 'a;reboot', state: 'device', model: 'Pixel_7' },
    { serial: 'emulator-5554', state: 'device' },
  ])
  expect(commandsIn(json)[0]).toBe("svc snapshot --compact --device 'a;reboot'")
  expect((await callCli([], { env })).printed.join()).toContain('a;reboot       ready  Pixel_7')
})

test('what devices say is shown on its line, with no control characters', async () => {
  const stub = await startAdbServerStub({
    'host:devices': 'd1\tdevice\u001b[2J\n',
    'host:devices-l': 'd1 device model:\u001b[31mred x\n',
  })
  const { printed } = await callCli([], { env: { ...stub.env, SVC_HOME: newHome() } })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(printed.join()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
})

test('a label of the last known screen is proposed, quoted', async () => {
  const home = newHome()
  await rememberScreen(
    home,
    [
      seenNode('no button'),
      seenNode('hunter2', { role: 'button', state: ['password'] }),
      seenNode("it's $(touch x)", { role: 'button' }),
    ],
    'd1',
  )
  const stub = await startAdbServerStub({ 'host:devices': 'd1\tdevice\n', 'host:devices-l': '' })
  const json = (await callCli(['--json'], { env: { ...stub.env, SVC_HOME: home } })).json<Output>()
  expect(commandsIn(json)[1]).toBe("svc click --text 'it'\\''s $(touch x)'")
})

test('a damaged journal is named, and the rest is shown', async () => {
  const home = newHome()
  await rememberScreen(home, [seenNode('OK')])
  overwrite(journalPath(home), 0, Buffer.from('this is no journal'))
  const env = { ...NO_SERVER, SVC_HOME: home }
  const { code, printed } = await callCli([], { env })
  expect(code).toBe(0)
  expect(printed.join()).toMatch(/Journal:\n {2}\S[\s\S]*svc doctor/)
  const json = (await callCli(['--json'], { env })).json<Output>()
  expect(json.journalProblem?.code).toMatch(/^JOURNAL_/)
  expect(commandsIn(json)[0]).toBe('svc doctor')
})

test('an interrupted execution whose outcome nobody knows is named, until one goes on with it', async () => {
  const actions = actionsOf(TAP)
  const settled = { state: 'settled', result: { ok: false, error: { code: 'NODE_NOT_FOUND', message: 'no' } } } as const
  const told = { evidence: { source: 'operator', at: 9, outcome: 'done' } } as const
  const stub = await startAdbServerStub({ 'host:devices': 'd1\tdevice\n', 'host:devices-l': '' })
  const seeWith = async (...crashes: CrashedExecution[]) => {
    const home = newHome()
    await recordCrashes(home, crashes)
    const env = { ...stub.env, SVC_HOME: home }
    return {
      text: (await callCli([], { env })).printed.join(),
      json: (await callCli(['--json'], { env })).json<Output>(),
    }
  }
  const doubt = { executionId: 'doubt', actions }
  const seen = await seeWith(doubt, { executionId: 'told', actions, ...told })
  expect(seen.text).toMatch(
    /Interrupted, and nobody knows how it ended:\n {2}\S.* ago: doubt on lost-0, it may have happened/,
  )
  expect(seen.json).toMatchObject({
    executionInDoubt: { executionId: 'doubt' },
    newestExecution: { executionId: 'told' },
  })
  expect(commandsIn(seen.json)[0]).toBe('svc executions show doubt --output text')

  const resumed = await seeWith(doubt, { executionId: 'next', actions, resumes: 'doubt', ...told })
  expect(resumed.text).not.toContain('nobody knows')
  expect(resumed.json).not.toHaveProperty('executionInDoubt')
  const wait = actionsOf({ type: 'wait_for_node', params: { matcher: { textEquals: 'OK' } } })
  expect((await seeWith({ executionId: 'look', actions: wait })).text).toContain(
    'look on lost-0, the step it was at changes nothing',
  )
  // A resumption of which nothing was sent does not count.
  const refused = { executionId: 'next', actions, resumes: 'doubt', ...settled, dispatchedAt: undefined as never }
  expect((await seeWith(doubt, refused)).json).toMatchObject({ executionInDoubt: { executionId: 'doubt' } })
})

test.each([
  [['--output', 'yaml'], 'USAGE'],
  [['--nonsense'], 'USAGE'],
])('svc %j is refused', async (args, code) => {
  const refused = await callCli(args, { env: { ...NO_SERVER, SVC_HOME: newHome() } })
  expect([refused.code, refused.json()]).toMatchObject([1, { code }])
})

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
  await lab.execute([{ id: 'a', type: 'click', params: { matcher: { textEquals: 'nowhere to be found' } } }])
})
afterAll(() => lab.close())

test('one phone that is spoken to directly: its model, and how the newest execution ended', async () => {
  const serial = lab.fleet.devices[0]?.serial ?? ''
  const env = { ...NO_SERVER, HOME: lab.home, SVC_TCP_DEVICES: `${serial},127.0.0.1:1` }
  const { code, stdout, stderr } = await runCliHere([], { env })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(new RegExp(`${serial} +ready {2}\\S`))
  expect(stdout).toContain('127.0.0.1:1')
  expect(stdout).toMatch(/Newest execution:\n {2}\d+ s ago: click on \S+, NODE_NOT_FOUND\n/)
  const json = (await runCliHere(['--json'], { env })).json() as Output
  expect(json.devices).toEqual([
    { serial, state: 'device', model: expect.any(String) },
    { serial: '127.0.0.1:1', state: 'offline' },
  ])
  expect(commandsIn(json)).toEqual([
    'svc snapshot --compact',
    'svc click --text Phone',
    'svc executions show last',
    `svc lease ${serial} --for 10m`,
    'svc inspect',
  ])
})
