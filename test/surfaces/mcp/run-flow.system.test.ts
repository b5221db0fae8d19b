/** A flow over MCP: its verdict, its commands with their executions, progress, files below the roots, and cancelling. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordedRequestOf } from '../../../src/service/flows/read-test-run.ts'
import { serviceOf } from '../../../src/start/listener.ts'
import { type HttpLab, listen, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../../support/mcp-client.ts'
import { until } from '../../support/until.ts'

const HEAD = 'appId: com.android.settings\n---\n'

let served: HttpLab
let caller: McpCaller
let folder: string
let device: string
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-run-flow-'))
  mkdirSync(join(folder, 'open'))
  writeFileSync(join(folder, 'open', 'display.yaml'), `${HEAD}- tapOn: Display\n`)
  writeFileSync(join(folder, 'closed.yaml'), `${HEAD}- tapOn: Apps\n`)
  // The scripts of flows run in the built program.
  served = await startHttpLab({ count: 1, program: resolve('dist/svc.cjs') })
  const own = await listen({ ...served.deps, fileRoots: [join(folder, 'open')] })
  closing.push(() => own.server.close({ graceMs: 1_000 }))
  caller = await connectHttp(own.url, 'legacy')
  device = served.serials[0] ?? ''
})
afterAll(async () => {
  await caller.close()
  for (const close of closing) await close()
  await served.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('passes, with the execution of each command, and tells how far it is', async () => {
  const heard: string[] = []
  const yaml = `${HEAD}- launchApp\n- tapOn: \${ROW}\n- assertVisible: Status\n`
  const ran = await caller.call(
    'run_flow',
    { yaml, env: { ROW: 'Display' }, device },
    { onprogress: said => heard.push(said) },
  )
  expect(ran, ran.text).toMatchObject({ isError: false, structured: { verdict: 'passed', deviceId: device } })
  const { commands } = ran.structured as { commands: { line: number; executionIds: string[] }[] }
  expect(commands.map(({ line }) => line)).toEqual([3, 4, 5])
  for (const { executionIds } of commands) {
    expect(executionIds.length).toBeGreaterThan(0)
    for (const executionId of executionIds) expect(ran.text).toContain(executionId)
  }
  expect(ran.text).toMatch(/^passed on /)
  const journal = served.deps.journal()
  expect(recordedRequestOf(journal, String(ran.structured.testRunId))).toMatchObject({ caller: 'mcp' })
  expect(heard.some(said => said.startsWith('4: '))).toBe(true)
})

test('names a variable that is not set, with the line, also where the flow passes', async () => {
  const ran = await caller.call('run_flow', { yaml: `${HEAD}- setClipboard: \${NAME}\n`, device })
  expect(ran, ran.text).toMatchObject({
    structured: { verdict: 'passed', warnings: [{ line: 3, message: expect.stringContaining('NAME is not set') }] },
  })
  expect(ran.text).toMatch(/^warning: The variable NAME is not set.* \(<flow>:3\)$/m)
})

test('that fails says which command, why, what to do, and where the picture is', async () => {
  const yaml = `${HEAD}- launchApp\n- extendedWaitUntil:\n    visible: No such row\n    timeout: 300\n- tapOn: Display\n`
  const ran = await caller.call('run_flow', { yaml, device })
  expect(ran, ran.text).toMatchObject({
    isError: false,
    structured: { verdict: 'failed', error: { code: expect.any(String), hint: expect.any(String), line: 4 } },
  })
  const { picture } = ran.structured as { picture: string }
  expect(ran.text).toContain(`picture: ${picture}`)
  expect(ran.text).toMatch(/^hint: \S/m)
  expect(ran.text).not.toMatch(/Tap on/)
})

test('that fails shows the compact screen, and its refs can be used at once', async () => {
  const yaml = `${HEAD}- launchApp\n- extendedWaitUntil: {visible: No such row, timeout: 300}\n`
  const ran = await caller.call('run_flow', { yaml, device })
  expect(ran, ran.text).toMatchObject({ structured: { verdict: 'failed' } })
  const { error } = ran.structured as { error: { details: { screen: number; text: string } } }
  expect(error.details.text).toMatch(/^screen \d+ com\.android\.settings\n@/)
  expect(ran.text).toContain(error.details.text)
  const [, ref] = /^(@\S+) .*"Display"/m.exec(error.details.text) ?? []
  const tapped = await caller.call('click', { ref, device })
  expect(tapped, tapped.text).toMatchObject({ isError: false })
})

test('that cannot be read is an error with each place, and nothing is run', async () => {
  const ran = await caller.call('run_flow', { yaml: `${HEAD}- tapOnn: Display\n`, device })
  expect(ran).toMatchObject({ isError: true, structured: { code: 'FLOW_INVALID', dispatched: false } })
  expect(ran.text).toContain('tapOnn')
  expect(ran.text).toContain('<flow>')
  expect(ran.text).toContain('Did you mean tapOn?')
})

test('reads files below the open folders only', async () => {
  const open = await caller.call('run_flow', {
    yaml: `${HEAD}- launchApp\n- runFlow: display.yaml\n- assertVisible: Status\n`,
    device,
  })
  expect(open, open.text).toMatchObject({ structured: { verdict: 'passed' } })
  const closed = await caller.call('run_flow', { yaml: `${HEAD}- launchApp\n- runFlow: ../closed.yaml\n`, device })
  expect(closed, closed.text).toMatchObject({ isError: true, structured: { code: 'FLOW_INVALID' } })
  expect(closed.text).toContain('is not open')
})

test('cancelling the call cancels the run', async () => {
  const stop = new AbortController()
  const testRuns = await served.deps.testRuns()
  const before = (await testRuns.list()).length
  const call = caller.client.callTool(
    {
      name: 'run_flow',
      arguments: {
        yaml: `${HEAD}- launchApp\n- extendedWaitUntil:\n    visible: Never\n    timeout: 600000\n`,
        device,
      },
    },
    { signal: stop.signal },
  )
  call.catch(() => {})
  await until(async () => (await testRuns.list()).length > before, 'the run to begin')
  stop.abort()
  await expect(call).rejects.toThrow()
  await until(async () => (await testRuns.list())[0]?.verdict != null, 'the run to end')
  expect((await testRuns.list())[0]?.verdict).toBe('cancelled')
})

test('while another caller has the phone, the call says whose it is', async () => {
  const made = await serviceOf(served.deps)['leases.create'](
    { device, forMs: 60_000, note: 'nightly suite' },
    { context: { caller: 'http' } },
  )
  const lease = made.ok ? made.value.lease : undefined
  const stop = new AbortController()
  const heard: string[] = []
  const call = caller.client.callTool(
    { name: 'run_flow', arguments: { yaml: `${HEAD}- launchApp\n`, device } },
    { signal: stop.signal, onprogress: ({ message = '' }) => heard.push(message) },
  )
  call.catch(() => {})
  await until(() => heard.some(each => each.includes('nightly suite')), 'the holder to be named')
  const { user, machine } = lease?.keptBy ?? {}
  const words = heard.find(each => each.includes('nightly suite'))
  expect(words).toContain(`${device} is reserved by lease ${lease?.leaseId} of ${user} on ${machine} until 20`)
  stop.abort()
  await expect(call).rejects.toThrow()
})
