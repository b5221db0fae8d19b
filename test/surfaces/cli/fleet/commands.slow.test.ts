/** With SVC_FLEET, a command does on the phone of another machine what it does on one of its own, and prints the same. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { startLab } from '../../../support/executions/lab.ts'
import { type FleetLab, startFleetLab } from '../../../support/fleet/fleet-lab.ts'
import { needs } from '../../../support/needs.ts'
import { until } from '../../../support/until.ts'
import { type Client, createClient, type Executions, type Failed, type Ran } from './client.ts'

const WAIT = ['wait', '--text', 'No such row', '--timeout', '60000']
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

const payload = (actions: readonly object[]) =>
  JSON.stringify({
    commandId: 'c1',
    taskId: 't1',
    source: 'test',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 20_000,
    actions,
  })

describe.skipIf(!needs('nats-server'))('commands in a fleet', () => {
  let lab: FleetLab
  let desk: Client
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true, hosts: ['lab1', 'lab2'], flags: ['--fleet-label', 'tag=shelf'] })
    desk = createClient(lab)
  }, 120_000)
  afterAll(async () => {
    desk?.remove()
    await lab?.close()
  })
  const phone = (host: string) => `${lab.host(host).serial(host === 'lab1' ? 0 : 1)}@${host}`
  const executionsAt = (index: number) => lab.fleet.devices[index]?.phone.executions().length ?? 0

  describe('print what they print on a phone of this machine', () => {
    let here: Awaited<ReturnType<typeof startLab>>
    beforeAll(async () => {
      here = await startLab()
    })
    afterAll(() => here?.close())

    /** Without what differs from call to call and from phone to phone. */
    const plain = (text: string): unknown => {
      const { host: _, deviceId, ...rest } = JSON.parse(text) as Partial<Ran>
      const words = JSON.stringify(rest)
        .replace(/127\.0\.0\.1:\d+(@\w+)?/g, 'DEVICE')
        .replace(/cli-([\w-]+)-\d+/g, '$1')
      return { isNamed: deviceId !== undefined, words: words.replace(/"(screen|executionId)":"[^"]*"/g, '"$1"') }
    }

    test.each<[string[]]>([
      [['snapshot']],
      [['snapshot', '--compact', '--output', 'pretty']],
      [['open', 'com.android.settings']],
      [['read', '--text', 'Battery']],
      [['click', '--text', 'No such row']],
      [['click', '--text', 'Battery', '--observe']],
      [['press', 'nokey']],
      [['exec', '{}']],
      [['exec', payload([{ id: 'a', type: 'close_app', params: { app: 'com.android.settings' } }])]],
      [['exec', payload([{ id: 'a', type: 'click', params: { matcher: { textEquals: 'x' }, clickType: 'odd' } }])]],
      [['exec', payload([{ id: 'a', type: 'shoot' }])]],
      [['snapshot', '--operator-package', 'svc.shell']],
      [['snapshot', '--since', 'no-such-execution']],
      [['snapshot', '--compact', '--full']],
      [['screenshot', '--path', '/nowhere/a.png']],
    ])('svc %j', async args => {
      const [serial = ''] = here.fleet.devices.map(device => device.serial)
      const local = await runCliHere([...args, '--device', serial], {
        // Through no daemon and no fleet.
        env: { HOME: here.home, SVC_TCP_DEVICES: serial },
        cwd: here.home,
      })
      const remote = await desk.svc([...args, '--device', phone('lab2')])
      expect(remote.code).toBe(local.code)
      if (args[0] !== 'screenshot') expect(plain(remote.stdout)).toEqual(plain(local.stdout))
      expect(remote.stderr).toBe('')
    })
  })

  test('a device may be named by its serial, with its host, or by its labels; the answer says which it was', async () => {
    for (const device of [phone('lab2'), phone('lab2').split('@')[0] ?? '', 'any:host=lab2,tag=shelf']) {
      const { code, json } = await desk.svc(['back', '--device', device])
      expect(code).toBe(0)
      expect(json<Ran>()).toMatchObject({ host: 'lab2', deviceId: lab.host('lab2').serial(1) })
    }
    expect((await desk.svc(['back', '--device', 'any:tag=none'])).json<Failed>().code).toBe('NO_DEVICES')
  })

  test('the host of this machine is asked first, whoever owns the phone', async () => {
    const asLab2 = createClient(lab, 'lab2')
    expect((await desk.svc(['fleet', 'status'])).json<{ host: string }>().host).toBe('lab1')
    expect((await asLab2.svc(['fleet', 'status'])).json<{ host: string }>().host).toBe('lab2')
    expect((await asLab2.svc(['back', '--device', phone('lab1')])).json<Ran>().host).toBe('lab1')
    asLab2.remove()
  })

  describe('pictures', () => {
    const kept = (home: string) => {
      const folder = join(home, '.svc', 'screenshots')
      return existsSync(folder) ? readdirSync(folder) : []
    }

    test('are written where the command was called', async () => {
      const { code, json } = await desk.svc(['screenshot', 'shot.png', '--device', phone('lab2')])
      expect(code).toBe(0)
      const file = join(desk.home, 'shot.png')
      expect(json<Ran>().envelope.stepResults[0]?.data).toEqual({ path: file })
      expect(readFileSync(file).subarray(0, 4)).toEqual(PNG)
      // The host that passed the request on did not fetch it as well.
      expect(kept(lab.host('lab1').home)).toEqual([])
    })

    test('get a file of their own without a path, whichever way an action is written', async () => {
      const actions = [
        { id: 'own', type: 'screenshot' },
        { id: 'named', type: 'capture_screenshot', params: { file: 'named.png' } },
      ]
      const { code, json } = await desk.svc(['exec', payload(actions), '--device', 'any:host=lab2'])
      expect(code).toBe(0)
      const [own, named] = json<Ran>().envelope.stepResults.map(({ data }) => data.path ?? '')
      expect(own).toContain(join(desk.home, '.svc', 'screenshots'))
      expect(named).toBe(join(desk.home, 'named.png'))
      for (const file of [own ?? '', named ?? '']) expect(readFileSync(file).subarray(0, 4)).toEqual(PNG)
      expect(kept(lab.host('lab1').home)).toEqual([])
    })

    test('are refused before anything is sent where they cannot be written', async () => {
      const before = executionsAt(1)
      writeFileSync(join(desk.home, 'notes.txt'), 'notes')
      const { code, json } = await desk.svc(['screenshot', 'notes.txt', '--device', phone('lab2')])
      expect(code).toBe(1)
      expect(json<Failed>().code).toBe('EXECUTION_VALIDATION_FAILED')
      expect(json<Failed>().message).toContain('is not an image')
      expect(executionsAt(1)).toBe(before)
    })

    test('that cannot be written any more fail their step', async () => {
      const file = join(desk.home, 'late.png')
      const actions = [
        { id: 'shot', type: 'take_screenshot', params: { path: file } },
        { id: 'nap', type: 'sleep', params: { durationMs: 3_000 } },
      ]
      const taking = desk.start(['exec', payload(actions), '--device', phone('lab2'), '--verbose'])
      await until(() => taking.stderr().includes('was dispatched'), 'the execution to be dispatched')
      writeFileSync(file, 'something else')
      const { code, json } = await taking.ended
      expect(code).toBe(1)
      expect(json<Ran>().envelope).toMatchObject({
        status: 'failed',
        errorCode: 'EVIDENCE_CAPTURE_FAILED',
        error: { code: 'EVIDENCE_CAPTURE_FAILED', details: { host: 'lab2', actionId: 'shot' } },
        stepResults: [
          { id: 'shot', success: false },
          { id: 'nap', success: true },
        ],
      })
    })
  })

  test('devices of all hosts are listed with their hosts and labels', async () => {
    const { devices } = (await desk.svc(['devices'])).json<{
      devices: { serial: string; host: string; state: string; labels: Record<string, string> }[]
    }>()
    expect(devices.map(({ serial, host }) => `${serial}@${host}`).sort()).toEqual([phone('lab1'), phone('lab2')].sort())
    for (const { state, labels } of devices) {
      expect(state).toBe('device')
      expect(labels).toMatchObject({ tag: 'shelf', api: expect.any(String) })
    }
  })

  test('executions of all hosts are listed, shown, cancelled and resumed', async () => {
    expect((await desk.svc(['back', '--device', phone('lab1')])).json<Ran>().host).toBe('lab1')
    expect((await desk.svc(['click', '--text', 'No such row', '--device', phone('lab2')])).json<Ran>().host).toBe(
      'lab2',
    )
    const { executions, count } = (await desk.svc(['executions', 'list', '--limit', '2'])).json<Executions>()
    expect(count).toBe(2)
    expect(executions.map(({ host }) => host)).toEqual(['lab2', 'lab1'])
    const mine = (await desk.svc(['executions', 'list', '--device', phone('lab1')])).json<Executions>()
    expect(new Set(mine.executions.map(({ host }) => host))).toEqual(new Set(['lab1']))

    const failed = executions[0]?.executionId ?? ''
    expect((await desk.svc(['executions', 'show', failed])).json()).toMatchObject({
      execution: { executionId: failed, host: 'lab2', state: 'settled' },
    })
    const resumed = await desk.svc(['executions', 'resume', failed])
    expect(resumed.code).toBe(1)
    expect(resumed.json<Ran>()).toMatchObject({ envelope: { status: 'failed' }, host: 'lab2' })
    expect((await desk.svc(['executions', 'resume', failed])).json<Failed>().code).toBe('RESUME_REFUSED')

    const waiting = desk.start([...WAIT, '--device', phone('lab2'), '--verbose'])
    // The host of the phone is asked itself, and tells what becomes of it.
    await until(() => waiting.stderr().includes('was dispatched'), 'the wait to be dispatched')
    const [, id = ''] = /execution (\S+) was dispatched/.exec(waiting.stderr()) ?? []
    const cancelled = await desk.svc(['executions', 'cancel', id])
    expect(cancelled.code).toBe(0)
    expect(cancelled.json()).toMatchObject({ execution: { executionId: id, state: 'settled' } })
    const details = { executionId: id, dispatched: true, host: 'lab2' }
    expect((await waiting.ended).json<Failed>()).toMatchObject({ code: 'EXECUTION_CANCELLED', details })
    const unknown = await desk.svc(['executions', 'show', '01890000-0000-7000-8000-000000000000'])
    expect(unknown.json<Failed>().code).toBe('EXECUTION_NOT_FOUND')
  })

  test('Ctrl-C cancels the execution at its host, and says that it was dispatched', async () => {
    const waiting = desk.start([...WAIT, '--device', phone('lab1'), '--verbose'])
    await until(() => waiting.stderr().includes('was dispatched'), 'the wait to be dispatched')
    waiting.child.kill('SIGINT')
    const { code, json } = await waiting.ended
    expect(code).toBe(130)
    const failed = json<Failed>()
    expect(failed).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: true, host: 'lab1' } })
    const { executionId } = failed.details ?? {}
    expect((await desk.svc(['executions', 'show', String(executionId)])).json()).toMatchObject({
      execution: { host: 'lab1', state: 'settled', result: { error: { code: 'EXECUTION_CANCELLED' } } },
    })
  })

  test('--dry-run and --validate-only ask nobody', async () => {
    const env = { SVC_FLEET: 'nats://127.0.0.1:1' }
    const { code, json } = await desk.svc(['click', '--text', 'x', '--device', 'any:a=b', '--dry-run'], env)
    expect(code).toBe(0)
    expect(json()).toMatchObject({ ok: true, dryRun: true })
  })
})
