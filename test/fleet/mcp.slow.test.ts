/** MCP over HTTP at a host of a fleet: its tools reach the phones of all hosts. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { connectHttp, type McpCaller } from '../support/mcp-client.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

const REGISTRY = fileURLToPath(new URL('../fixtures/skills/skills-registry.json', import.meta.url))
const SKILL = 'com.android.settings.search-replay'

describe.skipIf(!needs('nats-server'))('the tools of one host', () => {
  let lab: FleetLab
  let mcp: McpCaller
  const other = () => `${lab.host('lab2').serial(1)}@lab2`
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true, env: { SVC_SKILLS_REGISTRY: REGISTRY } })
    mcp = await connectHttp(lab.host('lab1').url(), 'modern')
  })
  afterAll(async () => {
    await mcp?.close()
    await lab.close()
  })

  test('list the devices of all hosts by ids that name them', async () => {
    const { text } = await mcp.call('devices')
    expect(text.split('\n').sort()).toEqual([`${lab.host('lab1').serial(0)}@lab1 device`, `${other()} device`].sort())
  })

  test('look at a phone of another host, act on a node of it by its ref, and take its picture', async () => {
    const seen = await mcp.call('snapshot', { device: other() })
    expect(seen.isError).toBe(false)
    const [ref] = /@\d+\.\d+/.exec(seen.text) ?? []
    const clicked = await mcp.call('click', { device: other(), ref })
    expect({ isError: clicked.isError, text: clicked.text }).toMatchObject({ isError: false })
    const { images } = await mcp.call('screenshot', { device: other() })
    expect(images).toMatchObject([{ mimeType: 'image/png' }])
    const { executionId } = clicked.structured as { executionId: string }
    const receipt = await mcp.call('receipt', { executionId })
    expect(receipt.text).toContain(executionId)
  })

  test('run a skill on the host of the device, and list what it did there', async () => {
    const ran = await mcp.call('skills_run', { id: SKILL, args: ['--query', 'battery'], device: other() })
    expect(ran, ran.text).toMatchObject({
      isError: false,
      structured: { status: 'success', runId: expect.any(String) },
    })
    const { runId, executionIds } = ran.structured as { runId: string; executionIds: string[] }
    expect(executionIds.length).toBeGreaterThan(0)
    type List = { executions: { executionId: string }[] }
    const there = await lab.host('lab2').get<List>(`/executions?skillRunId=${runId}`)
    expect(there.body.executions.map(({ executionId }) => executionId)).toEqual([...executionIds].reverse())
    const receipts = await mcp.call('receipts', { skillRunId: runId })
    expect(receipts.structured).toMatchObject({ count: executionIds.length })
  })

  test('say whether a skill that could not be run on another host sent anything', async () => {
    const unknown = await mcp.call('skills_run', { id: 'com.example.none', device: other() })
    expect(unknown).toMatchObject({ isError: true, structured: { code: 'SKILL_NOT_FOUND', dispatched: false } })
    const nowhere = await mcp.call('skills_run', { id: SKILL, device: 'none@lab2' })
    expect(nowhere).toMatchObject({ isError: true, structured: { code: 'DEVICE_NOT_FOUND', dispatched: false } })
  })

  test('cancel an execution of another host at once', async () => {
    const leaving = new AbortController()
    const actions = [{ id: 'nap', type: 'sleep', params: { durationMs: 20_000 } }]
    const execution = { commandId: 'left-alone', timeoutMs: 30_000, actions }
    const napping = mcp.call('execute', { device: other(), execution }, { signal: leaving.signal })
    type List = { executions: { state: string; settledAt?: number; result?: unknown }[] }
    const newest = async () => (await lab.host('lab2').get<List>('/executions?commandId=left-alone')).body.executions[0]
    await until(async () => (await newest())?.state === 'dispatched', 'the phone to have it')
    const left = Date.now()
    leaving.abort()
    await expect(napping).rejects.toThrow()
    await until(async () => (await newest())?.state === 'settled', 'the execution to be cancelled', 15_000)
    expect(await newest()).toMatchObject({ result: { ok: false, error: { code: 'EXECUTION_CANCELLED' } } })
    expect(Date.now() - left).toBeLessThan(10_000)
  })
})
