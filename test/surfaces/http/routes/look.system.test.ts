/** POST /inspector/looks on a simulated device: tree and picture, whose files do not pile up. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceScreenResponse, TraceResponse } from '../../../../src/contracts/doors/viewer.ts'
import type { ExecutionResult } from '../../../../src/contracts/executions/execution-result.ts'
import { LOOKS_KEPT } from '../../../../src/contracts/limits/limits.ts'
import { call, codeOf } from '../../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../../support/http/http-server.ts'

let lab: HttpLab
beforeAll(async () => {
  lab = await startHttpLab()
})
afterAll(() => lab.close())

const pathOf = (json: unknown): string => {
  const result = json as ExecutionResult
  const shot = result.ok ? result.envelope.stepResults.find(({ id }) => id === 'picture') : undefined
  return shot?.data.path ?? ''
}

test('keeps the newest pictures of looks, and every other screenshot', async () => {
  const deviceId = lab.serials[0]
  const other = await call(`${lab.url}/screenshot`, { body: { deviceId } })
  expect(other.status).toBe(200)
  let newest = ''
  for (let index = 0; index < LOOKS_KEPT + 2; index++) {
    const looked = await call(`${lab.url}/inspector/looks`, { body: { deviceId } })
    expect(looked.status).toBe(200)
    newest = pathOf(looked.json)
  }
  const left = readdirSync(dirname(newest))
  expect(left.length).toBe(LOOKS_KEPT)
  expect(left.map(name => `${dirname(newest)}/${name}`)).toContain(newest)
  expect(readdirSync(dirname(dirname(newest))).filter(name => name.endsWith('.png')).length).toBe(1)
  const { picture, snapshot } = (await call(`${lab.url}/inspector/devices/${deviceId}`)).json as DeviceScreenResponse
  expect([picture?.step, snapshot?.step]).toEqual(['picture', 'tree'])
})

test('a compact snapshot is no tree: the newest whole one stays the screen, and the trace draws none', async () => {
  const deviceId = lab.serials[0]
  const whole = await call(`${lab.url}/snapshot`, { body: { deviceId } })
  const compact = await call(`${lab.url}/snapshot`, { body: { deviceId, format: 'compact' } })
  const shown = (await call(`${lab.url}/inspector/devices/${deviceId}`)).json as DeviceScreenResponse
  expect(shown.snapshot?.executionId).toBe(whole.headers['svc-execution-id'])
  expect(shown.snapshot?.xml).toContain('<hierarchy')
  const { json } = await call(`${lab.url}/executions/${compact.headers['svc-execution-id']}/trace`)
  const step = (json as TraceResponse).trace.executions[0]?.timeline[0]
  expect(step?.screen).toBeUndefined()
  expect(step?.data).toMatchObject({ format: 'compact', text: expect.stringContaining('@') })
})

test('refuses a body that is not an object', async () => {
  expect(codeOf(await call(`${lab.url}/inspector/looks`, { body: [] }))).toBe('INVALID_BODY')
})
