/** `svc daemon` and the commands that go through it, as their users meet them. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DaemonResponse } from '../../../../src/contracts/daemon.ts'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { BODY_BYTES } from '../../../../src/contracts/limits/limits.ts'
import { type SvcLab, startSvcLab } from '../../../support/cli/svc-lab.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { call } from '../../../support/http/http-client.ts'
import { until } from '../../../support/until.ts'

let lab: SvcLab
beforeAll(async () => {
  lab = await startSvcLab()
})
afterAll(() => lab.close())

const get = async (path: string) => {
  const { json, headers, status } = await call(`http://localhost${path}`, { socketPath: lab.paths().socket })
  return { status, headers, json: json as Record<string, unknown> }
}
const report = async (...args: string[]) => {
  const ended = await lab.svc(['daemon', ...args])
  return { code: ended.code, ...v.parse(DaemonResponse, ended.json()) }
}

describe('before there is a daemon', () => {
  test.each([
    ['--no-daemon', ['snapshot', '--no-daemon'], {}],
    ['SVC_NO_DAEMON=1', ['snapshot'], { SVC_NO_DAEMON: '1' }],
    ['a relative screenshot path', ['screenshot', 'here.png'], {}],
    ['--dry-run', ['click', '--text', 'x', '--dry-run'], {}],
    ['--validate-only', ['exec', '--validate-only', JSON.stringify(payloadOf([{ id: 's', type: 'snapshot' }]))], {}],
  ])('%s: none is started, and nothing is said about it', async (_, args, env) => {
    const ended = await lab.svc(args, { env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(lab.paths().directory)).toBe(false)
  })

  test('the picture with a relative path is where the caller is', () => {
    expect(statSync(join(lab.home, 'here.png')).size).toBeGreaterThan(0)
  })

  test('stop and status find none, and make nothing', async () => {
    const none = { code: 0, ok: true, daemon: { status: 'not_running', socketPath: lab.paths().socket } }
    expect(await report('status')).toEqual(none)
    expect(await report('stop')).toEqual(none)
    expect(existsSync(lab.paths().directory)).toBe(false)
  })
})

describe('with a daemon', () => {
  test('a command starts it, and the next ones use it', async () => {
    for (const args of [['snapshot'], ['open', 'com.android.settings'], ['click', '--text', 'Wi-Fi']]) {
      const ended = await lab.svc(args)
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(ended.json()).toEqual({
        envelope: expect.any(Object),
        deviceId: expect.any(String),
        terminalSource: 'svc_result',
        isCanonicalTerminal: true,
        executionId: expect.any(String),
        operatorPackage: 'com.svc.operator',
      })
    }
    expect(lab.daemons()).toEqual([lab.metadata()?.pid])
  })

  test('status tells of it', async () => {
    const { daemon } = await report('status')
    expect(daemon).toMatchObject({ status: 'running', pid: lab.daemons()[0], version: '0.1.0' })
    expect(daemon).toMatchObject({ buildIdentity: (await get('/version')).json.buildIdentity })
    expect(Object.keys(daemon)).toEqual(['status', 'socketPath', 'pid', 'version', 'buildIdentity', 'uptimeSeconds'])
    expect(await report('start')).toMatchObject({ daemon: { status: 'already_running' } })
  })

  test('its files are for this user alone, and its answers carry its instance', async () => {
    const { directory, socket, metadata, log } = lab.paths()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const file of [socket, metadata, log]) expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const path of ['/ping', '/version', '/nowhere']) {
      expect((await get(path)).headers['svc-instance']).toBe(lab.metadata()?.instanceId)
    }
    expect((await get('/ping')).json).toEqual({ ok: true })
  })

  test('an invalid payload is refused in the same words', async () => {
    for (const payload of [
      '{}',
      '{"commandId": 1}',
      JSON.stringify(payloadOf([{ id: 'a', type: 'tap' }])),
      '[1]',
      'null',
    ]) {
      const ends = await Promise.all([
        lab.svc(['exec', '-'], { input: payload }),
        lab.svc(['exec', '-', '--no-daemon'], { input: payload }),
      ])
      expect(ends[0]).toMatchObject({ code: 1, stderr: '' })
      expect(ends[0]?.json()).toEqual(ends[1]?.json())
    }
  })

  test('a payload over its limit is refused in the same words', async () => {
    const inputOf = (bytes: number) =>
      JSON.stringify(payloadOf([{ id: 'a', type: 'enter_text', params: { text: 'x'.repeat(bytes) } }]))
    const frame = Buffer.byteLength(inputOf(0))
    for (const bytes of [BODY_BYTES - frame + 1, 200_000]) {
      const input = inputOf(bytes)
      const ended = await lab.svc(['exec', '-'], { input })
      expect(ended.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
      expect(ended.json()).toEqual((await lab.svc(['exec', '-', '--no-daemon'], { input })).json())
    }
  })

  test('the operator package of the caller is the one that counts', async () => {
    const absent = (package_: string) => ({
      code: 'OPERATOR_NOT_INSTALLED',
      message: expect.stringContaining(package_),
    })
    expect((await lab.svc(['back', '--operator-package', 'com.one'])).json()).toMatchObject(absent('com.one'))
    const env = { SVC_OPERATOR_PACKAGE: 'com.two' }
    expect((await lab.svc(['back'], { env })).json()).toMatchObject(absent('com.two'))
    expect((await lab.svc(['back'], { env: { SVC_OPERATOR_PACKAGE: ' ' } })).code).toBe(0)
    expect((await lab.svc(['back', '--operator-package', 'svc.shell'], { env })).code).toBe(0)
  })

  test('a screenshot goes where an absolute path leads', async () => {
    const path = join(lab.home, 'there.png')
    const ended = await lab.svc(['screenshot', path])
    expect(ended.json()).toMatchObject({ envelope: { stepResults: [{ data: { path } }] } })
    expect(statSync(path).size).toBeGreaterThan(0)
  })

  test('its actors are the devices and itself, and watch sees what it does', async () => {
    const serial = lab.fleet.devices[0]?.serial ?? ''
    const { actors } = (await get('/actors')).json as { actors: { id: string; state: string }[] }
    expect(actors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: `device:${serial}`, state: 'idle' }),
        expect.objectContaining({ id: 'daemon:default', machine: 'daemon', state: 'running' }),
      ]),
    )
    const watching = lab.start(['watch', `device:${serial}`, '--json'])
    const lines = () =>
      watching
        .stdout()
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line))
    const restless = setInterval(() => void lab.svc(['back']), 700)
    await until(() => lines().some(({ event }) => event === 'execution.settled'), 'a transition')
    clearInterval(restless)
    watching.child.kill('SIGTERM')
    await watching.ended
  })

  test('what it ran is in the receipts of everybody', async () => {
    const ended = await lab.svc(['sleep', '1'])
    const { commandId } = ended.json<{ envelope: { commandId: string } }>().envelope
    expect((await lab.svc(['executions', 'list', '--command', commandId])).json()).toMatchObject({
      count: 1,
      executions: [{ commandId, state: 'settled' }],
    })
  })

  test('--verbose shows what the daemon does, as it happens', async () => {
    const running = lab.start(['sleep', '1500', '--verbose'])
    await until(() => running.stderr().includes('execution.dispatched'), 'the dispatch to be shown')
    expect(running.child.exitCode).toBeNull()
    const { stderr } = await running.ended
    expect(stderr.match(/execution\.\w+/g)).toEqual([
      'execution.requested',
      'execution.dispatched',
      'execution.settled',
    ])
  })

  test('it cancels what it runs when another process asks for it', async () => {
    const running = lab.start(['sleep', '6000'])
    const newest = async () =>
      (await lab.svc(['executions', 'list', '--limit', '1'])).json<{ executions: Receipt[] }>().executions[0]
    let receipt = await newest()
    for (let look = 0; look < 50 && receipt?.state !== 'dispatched'; look++) receipt = await newest()
    const { executionId = '' } = receipt ?? {}
    const cancelled = await lab.svc(['executions', 'cancel', executionId])
    const error = { code: 'EXECUTION_CANCELLED' }
    expect(cancelled).toMatchObject({ code: 0 })
    expect(cancelled.json()).toMatchObject({ execution: { executionId, state: 'settled', result: { error } } })
    expect((await running.ended).json()).toMatchObject({ ...error, details: { executionId } })
    // The device is still at it.
    expect((await lab.svc(['back'])).json()).toMatchObject({ code: DEVICE_CONFLICT })
    expect((await lab.svc(['executions', 'cancel', executionId])).json()).toEqual(cancelled.json())
    await until(
      () => lab.fleet.devices[0]?.phone.executions().at(-1)?.finishedAt !== undefined,
      'the device to be done',
    )
    let after = await lab.svc(['back'])
    for (let look = 0; look < 20 && after.code !== 0; look++) after = await lab.svc(['back'])
    expect(after.code).toBe(0)
  })

  test('doctor sees it', async () => {
    const { checks } = (await lab.svc(['doctor'])).json<{ checks: { name: string }[] }>()
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'daemon', status: 'ok', details: { pid: lab.daemons()[0] } }),
    )
  })

  test('a device of its own has a daemon of its own', async () => {
    const serial = lab.fleet.devices[0]?.serial ?? ''
    expect((await lab.svc(['back', '--device', serial])).code).toBe(0)
    expect(lab.metadata(serial)).toMatchObject({ rawDeviceId: serial })
    expect(lab.metadata(serial)?.daemonKey).toBe(`id-${Buffer.from(serial).toString('base64url')}`)
    expect(await report('stop', '--device', serial)).toMatchObject({ daemon: { status: 'stopped' } })
  })

  test('with other devices in reach it is left alone, and the command says so', async () => {
    const ended = await lab.svc(['snapshot'], { env: { SVC_LEASE_BY: 'adb-serial' } })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(
      /^Running without the daemon: the daemon was started with other values of SVC_LEASE_BY; .*svc daemon restart\.\n/,
    )
    const { checks } = (await lab.svc(['doctor'], { env: { SVC_LEASE_BY: 'adb-serial' } })).json<{ checks: object[] }>()
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'daemon',
        status: 'warning',
        message: expect.stringContaining('other values of SVC_LEASE_BY'),
        hint: 'To give it your values: svc daemon restart',
      }),
    )
    expect(lab.daemons()).toHaveLength(1)
  })

  test('restart is another process, and stop leaves nothing but the log', async () => {
    const before = lab.metadata()?.pid
    expect(await report('restart')).toMatchObject({ daemon: { status: 'started' } })
    expect(lab.metadata()?.pid).not.toBe(before)
    expect(await report('stop')).toEqual({
      code: 0,
      ok: true,
      daemon: { status: 'stopped', socketPath: lab.paths().socket },
    })
    expect(readdirSync(lab.paths().directory).filter(name => name.startsWith('daemon-default'))).toEqual([
      'daemon-default.log',
    ])
    expect(await report('status')).toMatchObject({ daemon: { status: 'not_running' } })
  })
})
