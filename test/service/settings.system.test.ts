/** The settings of a device through every door, and a process that is killed while it changes one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCliHere } from '../support/cli/cli-here.ts'
import { startCli } from '../support/cli/run-cli.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { call } from '../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../support/mcp-client.ts'
import { needs } from '../support/needs.ts'

const FRESH = {
  orientation: 'portrait',
  dark_mode: false,
  animations: true,
  wifi: true,
  mobile_data: true,
  airplane_mode: false,
  stay_awake: false,
  font_scale: null,
  brightness: 102,
  locale: 'en-US',
  location: null,
  battery: { level: 87, plugged: 'usb' },
}

describe('one host', () => {
  let lab: HttpLab
  let mcp: McpCaller
  const env = () => ({ HOME: lab.lab.home, SVC_TCP_DEVICES: lab.serials[0] ?? '', PATH: '' })
  const cli = (...args: string[]) => runCliHere([...args, '--no-daemon'], { env: env() })
  const phone = () => lab.lab.fleet.devices[0]?.phone
  const get = () => call(`${lab.url}/devices/${encodeURIComponent(lab.serials[0] ?? '')}/settings`)
  beforeAll(async () => {
    lab = await startHttpLab()
    mcp = await connectHttp(lab.url, 'modern')
  })
  afterAll(async () => {
    await mcp.close()
    await lab.close()
  })

  test('reads them alike through every door', async () => {
    const { status, json } = await get()
    expect({ status, json }).toEqual({ status: 200, json: { ok: true, settings: FRESH } })
    expect((await cli('settings', 'get')).json()).toEqual({ settings: FRESH })
    const device = lab.serials[0]
    expect((await mcp.call('settings', { action: 'get', device })).structured).toEqual({ settings: FRESH })
    const none = await mcp.call('settings', { action: 'get', setting: 'nope', device })
    expect(none.text).toContain('there is no setting nope here')
    const one = await mcp.call('settings', { action: 'get', setting: 'brightness', device })
    expect(one).toMatchObject({ structured: { settings: { brightness: 102 } } })
    expect((await cli('settings', 'get', 'battery')).json()).toEqual({ settings: { battery: FRESH.battery } })
    expect((await cli('settings', 'get', '--output', 'text')).stdout).toMatch(/^dark_mode +off$/m)
  })

  test('one process changes them, and another one puts them back', async () => {
    const device = lab.serials[0]
    const changed = await mcp.call('settings', { action: 'set', setting: 'battery', value: '15,ac', device })
    expect(changed.structured).toMatchObject({
      data: { setting: 'battery', value: '{"level":15,"plugged":"ac"}', previous: 'null' },
    })
    const set = await cli('settings', 'set', 'location', '-33.8,151.2', '--output', 'text')
    expect(set.stdout).toContain('Set location to -33.8,151.2, which was not set')
    const { executionId } = (await cli('settings', 'set', 'dark_mode', 'on')).json<{ executionId: string }>()
    expect((await cli('executions', 'show', executionId)).json()).toMatchObject({
      execution: { state: 'settled', dispatchedAt: expect.any(Number) },
    })
    expect((await get()).json).toMatchObject({
      settings: { dark_mode: true, location: { latitude: -33.8, longitude: 151.2 }, battery: { level: 15 } },
    })
    const restored = await cli('device', 'restore', '--output', 'text')
    expect(restored.stdout).toContain('Put back 3 changes')
    expect((await get()).json).toEqual({ ok: true, settings: FRESH })
    const again = await mcp.call('settings', { action: 'restore', device })
    expect(again.structured).toMatchObject({ data: { restored: '0', left: '[]' } })
  })

  test.each([
    [['brightness', '300'], 'EXECUTION_VALIDATION_FAILED'],
    [['dark_mode', 'maybe'], 'EXECUTION_VALIDATION_FAILED'],
    [['location', '48.85'], 'EXECUTION_VALIDATION_FAILED'],
    [['locale', 'fr_FR'], 'EXECUTION_VALIDATION_FAILED'],
    [['wifi', 'off', '--app', 'com.example'], 'EXECUTION_VALIDATION_FAILED'],
    [['colour', 'red'], 'EXECUTION_VALIDATION_FAILED'],
    [['wifi'], 'USAGE'],
  ])('refuses %j', async (words, code) => {
    const refused = await cli('settings', 'set', ...words)
    expect({ code: refused.code === 0, json: refused.json() }).toMatchObject({ code: false, json: { code } })
  })

  test('says what it needs', async () => {
    expect((await cli('settings', 'get', 'colour')).json()).toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('dark_mode'),
    })
    const device = lab.serials[0]
    const refused = await mcp.call('settings', { action: 'set', setting: 'wifi', device })
    expect(refused).toMatchObject({ isError: true, structured: { code: 'USAGE', dispatched: false } })
    const none = await call(`${lab.url}/devices/nobody/settings`)
    expect(none).toMatchObject({ status: 404, json: { error: { code: 'DEVICE_NOT_FOUND' } } })
  })

  test('a refusal of the device is a failed step with its reason', async () => {
    const failed = await cli('settings', 'set', 'locale', 'fr-FR')
    expect({ code: failed.code, json: failed.json() }).toMatchObject({
      code: 1,
      json: {
        envelope: {
          errorCode: 'SETTING_REFUSED',
          stepResults: [{ success: false, data: { reason: 'application_required' } }],
        },
      },
    })
    await cli('device', 'restore')
  })

  test('a rule that denies a change denies to put it back', async () => {
    const file = join(lab.lab.home, 'policy.json')
    writeFileSync(file, JSON.stringify({ rules: [{ id: 'stays', effect: 'deny', actions: ['change_setting'] }] }))
    for (const words of [
      ['settings', 'set', 'wifi', 'off'],
      ['device', 'restore'],
    ]) {
      const denied = await cli(...words, '--policy', file)
      expect(denied.json()).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'stays', dispatched: false } })
    }
  })

  test('kill -9 between the first command of a change and its answer: the next process puts it back', async () => {
    const settings = phone()?.settings ?? new Map<string, string>()
    const before = new Map(settings)
    const put = settings.set.bind(settings)
    const running = startCli(['settings', 'set', 'animations', 'off'], { env: env() })
    settings.set = (key, value) => {
      if (key === 'global/window_animation_scale') running.child.kill('SIGKILL')
      return put(key, value)
    }
    expect((await running.ended).signal).toBe('SIGKILL')
    settings.set = put
    expect(settings.get('global/window_animation_scale')).toBe('0')

    const listed = (await cli('executions', 'list')).json<{ executions: object[] }>()
    expect(listed.executions[0]).toMatchObject({
      state: 'interrupted',
      result: { error: { details: { dispatched: true } } },
    })
    const restored = await cli('device', 'restore')
    expect(restored.json()).toMatchObject({ envelope: { stepResults: [{ data: { restored: '1', left: '[]' } }] } })
    expect(new Map(settings)).toEqual(before)
  })
})

describe.skipIf(!needs('nats-server'))('a fleet', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true })
  })
  afterAll(() => lab.close())

  test('answers for a device of another host, which puts back what it changed', async () => {
    const device = `${lab.host('lab2').serial(1)}@lab2`
    const path = `/devices/${encodeURIComponent(device)}/settings`
    const read = async () => (await lab.host('lab1').get(path)).body
    expect(await read()).toMatchObject({ ok: true, settings: FRESH })
    const env = { HOME: lab.host('lab1').home, SVC_FLEET: lab.nats.urls.join(','), PATH: '' }
    const cli = (...args: string[]) => runCliHere([...args, '--device', device], { env })
    expect((await cli('settings', 'set', 'font_scale', '1.3')).code).toBe(0)
    expect(await read()).toMatchObject({ settings: { font_scale: 1.3 } })
    expect((await cli('device', 'restore')).json()).toMatchObject({
      envelope: { stepResults: [{ data: { restored: '1' } }] },
    })
    expect(await read()).toMatchObject({ settings: FRESH })
  })
})
