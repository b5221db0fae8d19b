/** A run of flows goes on without its listeners: a lost server says nothing about it. */
import { expect, test } from 'vitest'
import { connectHere, json, startStubServer } from './stub-server.ts'

const run = (state: string) => ({ ok: true, testRun: { testRunId: 'run-1', state } })

test('a run whose server is silent for a moment is followed to its end', async () => {
  let looks = 0
  const { url } = await startStubServer(({ method }, outgoing) => {
    if (method === 'POST') return json(outgoing, { ok: true, testRunId: 'run-1' }, {}, 202)
    looks += 1
    // So many answers are lost that the request itself is given up.
    if (looks <= 4) outgoing.destroy()
    else json(outgoing, run('ended'))
  })
  const svc = await connectHere({ url })
  expect(await svc.test.run({ paths: ['flow.yaml'] })).toMatchObject({ testRunId: 'run-1', state: 'ended' })
})

test('a run that nobody can tell of is unknown, and named', async () => {
  const { url } = await startStubServer(({ method }, outgoing) => {
    if (method === 'POST') return json(outgoing, { ok: true, testRunId: 'run-1' }, {}, 202)
    json(outgoing, { ok: false, error: { code: 'TEST_RUN_NOT_FOUND', message: 'No such run.' } }, {}, 404)
  })
  const svc = await connectHere({ url })
  await expect(svc.test.run({ paths: ['flow.yaml'] })).rejects.toMatchObject({
    code: 'ANSWER_LOST',
    dispatched: 'unknown',
    retriable: false,
    details: { testRunId: 'run-1' },
  })
})

test('the hints in a run name methods of the library', async () => {
  const error = { code: 'APP_NOT_FOUND', message: 'None.', hint: 'See `GET /devices/<id>/apps`.' }
  const attempts = [{ attempt: 1, error, commands: [{ index: 0, error }] }]
  const testRun = { testRunId: 'run-1', state: 'ended', error, flows: [{ name: 'a', attempts }] }
  const { url } = await startStubServer(({ method, path }, outgoing) => {
    if (method === 'POST') return json(outgoing, { ok: true, testRunId: 'run-1' }, {}, 202)
    json(outgoing, path === '/test-runs' ? { ok: true, testRuns: [testRun] } : { ok: true, testRun })
  })
  const svc = await connectHere({ url })
  const runs = [await svc.test.run({ paths: ['a.yaml'] }), await svc.test.get('run-1'), ...(await svc.test.list())]
  for (const run of runs) {
    expect(JSON.stringify(run)).not.toContain('GET /')
    expect(JSON.stringify(run).split('svc.apps.list(deviceId)')).toHaveLength(4)
  }
})
