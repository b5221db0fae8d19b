/** A server of today on the home of an earlier build: every actor, history, receipt and trace in it is shown. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServeHere } from '../../support/cli/serve.ts'
import { call } from '../../support/http/http-client.ts'
import { GOLDEN, goldenTold, placeGolden } from '../../support/runtime/golden.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-golden-http-')

describe.each(GOLDEN)('%s', name => {
  test('is shown whole, and what was left in flight as interrupted', async () => {
    const home = join(folder(), name)
    placeGolden(name, join(home, '.svc', 'journal'))
    const server = await startServeHere({ env: { HOME: home }, cwd: home })
    onTestFinished(async () => void (await server.end()))
    const get = async <T>(path: string): Promise<T> => {
      const { status, json } = await call(`${server.url}${path}`)
      expect(status, `${path}: ${JSON.stringify(json)}`).toBe(200)
      return json as T
    }
    const told = goldenTold(name)
    const { actors } = await get<{ actors: { id: string }[] }>('/actors')
    const ids = actors.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(told.actors.map(({ id }) => id)))
    await get('/inspector/actors')
    for (const id of ids) {
      const at = `/actors/${encodeURIComponent(id)}`
      await get(at)
      await get(`${at}/history`)
      const { records } = await get<{ records: { seq: number; digest: string | null }[] }>(`${at}/records`)
      for (const { seq, digest } of records) if (digest !== null) await get(`${at}/records/${seq}/body`)
    }
    const { executions } = await get<{ executions: { executionId: string; state: string }[] }>('/executions?limit=100')
    for (const { executionId, commandId } of told.executions) {
      const now = executions.find(execution => execution.executionId === executionId)
      if (commandId === 'left') expect(now).toMatchObject({ state: 'interrupted' })
      const { trace } = await get<{ trace: { executions: object[]; records: object[] } }>(
        `/executions/${executionId}/trace`,
      )
      expect(trace.executions).toMatchObject([{ commandId }])
      expect(trace.records.length).toBeGreaterThan(0)
    }
    const runs = ids.flatMap(id => (id.startsWith('skill-run:') ? [id.slice('skill-run:'.length)] : []))
    expect(runs.length).toBeGreaterThan(1)
    for (const run of runs) await get(`/skill-runs/${run}/trace`)
  })
})
