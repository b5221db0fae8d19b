/** The library before the real program and simulated phones: over TCP and over the daemon's socket. */
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { connectFrom } from '../../../src/surfaces/library/connect.ts'
import type { SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { CLI } from '../../support/cli/run-cli.ts'
import { startServe } from '../../support/cli/serve.ts'
import { type SvcLab, startSvcLab } from '../../support/cli/svc-lab.ts'
import { killProcess } from '../../support/kill-process.ts'
import { until } from '../../support/until.ts'

let lab: SvcLab
beforeAll(async () => {
  lab = await startSvcLab({ count: 2 })
})
afterAll(() => lab.close())

const serial = (index = 0) => lab.fleet.devices[index]?.serial ?? ''
const connectHere = (options: { url?: string; device?: string } = {}) =>
  connectFrom(options, { env: { ...lab.env, PATH: '' }, program: CLI, clock: systemClock() })

/** Hands requests on to a server, and destroys the connection instead of the answers that it is told to lose. */
const startLosingProxy = async (url: string, toLose: number) => {
  let lost = 0
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = openSocket(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    let isExecution = false
    near.on('data', part => {
      isExecution ||= part.toString().startsWith('POST /execute')
      far.write(part)
    })
    far.on('data', part => {
      if (!isExecution || lost >= toLose) return void near.write(part)
      lost += 1
      near.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    lost: () => lost,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('over TCP, an action whose answer was lost twice happened once', async () => {
  const serving = await startServe({ env: lab.env })
  const proxy = await startLosingProxy(serving.url, 2)
  try {
    await using svc = await connectHere({ url: proxy.url })
    const before = lab.seen()
    const answer = await svc.device(serial()).back()
    expect(proxy.lost()).toBe(2)
    expect(answer.data).toEqual({ key: 'back' })
    expect(lab.seen()).toBe(before + 1)
    expect(await svc.receipts.get(answer.executionId)).toMatchObject({ state: 'settled', deviceId: serial() })
  } finally {
    proxy.close()
    await serving.end()
  }
})

test.each([
  ['without a journal', { SVC_JOURNAL: 'off' }, {}],
  ['with another journal than the one before', {}, { SVC_HOME: 'another' }],
] as const)('a server %s is not sent again what a killed one was doing', async (_, was, is) => {
  const folder = { SVC_HOME: `${lab.home}/.svc` }
  const envOf = (more: { SVC_JOURNAL?: string; SVC_HOME?: string }) => ({ ...lab.env, ...folder, ...was, ...more })
  const first = await startServe({ env: envOf(was) })
  const { port } = new URL(first.url)
  await using svc = await connectHere({ url: first.url })
  const before = lab.seen()
  const call = svc
    .device(serial())
    .sleep({ durationMs: 8_000 })
    .catch((error: SvcError) => error)
  await until(() => lab.seen() > before, 'the action to be sent')
  first.running.child.kill('SIGKILL')
  const home = 'SVC_HOME' in is ? { SVC_HOME: `${lab.home}/${is.SVC_HOME}` } : {}
  const second = await startServe({ env: envOf(home), args: ['--port', port] })
  onTestFinished(async () => void (await second.end()))
  expect(await call).toMatchObject({ code: 'ANSWER_LOST', dispatched: 'unknown', retriable: false })
  expect(lab.seen()).toBe(before + 1)
})

test('a stream goes on over a restart of its server, without gap or double', async () => {
  const first = await startServe({ env: lab.env })
  const { port } = new URL(first.url)
  await using svc = await connectHere({ url: first.url })
  const stream = svc.transitions({ actor: `device:${serial()}` })
  const seen: number[] = []
  const reading = (async () => {
    for await (const { seq, event } of stream) if (event === 'execution.settled') seen.push(seq)
  })()
  const phone = svc.device(serial())
  // The phone may still be at work on a list whose server was killed.
  await phone.back({ waitMs: 30_000 })
  await until(() => seen.length === 1, 'the first transition')
  await first.end()
  // While no server runs, another process acts.
  await lab.svc(['back', '--device', serial(), '--no-daemon'])
  const second = await startServe({ env: lab.env, args: ['--port', port] })
  try {
    await phone.back()
    await until(() => seen.length === 3, 'the transitions of both servers')
    await stream.return?.()
    await reading
    const [, receipt] = await Promise.all([reading, svc.receipts.list({ deviceId: serial(), limit: 3 })])
    expect(receipt).toHaveLength(3)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  } finally {
    await second.end()
  }
})

test('a server of the same home is found without its address, and no daemon is started beside it', async () => {
  const serving = await startServe({ env: lab.env })
  await using svc = await connectHere()
  const { executionId } = await svc.device(serial()).back()
  const { url } = serving
  expect(lab.metadata()).toBeUndefined()
  await using named = await connectHere({ url })
  expect(await named.receipts.get(executionId)).toMatchObject({ state: 'settled' })
  await serving.end()
  await using later = await connectHere()
  expect((await later.device(serial()).back()).data).toEqual({ key: 'back' })
  expect(lab.metadata()?.pid).toBeGreaterThan(0)
})

test('a stream over the daemon goes on over its death, without gap or double', async () => {
  await using svc = await connectHere()
  const phone = svc.device(serial())
  const settled: number[] = []
  const stream = svc.transitions({ actor: `device:${serial()}` })
  const reading = (async () => {
    for await (const { seq, event } of stream) if (event === 'execution.settled') settled.push(seq)
  })()
  const first = await phone.back({ waitMs: 30_000 })
  await until(() => settled.length === 1, 'the first transition')
  killProcess(lab.metadata()?.pid)
  const second = await phone.back({ waitMs: 30_000 })
  await until(() => settled.length === 2, 'the transition in the second daemon')
  await stream.return?.()
  await reading
  expect(first.executionId).not.toBe(second.executionId)
  expect(settled).toEqual([...new Set(settled)].sort((a, b) => a - b))
})

test('without a server, the daemon is started and used; killed, it is started again', async () => {
  await using svc = await connectHere({ device: serial(1) })
  const phone = svc.device()
  expect((await phone.open('com.android.settings')).data).toEqual({ application_id: 'com.android.settings' })
  expect((await phone.read({ text: 'Settings' }, { observe: true })).data.text).toBe('Settings')
  const daemon = lab.metadata(serial(1))
  killProcess(daemon?.pid)
  expect((await phone.back()).data).toEqual({ key: 'back' })
  expect(lab.metadata(serial(1))?.pid).not.toBe(daemon?.pid)
})

test('an abort cancels what was sent, and the receipt says so', async () => {
  await using svc = await connectHere({ device: serial(1) })
  const phone = svc.device(serial(1))
  const controller = new AbortController()
  const before = lab.seen(1)
  const call = phone.sleep({ durationMs: 8_000 }, { signal: controller.signal }).catch((error: SvcError) => error)
  await until(() => lab.seen(1) > before, 'the action to be sent')
  controller.abort()
  const error = (await call) as SvcError
  expect(error).toMatchObject({ code: 'EXECUTION_CANCELLED', dispatched: 'unknown' })
  expect(await svc.receipts.wait(error.executionId ?? '')).toMatchObject({
    state: 'settled',
    result: { ok: false, error: { code: 'EXECUTION_CANCELLED' } },
  })
})

test('a reservation refuses others, is extended, and gives the phone back', async () => {
  const serving = await startServe({ env: lab.env })
  onTestFinished(async () => void (await serving.end()))
  await using svc = await connectHere({ url: serving.url })
  const lease = await svc.lease(serial(), { forMs: 60_000 })
  expect((await lease.back()).data).toEqual({ key: 'back' })
  const refused = await svc
    .device(serial())
    .back()
    .catch((error: SvcError) => error)
  expect(refused).toMatchObject({ dispatched: false, details: { holder: { leaseId: lease.id } } })
  const { expiresAt } = lease
  expect(await lease.extend(120_000)).toBeGreaterThan(expiresAt)
  await lease.release()
  await lease.release()
  expect((await svc.device(serial()).back()).data).toEqual({ key: 'back' })
})

test('the lists, a picture and the log of a phone', async () => {
  await using svc = await connectHere({ device: serial(1) })
  expect((await svc.devices.list()).map(each => each.serial)).toContain(serial(1))
  expect((await svc.apps.list(serial(1))).length).toBeGreaterThan(0)
  expect((await svc.apps.get(serial(1), 'com.android.settings')).applicationId).toBe('com.android.settings')
  const phone = svc.device(serial(1))
  const { data } = await phone.screenshot({ path: `${lab.home}/pictures/screen.png`, waitMs: 30_000 })
  expect(Buffer.from(data.png).subarray(1, 4).toString()).toBe('PNG')
  expect(data.path).toBe(`${lab.home}/pictures/screen.png`)
  for await (const { message } of svc.logs(serial(1), { since: 'boot' })) {
    expect(typeof message).toBe('string')
    break
  }
})

const FLOW = 'appId: com.android.settings\n---\n- launchApp\n- assertVisible: Settings\n'

test('a run of flows is followed to its end, and a skill without a registry is refused', async () => {
  await using svc = await connectHere({ device: serial(1) })
  const run = await svc.test.run({ yaml: FLOW, devices: [serial(1)] })
  expect(run).toMatchObject({ state: 'ended', verdict: 'passed' })
  expect((await svc.test.list()).map(({ testRunId }) => testRunId)).toContain(run.testRunId)
  const failing = { yaml: FLOW.replace('Settings', 'No such text'), devices: [serial(1)] }
  const aborted = svc.test.run(failing, { signal: AbortSignal.timeout(1_000) })
  await expect(aborted).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED', dispatched: 'unknown' })
  await expect(svc.skills.run('com.example.none')).rejects.toMatchObject({
    code: 'REGISTRY_READ_FAILED',
    dispatched: false,
  })
  expect(await svc.request('server.ping', {})).toEqual({ ok: true })
})

test('a server that is not there, and an address that is none, are told at once', async () => {
  await expect(connectHere({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'SERVER_UNREACHABLE',
    dispatched: false,
  })
  await expect(connectHere({ url: 'localhost:3000' })).rejects.toMatchObject({ code: 'USAGE' })
})
