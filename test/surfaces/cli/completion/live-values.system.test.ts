/** Live values of completion: where they come from, and what is left alone while they are looked up. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { journalPath } from '../../../../src/runtime/home.ts'
import { startAdbServerStub } from '../../../support/adb/adb-server-stub.ts'
import { callCli } from '../../../support/cli/call-cli.ts'
import { rememberScreen, SEEN_DEVICE, seenNode } from '../../../support/cli/seen-home.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { overwrite } from '../../../support/runtime/damage.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-live-')
const newHome = () => mkdtempSync(join(folder(), 'h-'))
/** Nobody listens on port 1. */
const NO_SERVER = { ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1', ADB_PATH: '/nonexistent' }

type Env = Readonly<Record<string, string | undefined>>

const completed = async (env: Env, ...words: string[]) => {
  const { printed, code, notes } = await callCli(['__complete', '--', ...words], { env: { ...NO_SERVER, ...env } })
  expect([code, notes]).toEqual([0, []])
  return printed.flatMap(text => text.split('\n').filter(line => line !== ''))
}
const words = async (env: Env, ...line: string[]) =>
  (await completed(env, ...line)).map(candidate => candidate.split('\t')[0])

const NODES = [
  seenNode('Wi-Fi', { role: 'switch', id: 'com.example:id/wifi', state: ['on'] }),
  seenNode('Bluetooth', { role: 'switch', id: 'com.example:id/bt' }),
  seenNode('Wi-Fi', { role: 'text' }),
  seenNode('hunter2', { role: 'textfield', id: 'com.example:id/pin', state: ['password'] }),
  seenNode('@1.2'),
  seenNode('540, 1200'),
]
const seenHome = async (nodes = NODES) => {
  const home = newHome()
  await rememberScreen(home, nodes)
  return home
}

test('the labels, ids, roles and refs of the last known screen', async () => {
  const env = { SVC_HOME: await seenHome() }
  expect(await completed(env, 'click', '')).toEqual(['Wi-Fi\tswitch wifi on', 'Bluetooth\tswitch bt'])
  expect(await words(env, 'type', 'a text', '')).toEqual(['Wi-Fi', 'Bluetooth'])
  for (const command of ['wait', 'read', 'pinch']) expect(await words(env, command, 'W')).toEqual(['Wi-Fi'])
  expect(await words(env, 'scroll-until', 'up', '')).toEqual(['Wi-Fi', 'Bluetooth'])
  expect(await words(env, 'click', '--text', '')).toEqual(['Wi-Fi', 'Bluetooth', '@1.2', '540, 1200'])
  expect(await words(env, 'click', '--text=B')).toEqual(['--text=Bluetooth'])
  expect(await words(env, 'read-value', '--label', 'B')).toEqual(['Bluetooth'])
  expect(await words(env, 'scroll', '--container-id', '')).toEqual(NODES.slice(0, 4).flatMap(({ id }) => id || []))
  expect(await completed(env, 'click', '--role', 's')).toEqual(['switch\t2 on the last known screen'])
  expect(await words(env, 'click', '--ref', '')).toEqual(NODES.map((_, at) => `@1.${at + 1}`))
  expect(await words(env, 'click', '@')).toEqual(NODES.map((_, at) => `@1.${at + 1}`))
})

test('a ref of git is none of a screen', async () => {
  expect(await words({ SVC_HOME: await seenHome() }, 'skills', 'install', '--ref', '')).toEqual([])
})

test('a command that has its selector is offered no label beside it', async () => {
  const env = { SVC_HOME: await seenHome() }
  for (const given of [['--text', 'OK'], ['--coordinate', '5'], ['Wi-Fi']]) {
    expect(await words(env, 'click', ...given, ''), String(given)).toEqual([])
  }
})

test('the newest screen counts, or that of the device that is named', async () => {
  const home = await seenHome()
  await rememberScreen(home, [seenNode('Newer')], 'seen-2')
  const env = { SVC_HOME: home }
  expect(await words(env, 'click', '')).toEqual(['Newer'])
  expect(await words(env, '--device', SEEN_DEVICE, 'click', '')).toEqual(['Wi-Fi', 'Bluetooth'])
  expect(await words(env, 'click', '--device', 'seen-3', '')).toEqual([])
})

test('applications of recent screens and of skills', async () => {
  const home = await seenHome()
  const registry = new URL('../../../fixtures/skills/skills-registry.json', import.meta.url).pathname
  const env = { SVC_HOME: home, SVC_SKILLS_REGISTRY: registry }
  expect(await words(env, 'open', 'com.')).toEqual(expect.arrayContaining(['com.example.app', 'com.android.settings']))
  expect(await words(env, 'wait-for-nav', 'com.example.')).toEqual(['com.example.app'])
  expect(await words(env, 'skills', 'run', 'com.android.settings.open')).toEqual(['com.android.settings.open-row'])
  const named = await words({ SVC_HOME: home }, 'skills', 'run', '--registry', registry, 'com.android.settings.open')
  expect(named).toEqual(['com.android.settings.open-row'])
})

test('the inputs that a skill declares, as the flags of its script', async () => {
  const registry = join(newHome(), 'skills-registry.json')
  const skill = {
    id: 'com.example.pay',
    applicationId: 'com.example',
    intent: 'pay',
    summary: 'Pays.',
    path: 'skills/pay',
  }
  const files = { skillFile: 'skills/pay/SKILL.md', scripts: [], artifacts: [] }
  const contract = { inputs: { payeeName: 'string', amount: 'integer[1,100]' }, goal: null, verification: null }
  writeFileSync(registry, JSON.stringify({ schemaVersion: '1.0', skills: [{ ...skill, ...files, contract }] }))
  const env = { SVC_HOME: newHome(), SVC_SKILLS_REGISTRY: registry }
  expect(await words(env, 'skills', 'run', 'com.example.pay', '--p')).toEqual(['--payee-name'])
  expect(await words(env, 'skills', 'run', 'com.example.pay', '--')).toEqual(
    expect.arrayContaining(['--payee-name', '--amount', '--device', '--expect-contains']),
  )
  expect(await words(env, 'skills', 'run', 'com.example.none', '--p')).toEqual([])
  expect(await words(env, 'skills', 'run', '--p')).not.toContain('--payee-name')
})

test('keys, directions, machines, commands and AVDs', async () => {
  const home = newHome()
  mkdirSync(join(home, 'avd'))
  for (const name of ['pixel', 'other', 'no name']) writeFileSync(join(home, 'avd', `${name}.ini`), '')
  const env = { SVC_HOME: home, ANDROID_AVD_HOME: join(home, 'avd') }
  expect(await words(env, 'press', '')).toEqual(['back', 'home', 'recents', 'enter', 'delete'])
  expect(await words(env, 'press', 'volume')).toEqual(['volume_up', 'volume_down', 'volume_mute'])
  expect(await words(env, 'scroll', 'l')).toEqual(['left'])
  expect(await words(env, 'watch', '--machine', 'dev')).toEqual(['device'])
  expect(await words(env, 'help', 'exe')).toEqual(['exec', 'executions'])
  expect(await words(env, 'help', 'executions', 'sh')).toEqual(['show'])
  expect(await words(env, 'emulators', 'start', '')).toEqual(['other', 'pixel'])
})

test.each([
  ['skills', 'list', '--registry', ''],
  ['simulate', '--scenario', ''],
  ['devices', '--policy', ''],
])('files: svc %s %s %s', async (...line) => {
  expect(await completed({ SVC_HOME: newHome() }, ...line)).toEqual([':files'])
})

test('a home without a journal, or with one that cannot be read, has no values and no error', async () => {
  expect(await completed({ SVC_HOME: newHome() }, 'click', '')).toEqual([])
  const home = await seenHome()
  overwrite(journalPath(home), 0, Buffer.from('this is no journal'))
  for (const line of [
    ['click', ''],
    ['executions', 'show', ''],
    ['watch', ''],
  ]) {
    expect(await completed({ SVC_HOME: home }, ...line)).toEqual([])
  }
  expect(await completed({ SVC_HOME: await seenHome(), SVC_JOURNAL: 'off' }, 'click', '')).toEqual([])
})

test('words that no prompt can hold are left out, and what they mean is on one line', async () => {
  const id = 'com.example:id/two\nlines'
  const env = { SVC_HOME: await seenHome([seenNode('A\tB'), seenNode('C', { id }), seenNode('\u001b[31mred')]) }
  expect(await completed(env, 'click', '')).toEqual(['C\ttext two lines'])
})

test('devices of a running adb server, with their states and models', async () => {
  const stub = await startAdbServerStub({
    'host:devices': 'emulator-5554\tdevice\nR58M\tunauthorized\n\u001b[31m\tdevice\nno-tab\n',
    'host:devices-l': 'emulator-5554          device product:p model:Pixel_7 device:d transport_id:1\n',
  })
  const env = { ...stub.env, SVC_HOME: newHome(), SVC_TCP_DEVICES: '127.0.0.1:9' }
  expect(await completed(env, 'back', '--device', '')).toEqual([
    'emulator-5554\tdevice Pixel_7',
    'R58M\tunauthorized',
    '127.0.0.1:9\tof SVC_TCP_DEVICES',
  ])
})

test('an adb server that says nothing is not waited for', async () => {
  const stub = await startAdbServerStub({})
  const env = { ...stub.env, SVC_HOME: newHome(), SVC_TCP_DEVICES: '127.0.0.1:9' }
  expect(await words(env, 'back', '--device', '')).toEqual(['127.0.0.1:9'])
  expect(stub.requests.toSorted()).toEqual(['host:devices', 'host:devices-l'])
})

test('opens no link, starts no adb server, and leaves home and journal as they are', async () => {
  const home = await seenHome()
  let connections = 0
  const device = createServer(() => {
    connections += 1
  })
  await new Promise<void>(resolve => device.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void device.close())
  const address = device.address()
  const adb = join(home, 'adb')
  writeFileSync(adb, `#!/bin/sh\ntouch '${home}/started'\n`, { mode: 0o755 })
  const port = typeof address === 'object' ? address?.port : undefined
  const env = { SVC_HOME: home, SVC_TCP_DEVICES: `127.0.0.1:${port}`, ADB_PATH: adb }
  const filesOf = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      // The index of the log is what readers and writers share.
      .filter(entry => entry.isFile() && !entry.name.endsWith('-shm'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map(file => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`)
      .sort()
  const before = filesOf()
  for (const line of [
    ['click', ''],
    ['back', '--device', ''],
    ['executions', 'show', ''],
    ['watch', ''],
    ['open', ''],
  ]) {
    await completed(env, ...line)
  }
  expect(filesOf()).toEqual(before)
  expect(connections).toBe(0)
  expect(existsSync(join(home, 'started'))).toBe(false)
})

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
  await lab.execute([{ id: 'a', type: 'press_key', params: { key: 'home' } }])
  await lab.execute([{ id: 'b', type: 'sleep', params: { durationMs: 1 } }])
})
afterAll(() => lab.close())

test('executions, newest first, with what they did; last counts back', async () => {
  const env = { HOME: lab.home }
  const [newest = '', older = ''] = lab.services.journal().receiptIds()
  const lines = await completed(env, 'executions', 'show', '')
  expect(lines.map(line => line.split('\t')[0])).toEqual(['last', newest, older])
  expect(lines[0]).toMatch(/\d+ s ago: sleep on \S+, success$/)
  expect(lines[2]).toMatch(/: press_key on /)
  expect(await words(env, 'executions', 'timeline', 'last~')).toEqual(['last~1'])
  expect(await words(env, 'snapshot', '--since', older.slice(0, -1))).toContain(older)
  expect(await words(env, 'executions', 'show', '--device', 'another', '')).toEqual([])
  expect(await words(env, 'watch', 'device:')).toEqual([`device:${lab.fleet.devices[0]?.serial}`])
})

test('runs of flows, the newest first, and last before them', async () => {
  const home = newHome()
  const { runCliHere } = await import('../../../support/cli/cli-here.ts')
  const env = { SVC_HOME: home, HOME: home, ...NO_SERVER }
  writeFileSync(join(home, 'broken.yaml'), 'appId: com.a\n---\n- tapOnn: a\n')
  for (const _ of ['first', 'second']) {
    expect((await runCliHere(['test', 'broken.yaml'], { env, cwd: home })).code).toBe(1)
  }
  const offered = await words(env, 'test', '--rerun', '')
  expect(offered).toHaveLength(3)
  expect(offered[0]).toBe('last')
  expect(offered[1]?.localeCompare(offered[2] ?? '')).toBe(1)
  expect(await words(env, 'test', '--resume', offered[2] ?? '')).toEqual([offered[2]])
  expect(await words(env, 'test', '--format', '')).toEqual(['junit', 'ctrf', 'html'])
})
