/** Two servers of one home, real processes: one is killed, hangs or holds the journal, and the other one goes on truthfully. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { runCli } from '../../support/cli/run-cli.ts'
import { payloadOf, startLab } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { startHttpProcess } from '../../support/http/http-process.ts'
import { perTest } from '../../support/per-test.ts'
import { until } from '../../support/until.ts'

const startHere = async () => {
  const lab = await startLab()
  const children: ChildProcess[] = []
  const serial = lab.fleet.devices[0]?.serial ?? ''
  return {
    lab,
    env: { HOME: lab.home, SVC_TCP_DEVICES: serial },
    seen: () => lab.fleet.devices[0]?.phone.executions() ?? [],
    serve: () => startHttpProcess({ home: lab.home, serial, children }),
    async close() {
      for (const child of children) child.kill('SIGKILL')
      await lab.close()
    },
  }
}
const here = perTest(startHere)

const nap = (durationMs: number) => ({
  execution: payloadOf([{ id: 'z', type: 'sleep', params: { durationMs } }], { commandId: 'nap' }),
})
const headers = { 'Idempotency-Key': 'once' }

test.concurrent('a key whose server was killed answers at once on the other one, and runs nothing', async () => {
  const { serve, seen } = await here()
  const [first, second] = [await serve(), await serve()]
  const lost = expect(call(`${first.url}/execute`, { body: nap(20_000), headers })).rejects.toThrow()
  await until(() => seen().length === 1, 'the device to have it')
  first.child.kill('SIGKILL')
  await first.ended
  await lost
  const begun = performance.now()
  const answer = await call(`${second.url}/execute`, { body: nap(20_000), headers })
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(answer.json).toMatchObject({
    ok: false,
    error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } },
  })
  const { executions } = (await call(`${second.url}/executions`)).json as { executions: { state: string }[] }
  expect(executions.map(({ state }) => state)).toEqual(['interrupted'])
  expect(seen()).toHaveLength(1)
})

test.concurrent('an execution is cancelled by a command and by the other server, whichever runs it', async () => {
  const { serve, seen, env, lab } = await here()
  const [first, second] = [await serve(), await serve()]
  for (const cancel of [
    async (id: string) => (await runCli(['executions', 'cancel', id], { env })).json<{ execution: unknown }>(),
    async (id: string) => (await call(`${second.url}/executions/${id}`, { method: 'DELETE' })).json,
  ]) {
    const count = seen().length
    const running = call(`${first.url}/execute`, { body: nap(4_000) })
    await until(() => seen().length === count + 1, 'the device to have it')
    const id = lab.services.journal().receipts()[0]?.executionId ?? ''
    expect(await cancel(id)).toMatchObject({
      execution: { executionId: id, state: 'settled', result: { error: { code: 'EXECUTION_CANCELLED' } } },
    })
    expect((await running).json).toMatchObject({ ok: false, error: { code: 'EXECUTION_CANCELLED' } })
    await until(() => lab.services.journal().leases.list().length === 0, 'the device to be done')
  }
})

test.concurrent('while another process holds the journal, everything answers that needs no writing, and a request waits', async () => {
  const { serve, lab } = await here()
  const { url } = await serve()
  expect((await call(`${url}/snapshot`, { body: {} })).status).toBe(200)
  const other = new Database(join(lab.home, '.svc', 'journal', 'journal.db'))
  other.exec('BEGIN IMMEDIATE')
  const waiting = call(`${url}/snapshot`, { body: {} })
  const pings: number[] = []
  for (let i = 0; i < 10; i++) {
    const begun = performance.now()
    expect((await call(`${url}/ping`)).status).toBe(200)
    pings.push(performance.now() - begun)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  expect(Math.max(...pings)).toBeLessThan(1_000)
  expect((await call(`${url}/executions`)).status).toBe(200)
  other.exec('COMMIT')
  other.close()
  expect((await waiting).status).toBe(200)
})
