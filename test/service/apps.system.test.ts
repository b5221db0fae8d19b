/** The applications of a device: the same answer over HTTP, on the command line and over MCP, on one host and in a fleet. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCliHere } from '../support/cli/cli-here.ts'
import { builtApk } from '../support/device/built-apk.ts'
import { payloadOf } from '../support/executions/lab.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { call } from '../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../support/mcp-client.ts'
import { needs } from '../support/needs.ts'

const SETTINGS = { applicationId: 'com.android.settings', kind: 'system', versionCode: expect.any(Number) }
const FRAME = {
  commandId: 'apps',
  taskId: 'apps',
  source: 'tests',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
}
type Listed = { apps: { applicationId: string; kind: string }[]; count: number }

describe('one host', () => {
  let lab: HttpLab
  let mcp: McpCaller
  const env = () => ({ HOME: lab.lab.home, SVC_TCP_DEVICES: lab.serials.join(','), PATH: '' })
  const cli = (...args: string[]) => runCliHere([...args, '--no-daemon'], { env: env() })
  const get = (rest: string) => call(`${lab.url}/devices/${encodeURIComponent(lab.serials[0] ?? '')}/apps${rest}`)
  beforeAll(async () => {
    lab = await startHttpLab()
    mcp = await connectHttp(lab.url, 'modern')
  })
  afterAll(async () => {
    await mcp.close()
    await lab.close()
  })

  test('lists them alike through every door', async () => {
    const { status, json } = await get('')
    const { ok, ...listed } = json as unknown as Listed & { ok: true }
    expect({ status, ok, count: listed.count }).toEqual({ status: 200, ok: true, count: listed.apps.length })
    expect(listed.apps).toContainEqual(SETTINGS)
    const printed = await cli('apps', 'list')
    expect({ code: printed.code, json: printed.json() }).toEqual({ code: 0, json: listed })
    expect((await mcp.call('apps')).structured).toEqual(listed)
  })

  test('lists one kind', async () => {
    const kinds = async (kind: string) => {
      const { json } = await get(`?kind=${kind}`)
      return (json as unknown as Listed).apps.map(app => app.kind)
    }
    expect(new Set(await kinds('system'))).toEqual(new Set(['system']))
    expect(new Set(await kinds('user'))).toEqual(new Set(['user']))
    const printed = await cli('apps', 'list', '--kind', 'user')
    expect(printed.json()).toEqual((await mcp.call('apps', { kind: 'user' })).structured)
  })

  test.each([
    ['HTTP', async () => (await get('?kind=all')).json],
    ['CLI', async () => ({ error: (await cli('apps', 'list', '--kind', 'all')).json() })],
  ])('refuses an unknown kind over %s', async (_, ask) => {
    expect(await ask()).toMatchObject({ error: { code: expect.stringMatching(/^(INVALID_QUERY|USAGE)$/) } })
  })

  test('describes one alike through every door', async () => {
    const { status, json } = await get('/com.android.settings')
    expect({ status, json }).toMatchObject({ status: 200, json: { ok: true, app: { ...SETTINGS, enabled: true } } })
    const { app } = json as unknown as { app: object }
    const printed = await cli('apps', 'info', 'com.android.settings')
    expect({ code: printed.code, json: printed.json() }).toEqual({ code: 0, json: { app } })
    expect((await mcp.call('apps', { app: 'com.android.settings' })).structured).toEqual({ app })
  })

  test.each([
    ['that is not installed', 'com.example.none'],
    ['that no package can have', "x'; reboot #"],
    ['that looks like an option', '--all'],
  ])('says by one code that there is no application %s', async (_, name) => {
    const { status, json } = await get(`/${encodeURIComponent(name)}`)
    expect({ status, json }).toMatchObject({
      status: 404,
      json: { error: { code: 'APP_NOT_FOUND', details: { applicationId: name } } },
    })
    const answered = await mcp.call('apps', { app: name })
    expect(answered).toMatchObject({ isError: true, structured: { code: 'APP_NOT_FOUND', dispatched: false } })
  })

  test('says on the command line what to do', async () => {
    const printed = await cli('apps', 'info', 'com.example.none')
    expect({ code: printed.code, json: printed.json() }).toMatchObject({
      code: 1,
      json: { code: 'APP_NOT_FOUND', hint: 'See `svc apps list` for those that it has.' },
    })
  })

  test('says by one code that a device is not there', async () => {
    const { status, json } = await call(`${lab.url}/devices/nobody/apps`)
    expect({ status, json }).toMatchObject({ status: 404, json: { error: { code: 'DEVICE_NOT_FOUND' } } })
    expect((await cli('apps', 'list', '--device', 'nobody')).json()).toMatchObject({ code: 'DEVICE_NOT_FOUND' })
  })

  test('clears one, with a receipt', async () => {
    const cleared = await cli('apps', 'clear', 'com.android.settings')
    const { executionId, envelope } = cleared.json() as { executionId: string; envelope: object }
    const data = { application_id: 'com.android.settings' }
    expect(envelope).toMatchObject({ status: 'success', stepResults: [{ actionType: 'clear_app', data }] })
    const shown = await cli('executions', 'show', executionId)
    expect(shown.json()).toMatchObject({ execution: { state: 'settled', dispatchedAt: expect.any(Number) } })
    expect((await mcp.call('app', { action: 'clear', app: 'com.android.settings' })).structured).toMatchObject({ data })
  })

  test('uninstalls nothing that came with the phone, and says why', async () => {
    const failed = await cli('apps', 'uninstall', 'com.android.settings', '--keep-data')
    const reason = 'DELETE_FAILED_INTERNAL_ERROR'
    expect({ code: failed.code, json: failed.json() }).toMatchObject({
      code: 1,
      json: { envelope: { errorCode: 'UNINSTALL_FAILED', stepResults: [{ success: false, data: { reason } }] } },
    })
    expect((await cli('apps', 'clear', 'com.example.none')).json()).toMatchObject({
      envelope: { errorCode: 'APP_NOT_FOUND' },
    })
  })

  test('installs one, with a receipt, and removes it again', async () => {
    const path = join(lab.lab.home, 'app.apk')
    writeFileSync(path, builtApk())
    const installed = await cli('apps', 'install', path)
    const { executionId, envelope } = installed.json() as { executionId: string; envelope: object }
    const data = { application_id: 'com.example.built', version_name: '1.2', version_code: '7', replaced: 'false' }
    expect(envelope).toMatchObject({ status: 'success', stepResults: [{ actionType: 'install_app', data }] })
    expect((await cli('executions', 'show', executionId)).json()).toMatchObject({ execution: { state: 'settled' } })
    const listed = (await get('?kind=user')).json as unknown as Listed
    expect(listed.apps).toContainEqual({ applicationId: 'com.example.built', kind: 'user', versionCode: 7 })
    expect((await cli('apps', 'uninstall', 'com.example.built')).code).toBe(0)
  })

  test('a path of the command line is one of its folder, wherever the daemon works', async () => {
    const planned = await cli('apps', 'install', 'app.apk', '--dry-run')
    expect(planned.json()).toMatchObject({
      plan: { timeoutMs: 120_000, actions: [{ params: { paths: [expect.stringMatching(/^\/.*\/app\.apk$/)] } }] },
    })
  })

  test('installs over HTTP from this machine, and for an agent from its folders alone', async () => {
    const path = join(lab.lab.home, 'base.apk')
    writeFileSync(path, builtApk({ splitRequired: true }))
    const action = { id: 'i', type: 'install_app', params: { paths: [path] } }
    const answered = await call(`${lab.url}/execute`, {
      method: 'POST',
      body: JSON.stringify({ execution: payloadOf([action]) }),
      headers: { 'content-type': 'application/json' },
    })
    expect(answered.json).toMatchObject({
      envelope: { errorCode: 'INSTALL_FAILED', stepResults: [{ data: { reason: 'INSTALL_FAILED_MISSING_SPLIT' } }] },
    })
    expect(await mcp.call('app', { action: 'install', paths: [path] })).toMatchObject({
      isError: true,
      structured: { code: 'FILE_REFUSED', dispatched: false },
    })
  })

  test('tells nothing for certain of an installation that is cancelled in the middle, and leaves nothing of it', async () => {
    const { phone } = lab.lab.fleet.devices[0] ?? {}
    const sessions = () => phone?.files.list('/data/app')?.filter(({ name }) => name.startsWith('vmdl')) ?? []
    const paths = [builtApk(), builtApk({ split: 'a', bytes: 60_000_000 })].map((bytes, at) => {
      const path = join(lab.lab.home, `cut-${at}.apk`)
      writeFileSync(path, bytes)
      return path
    })
    const execution = payloadOf([{ id: 'i', type: 'install_app', params: { paths } }], { commandId: 'cut' })
    const headers = { 'content-type': 'application/json' }
    const asked = call(`${lab.url}/execute`, { method: 'POST', body: JSON.stringify({ execution }), headers })
    // The first file is whole on the phone, and the second one on its way.
    await vi.waitFor(() => expect(sessions()).toHaveLength(1), { timeout: 10_000, interval: 1 })
    const { json } = await call(`${lab.url}/executions?commandId=cut`)
    const { executionId } = (json as unknown as { executions: { executionId: string }[] }).executions[0] ?? {}
    await call(`${lab.url}/executions/${executionId}`, { method: 'DELETE' })
    expect((await asked).json).toMatchObject({ error: { code: 'EXECUTION_CANCELLED', details: { dispatched: true } } })
    await vi.waitFor(() => expect(sessions()).toEqual([]), { timeout: 10_000, interval: 1 })
    expect(phone?.files.list('/data/local/tmp')).toEqual([])
    expect((await get('/com.example.built')).status).toBe(404)
  })

  test('does neither where the policy denies it', async () => {
    const file = join(lab.lab.home, 'policy.json')
    writeFileSync(file, JSON.stringify({ rules: [{ id: 'stays', effect: 'deny', actions: ['close_app'] }] }))
    for (const verb of ['uninstall', 'clear']) {
      const denied = await cli('apps', verb, 'com.android.settings', '--policy', file)
      expect(denied.json()).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'stays', dispatched: false } })
    }
  })

  const CAMERA_APP = 'com.android.camera2'
  const cameraState = async () => {
    const { json } = await get(`/${CAMERA_APP}`)
    const { permissions } = (json as unknown as { app: { permissions: { permission: string; state: string }[] } }).app
    return permissions.find(({ permission }) => permission === 'android.permission.CAMERA')?.state
  }

  test('sets a permission alike through every door', async () => {
    const allowed = await cli('apps', 'permission', CAMERA_APP, 'camera', 'allow')
    const data = { permission: 'camera', previous: 'unset' }
    expect(allowed.json()).toMatchObject({ envelope: { status: 'success', stepResults: [{ success: true, data }] } })
    expect(await cameraState()).toBe('allow')
    const denied = await mcp.call('app', { action: 'permission', app: CAMERA_APP, permission: 'camera', state: 'deny' })
    expect(denied).toMatchObject({ isError: false, structured: { data: { ...data, previous: 'allow' } } })
    expect(await cameraState()).toBe('deny')
    const params = { applicationId: CAMERA_APP, permission: 'camera', state: 'unset' }
    const execution = { ...FRAME, actions: [{ id: 'a', type: 'set_permission', params }] }
    const unset = await call(`${lab.url}/execute`, { body: { execution, deviceId: lab.serials[0] } })
    expect(unset.json).toMatchObject({ envelope: { stepResults: [{ data: { ...data, previous: 'deny' } }] } })
    expect(await cameraState()).toBe('unset')
  })

  test('opens one with permissions and arguments, alike on the command line and over MCP', async () => {
    const data = { application_id: CAMERA_APP }
    const flags = ['--stop-first', '--permission', 'camera=allow', '--argument', 'mode=video', '--argument', 'zoom=1.5']
    const opened = await cli('open', CAMERA_APP, ...flags)
    expect(opened.json()).toMatchObject({ envelope: { status: 'success', stepResults: [{ data }] } })
    expect(await cameraState()).toBe('allow')
    const cleared = await mcp.call('open', { target: CAMERA_APP, clearState: true, arguments: { id: 7 } })
    expect(cleared).toMatchObject({ isError: false, structured: { data } })
    expect(await cameraState()).toBe('unset')
    const refused = await mcp.call('open', { target: CAMERA_APP, activity: '.Absent' })
    expect(refused).toMatchObject({ isError: true, structured: { code: 'ACTIVITY_REFUSED' } })
  })

  test('sets no permission where the policy denies it, by whatever action', async () => {
    const file = join(lab.lab.home, 'policy.json')
    writeFileSync(file, JSON.stringify({ rules: [{ id: 'asks', effect: 'deny', actions: ['set_permission'] }] }))
    for (const words of [
      ['apps', 'permission', CAMERA_APP, 'camera', 'allow'],
      ['open', CAMERA_APP, '--permission', 'camera=allow'],
    ]) {
      const denied = await cli(...words, '--policy', file)
      expect(denied.json()).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'asks', dispatched: false } })
    }
    expect((await cli('open', CAMERA_APP, '--policy', file)).code).toBe(0)
  })

  test('reads as text', async () => {
    const listed = await cli('apps', 'list', '--kind', 'system', '--output', 'text')
    expect(listed.stdout).toMatch(/^APPLICATION +KIND +VERSION CODE\n/)
    expect(listed.stdout).toMatch(/com\.android\.settings +system +\d+\n/)
    const info = await cli('apps', 'info', 'com.android.settings', '--output', 'text')
    expect(info.stdout).toMatch(/^com\.android\.settings\n {2}Kind +system\n(?:.*\n)* {2}Version code +\d+\n/)
  })
})

describe.skipIf(!needs('nats-server'))('a fleet', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true })
  })
  afterAll(() => lab.close())

  test('answers for a device of another host', async () => {
    const deviceId = `${lab.host('lab2').serial(1)}@lab2`
    const path = `/devices/${encodeURIComponent(deviceId)}/apps`
    const { status, body } = await lab.host('lab1').get(path)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { ok: true, apps: expect.arrayContaining([SETTINGS]) },
    })
    const none = await lab.host('lab1').get(`${path}/com.example.none`)
    expect({ status: none.status, body: none.body }).toMatchObject({
      status: 404,
      body: { error: { code: 'APP_NOT_FOUND' } },
    })
    const env = { HOME: lab.host('lab1').home, SVC_FLEET: lab.nats.urls.join(','), PATH: '' }
    const printed = await runCliHere(['apps', 'info', 'com.android.settings', '--device', deviceId], { env })
    expect({ code: printed.code, json: printed.json() }).toMatchObject({ code: 0, json: { app: SETTINGS } })
  })
})
