/** stdout carries the result whole, however slowly it is read, and nobody minds a reader that goes away. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceCommandOutput } from '../../../src/contracts/executions/execution-result.ts'
import { parseScenario, type WrittenScenario } from '../../../src/simulator/scenario/scenario.ts'
import { CLI, runCli, startCli } from '../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'

const NODES = 220
const TEXT = 'long text, '.repeat(900)
const BYTES = NODES * TEXT.length

/** A screen of more than two megabytes. */
const written: WrittenScenario = {
  apps: [
    {
      package: 'com.example.large',
      label: 'Large',
      start: 'main',
      screens: {
        main: {
          nodes: Array.from({ length: NODES }, (_, at) => ({ text: TEXT, bounds: [0, 300 + at, 100, 301 + at] })),
        },
      },
    },
  ],
  front: 'com.example.large',
}

let lab: Lab
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  const parsed = parseScenario(written)
  if (!parsed.ok) throw new Error(parsed.error)
  lab = await startLab({ scenario: parsed.scenario })
  env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial }
})
afterAll(() => lab.close())

test('2 MB into a pipe that is read slowly: nothing is cut off at the end', async () => {
  const { child } = startCli(['snapshot'], { env, input: '' })
  child.stdout.removeAllListeners('data')
  let text = ''
  // A chunk, a rest, a chunk: the pipe is full most of the time.
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: true })) {
    text += chunk
    await pause(10)
  }
  expect(text.length).toBeGreaterThan(BYTES)
  expect(text.endsWith('}\n')).toBe(true)
  const { envelope } = JSON.parse(text) as DeviceCommandOutput
  const xml = envelope.stepResults[0]?.data.text ?? ''
  expect(xml.split(TEXT).length - 1).toBe(NODES)
  expect(xml.trimEnd().endsWith('</hierarchy>')).toBe(true)
})

test('pretty output of 2 MB is whole, too', async () => {
  const ended = await runCli(['snapshot', '--output', 'pretty'], { env })
  expect(ended.code).toBe(0)
  expect(ended.stdout.length).toBeGreaterThan(BYTES)
  expect(ended.json()).toMatchObject({ envelope: { status: 'success' } })
})

test.each([
  ['a long answer', ['snapshot']],
  ['a short answer', ['devices']],
  ['a text', ['--help']],
])('EPIPE is not a crash: %s', async (_, args) => {
  const running = startCli(args, { env, input: '' })
  running.child.stdout.destroy()
  const ended = await running.ended
  expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test('a reader that stalls does not keep a signal away', async () => {
  const running = startCli(['snapshot'], { env, input: '' })
  running.child.stdout.removeAllListeners('data')
  running.child.stdout.pause()
  const settled = () => lab.services.journal().receipts()[0]
  const before = settled()?.executionId
  while (settled()?.executionId === before || settled()?.state !== 'settled') await pause(20)
  // By now the answer fills the pipe. The event is `exit`: `close` waits for a reader.
  const ended = once(running.child, 'exit')
  await pause(300)
  running.child.kill('SIGTERM')
  expect(await ended).toEqual([143, null])
  running.child.stdout.destroy()
})

test.each([['--version'], ['--help'], ['nonsense']])('a result that cannot be written is a failure: %s', name => {
  if (!existsSync('/dev/full')) return
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [CLI, name], {
    env: { PATH: '', ...env },
    stdio: ['ignore', full, 'pipe'],
    timeout: 30_000,
  })
  closeSync(full)
  expect(status).toBe(1)
  expect(stderr.toString()).toMatch(/^(ENOSPC: no space left on device, write|There is no command "nonsense".*)\n$/)
})
