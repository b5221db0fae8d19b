/** The process of scripts has nothing to take, and what it writes is judged as the words of a stranger. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { FLOW_RUN_ENV } from '../../../../src/contracts/records/ids.ts'
import { markedPids } from '../../../../src/runtime/processes/process-list.ts'
import { isAlive, startOf } from '../../../../src/runtime/processes/processes.ts'
import { leftScriptProcesses } from '../../../../src/start/foundation.ts'
import { PROGRAM, place, startScripts } from './start-scripts.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`../../../fixtures/scripts/${name}`, import.meta.url))

test('it may read no file but its own, write none, start no process and no thread, and has no environment', async () => {
  const answer = await startScripts({ program: fixture('reach-out.cjs') }).interpolate(
    '${1 + 0} ${2 + 0} ${3 + 0} ${4 + 0} ${5 + 0}',
    place(),
  )
  expect(answer).toBe(`${'ERR_ACCESS_DENIED '.repeat(4)}SVC_FLOW_RUN_ID,TZ`)
})

const after = (messages: readonly object[]) =>
  startScripts({ program: fixture('write-frames.cjs') }).evaluate(JSON.stringify(messages), place())

test.each([
  ['an unknown message', [{ head: { type: 'run' } }]],
  ['a message that is no object', [{ head: 5 }]],
  ['a clock that goes backwards', [{ head: { type: 'clock', reading: -1, elapsedMs: 0 } }]],
  ['a clock without a number', [{ head: { type: 'clock', reading: 1, elapsedMs: 'soon' } }]],
  ['a request that is no JSON', [{ head: { type: 'request' }, body: '{' }]],
  ['a request of a wrong shape', [{ head: { type: 'request' }, body: '{"method":"GET","url":5,"headers":{}}' }]],
  ['a log without end', [{ head: { type: 'log' }, body: 'x'.repeat(60_000), times: 60 }]],
  ['messages without end', [{ head: { type: 'log' }, times: 10_001 }]],
])('%s ends it', async (_, messages) => {
  await expect(after(messages)).rejects.toThrow(/its messages cannot be read/)
})

test('a second request before the first one is answered ends it', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const request = JSON.stringify({ method: 'GET', url, headers: {} })
  await expect(after([{ head: { type: 'request' }, body: request, times: 2 }])).rejects.toThrow(
    'waiting for its response',
  )
})

test('an answer that is no result is a failure of the script', async () => {
  expect(await after([{ head: { type: 'answer' }, body: 'nonsense' }])).toMatchObject({ ok: false, kind: 'threw' })
})

const startRunner = async (flowRunId: string) => {
  const host = fileURLToPath(new URL('../../../../dist/test/flow-scripts-host.js', import.meta.url))
  const runner = spawn(process.execPath, [host, PROGRAM, 'for (;;);', flowRunId], { stdio: 'ignore' })
  onTestFinished(() => void runner.kill('SIGKILL'))
  const mark = { name: FLOW_RUN_ENV, value: flowRunId }
  await expect.poll(() => markedPids(mark), { timeout: 20_000 }).not.toHaveLength(0)
  const scripts = markedPids(mark).map(pid => ({ pid, started: startOf(pid) ?? '' }))
  onTestFinished(() => leftScriptProcesses['flow-run']?.(`flow-run:${flowRunId}`))
  return { runner, isAnyAlive: () => scripts.some(isAlive) }
}

test('whoever finds the run without a runner ends its script', async () => {
  const { runner, isAnyAlive } = await startRunner('left-run.0.1')
  leftScriptProcesses['flow-run']?.('flow-run:another-run.0.1')
  expect(isAnyAlive()).toBe(true)
  leftScriptProcesses['flow-run']?.('flow-run:left-run.0.1')
  await expect.poll(isAnyAlive, { timeout: 10_000 }).toBe(false)
  runner.kill('SIGKILL')
})
