/** The log and the notifications of a device: over HTTP, on the command line and over MCP, on one host and in a fleet. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogLine } from '../../src/contracts/device/logs.ts'
import { LOG_READERS } from '../../src/contracts/limits/log-limits.ts'
import type { SimulatedPhone } from '../../src/simulator/device.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { DEVICE_CONFLICT } from '../support/failure-codes.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { call, codeOf, readEvents } from '../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../support/mcp-client.ts'
import { needs } from '../support/needs.ts'
import { scenarioOf } from '../support/simulator/simulated-ui.ts'
import { until } from '../support/until.ts'

const APP = 'com.example'
const button = (text: string, onTap: object) => ({ class: 'Button', text, onTap })
const SCENARIO = scenarioOf({
  front: APP,
  apps: [
    {
      package: APP,
      label: 'Example',
      notifications: [{ id: 4, title: 'Second', text: 'with (brackets)', ongoing: true }],
      screens: {
        main: {
          activity: '.Main',
          nodes: [
            { text: 'Ready' },
            button('Die', { crash: { exception: 'a.Boom', message: 'no luck' } }),
            button('Hang', { anr: { reason: 'waits for a lock' } }),
            button('Stay', { nothing: true }),
          ],
        },
      },
    },
  ],
})

const phoneOf = ({ lab }: HttpLab): SimulatedPhone => {
  const phone = lab.fleet.devices[0]?.phone
  if (!phone) throw new Error('no phone')
  return phone
}

describe('one host', () => {
  let lab: HttpLab
  let mcp: McpCaller
  const env = () => ({ HOME: lab.lab.home, SVC_TCP_DEVICES: lab.serials.join(','), PATH: '' })
  const cli = (...args: string[]) => runCliHere([...args, '--no-daemon'], { env: env() })
  const path = () => `${lab.url}/devices/${encodeURIComponent(lab.serials[0] ?? '')}`
  const say = (message: string, tag = 'Mine') => {
    const phone = phoneOf(lab)
    phone.log.write('W', tag, message, { pid: phone.pidOf?.(APP) ?? 1, uid: phone.appFacts?.(APP)?.uid ?? 1 })
  }
  const messagesIn = (events: readonly { event: string; data: unknown }[]) =>
    events.flatMap(({ event, data }) => (event === 'svc:log' ? [(data as LogLine).message] : []))
  beforeAll(async () => {
    lab = await startHttpLab({ scenario: SCENARIO })
    mcp = await connectHttp(lab.url, 'modern')
  })
  afterAll(async () => {
    await mcp.close()
    await lab.close()
  })

  test('a stream begins with what is new, and goes on after its last line', async () => {
    say('before')
    const first = await readEvents(`${path()}/logs?app=${APP}`)
    expect(first.status).toBe(200)
    say('one')
    say('two\nlines')
    const events = await first.have(2)
    expect(messagesIn(events).slice(-2)).toEqual(['one', 'two\nlines'])
    first.close()
    say('three')
    const second = await readEvents(`${path()}/logs?app=${APP}`, { 'Last-Event-ID': events.at(-2)?.id ?? '' })
    expect(messagesIn(await second.have(2))).toEqual(['two\nlines', 'three'])
    second.close()
  })

  test('the command prints the last lines alone, at levels that are called as logcat calls them', async () => {
    say('first of three')
    say('second of three')
    say('third of three')
    const { stdout } = await cli('logs', '--app', APP, '--level', 'warning', '--limit', '2')
    const lines = stdout.trim().split('\n')
    expect(lines.map(line => JSON.parse(line).message)).toEqual(['second of three', 'third of three'])
    const refused = await cli('logs', '--limit', '0')
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'USAGE' })
  })

  test('a reader that stalls holds up no other one', async () => {
    const stalled = await readEvents(`${path()}/logs?app=${APP}`)
    stalled.stall()
    const other = await readEvents(`${path()}/logs?app=${APP}&level=warn`)
    for (let at = 0; at < 200; at++) say(`${at} ${'x'.repeat(2_000)}`)
    await until(() => messagesIn(other.events).at(-1)?.startsWith('199 ') ?? false, 'the last line')
    other.close()
    stalled.close()
  })

  test('a reader that leaves ends its logcat on the device', async () => {
    const { log } = phoneOf(lab)
    let followers = 0
    const follow = log.follow.bind(log)
    const counted: typeof follow = onEntry => {
      followers += 1
      const follower = follow(onEntry)
      return {
        close() {
          followers -= 1
          follower.close()
        },
      }
    }
    Object.assign(log, { follow: counted })
    const reader = await readEvents(`${path()}/logs`)
    await until(() => followers === 1, 'a logcat')
    reader.close()
    await until(() => followers === 0, 'no logcat')
    Object.assign(log, { follow })
  })

  test('a reader too many is refused, until another one goes', async () => {
    const readers = await Promise.all(Array.from({ length: LOG_READERS.perDevice }, () => readEvents(`${path()}/logs`)))
    const { status, json } = await call(`${path()}/logs`)
    expect({ status, json }).toMatchObject({
      status: 423,
      json: { error: { code: DEVICE_CONFLICT, hint: expect.stringContaining('/logs/lines') } },
    })
    for (const reader of readers) reader.close()
    await until(async () => {
      const next = await readEvents(`${path()}/logs`)
      next.close()
      return next.status === 200
    }, 'a place')
  })

  test.each([
    ['level=loud', 'INVALID_QUERY'],
    ['since=yesterday', 'INVALID_QUERY'],
    ['app=x;y', 'INVALID_QUERY'],
    ['app=com.example.none', 'APP_NOT_FOUND'],
    ['tail=3', 'INVALID_QUERY'],
  ])('refuses ?%s', async (query, code) => {
    expect(codeOf(await call(`${path()}/logs?${query}`))).toBe(code)
  })

  test('refuses an id that is none of the log', async () => {
    expect(codeOf(await call(`${path()}/logs`, { headers: { 'Last-Event-ID': '17' } }))).toBe('INVALID_QUERY')
  })

  test('says the same on the command line and over MCP', async () => {
    say('for all doors', 'Doors')
    const { json } = await call(`${path()}/logs/lines?app=${APP}&limit=1`)
    const { lines, more } = json as unknown as { lines: (LogLine & { position: string })[]; more: boolean }
    expect({ more, lines }).toMatchObject({ more: true, lines: [{ message: 'for all doors', applicationId: APP }] })
    const printed = await cli('logs', '--app', APP)
    const last = JSON.parse(printed.stdout.trimEnd().split('\n').at(-1) ?? '')
    const { position: _, ...line } = lines[0] ?? { position: '' }
    expect({ code: printed.code, last }).toEqual({ code: 0, last: line })
    const told = await mcp.call('logs', { app: APP, limit: 1 })
    expect(told.text).toMatch(/\n\d\d:\d\d:\d\d\.\d{3} W Doors: for all doors$/)
    const text = await cli('logs', '--app', APP, '--output', 'text')
    expect(text.stdout).toMatch(/ W Doors \(com\.example\): for all doors\n$/)
  })

  test.each([
    [['--level', 'loud'], /--level must be one of/],
    [['--since', 'soon'], /--since must be a time ago/],
  ])('refuses %j on the command line', async (flags, message) => {
    const refused = await cli('logs', ...flags)
    expect({ code: refused.code, json: refused.json() }).toMatchObject({
      code: 1,
      json: { code: 'USAGE', message: expect.stringMatching(message) },
    })
  })

  test('tells the notifications alike', async () => {
    const { json } = await call(`${path()}/notifications`)
    const { ok, ...listed } = json as unknown as { ok: true; notifications: object[]; count: number }
    expect(listed).toMatchObject({
      count: 1,
      notifications: [{ applicationId: APP, id: 4, title: 'Second', text: 'with (brackets)', ongoing: true }],
    })
    expect((await cli('notifications')).json()).toEqual(listed)
    expect((await cli('notifications', '--output', 'text')).stdout).toMatch(
      /^Second\n {2}com\.example, .*, ongoing\n {2}with \(brackets\)\n1 notification\n$/,
    )
  })

  describe.each(['com.svc.operator', 'svc.shell'])('a step that fails with %s', operatorPackage => {
    const failing = async (label: string) => {
      const actions = [
        { id: 'open', type: 'open_app', params: { applicationId: APP } },
        { id: 'tap', type: 'click', params: { matcher: { textEquals: label } } },
        { id: 'wait', type: 'wait_for_node', params: { matcher: { textEquals: 'Never' }, timeoutMs: 300 } },
      ]
      const { result, executionId = '' } = await lab.lab.execute(actions, { operatorPackage })
      const envelope = result.ok ? result.envelope : undefined
      return { error: envelope?.error, receipt: lab.deps.journal().receipt(executionId)?.result }
    }

    test('says that the application crashed', async () => {
      const { error, receipt } = await failing('Die')
      expect(receipt).toMatchObject({ envelope: { error: { details: { crash: { kind: 'crash' } } } } })
      expect(error?.details).toMatchObject({
        crash: {
          kind: 'crash',
          applicationId: APP,
          exception: 'a.Boom',
          message: 'no luck',
          stackTop: expect.arrayContaining(['com.example.Main.onClick(Main.java:42)']),
        },
      })
      expect(error?.hint).toMatch(/^com\.example crashed \(a\.Boom: no luck\)\. /)
    })

    test('says that the application did not respond', async () => {
      const { error } = await failing('Hang')
      expect(error?.details).toMatchObject({
        crash: { kind: 'anr', applicationId: APP, reason: 'waits for a lock' },
      })
      await lab.lab.execute([{ id: 'wait', type: 'click', params: { matcher: { textEquals: 'Wait' } } }])
    })
  })
})

describe.skipIf(!needs('nats-server'))('a fleet', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true })
  })
  afterAll(() => lab.close())

  test('follows the log of a device of another host, and tells its notifications', async () => {
    const device = lab.host('lab2').serial(1)
    const path = `/devices/${encodeURIComponent(`${device}@lab2`)}`
    const read = await lab.host('lab1').get(`${path}/logs/lines`)
    expect({ status: read.status, body: read.body }).toMatchObject({ status: 200, body: { ok: true } })
    expect((await lab.host('lab1').get(`${path}/notifications`)).body).toMatchObject({ ok: true, count: 0 })
    const reader = await readEvents(`${lab.host('lab1').url()}${path}/logs?since=boot`)
    const [first] = await reader.have(1)
    expect(first).toMatchObject({ event: 'svc:log', data: { tag: 'SvcSim' } })
    reader.close()
    const env = { HOME: lab.host('lab1').home, SVC_FLEET: lab.nats.urls.join(','), PATH: '' }
    const printed = await runCliHere(['logs', '--device', `${device}@lab2`], { env })
    expect({ code: printed.code, tag: JSON.parse(printed.stdout.split('\n', 1)[0] ?? '').tag }).toEqual({
      code: 0,
      tag: 'SvcSim',
    })
  })
})
