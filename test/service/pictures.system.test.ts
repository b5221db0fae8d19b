/** In a fleet, each picture reaches its own file and can be fetched from any host, whatever the ids of the steps are. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import type { Ran } from '../surfaces/cli/fleet/client.ts'
import { execute, executionOf, MISSING, nap } from './doors.ts'
import { fleetOfTests } from './doors-fleet.ts'

const isPng = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG'

interface Step {
  screen?: { picture: string }
}

describe.skipIf(!needs('nats-server'))('pictures of a phone of another host', () => {
  const here = fleetOfTests()

  const file = (name: string) => join(here().desk.home, name)
  const shot = (path: string, id = 'shot') => ({ id, type: 'take_screenshot', params: { path } })
  const paths = ({ envelope }: Ran) => envelope.stepResults.flatMap(({ data: { path } }) => path ?? [])
  /** The screen is another one between the two. */
  const between = [
    { id: 'home', type: 'press_key', params: { key: 'home' } },
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
  ]
  const differ = (one: string, other: string) =>
    expect(readFileSync(one).equals(readFileSync(other)), `${one} and ${other} are the same`).toBe(false)

  test.each(['HTTP', 'CLI'] as const)('steps with one id write two files: %s', async door => {
    const wanted = ['one', 'two'].map(name => file(`${door}-${name}.png`))
    const [one = '', two = ''] = wanted
    const steps = [between[0] as object, shot(one), between[1] as object, shot(two)]
    const answer = await here().doors[door](execute(executionOf(steps), here().there))
    expect(paths(answer?.raw as unknown as Ran)).toEqual(wanted)
    differ(one, two)
  })

  test('steps with one id, without paths and in a trace', async () => {
    const bare = { id: 'shot', type: 'take_screenshot' }
    const execution = executionOf([between[0] as object, bare, between[1] as object, bare])
    const host = here().lab.host('lab1')
    const { body, headers } = await host.post<Ran>('/execute', { execution, deviceId: here().there })
    const [one = '', two = ''] = paths(body)
    differ(one, two)
    const id = headers.get('svc-execution-id')
    const { trace } = (await host.get<{ trace: { executions: { timeline: Step[] }[] } }>(`/executions/${id}/trace`))
      .body
    const links = trace.executions[0]?.timeline.flatMap(({ screen }) => screen?.picture ?? []) ?? []
    const linked = await Promise.all(links.map(async link => (await fetch(`${host.url()}${link}`)).arrayBuffer()))
    expect(linked.map(bytes => Buffer.from(bytes))).toEqual([readFileSync(one), readFileSync(two)])
  })

  test.each(['HTTP', 'CLI'] as const)('a resumed step with the id of an earlier one: %s', async door => {
    const [one, two, three] = ['one', 'two', 'three'].map(name => file(`resumed-${door}-${name}.png`)) as [
      string,
      string,
      string,
    ]
    const rest = (id: string) => ({ ...nap(1), id })
    const steps = [shot(one), MISSING, rest('rest'), shot(two), { ...MISSING, id: 'again' }, rest('last'), shot(three)]
    const host = here().lab.host('lab1')
    const ask = (path: string, body: unknown, cli: readonly string[]) =>
      here().doors[door]({ http: { path, body }, cli })
    const newest = async () =>
      (await host.get<{ executions: { executionId: string }[] }>('/executions?limit=1')).body.executions[0]
        ?.executionId ?? ''
    const { http, cli } = execute(executionOf(steps), here().there)
    await ask(http?.path ?? '', http?.body, cli ?? [])
    expect([one, two, three].map(path => existsSync(path))).toEqual([true, false, false])
    for (const [fromStep, expected] of [
      ['rest', [true, true, false]],
      ['last', [true, true, true]],
    ] as const) {
      const id = await newest()
      await ask(`/executions/${id}/resume`, { fromStep }, ['executions', 'resume', id, '--from-step', fromStep])
      expect([one, two, three].map(path => existsSync(path))).toEqual(expected)
    }
  })

  test.each(['.', '..', 'a/b', '%2e', '%2F', 'a b', 'ä?#', '%'])('a step with the id %s', async id => {
    const path = file(`id-${encodeURIComponent(id)}-1.png`)
    const answer = await here().doors.HTTP(execute(executionOf([shot(path, id)]), here().there))
    expect(answer).toMatchObject({ code: 'ok' })
    expect(isPng(readFileSync(path))).toBe(true)
  })

  test('the same request with a path is the same request at every host', async () => {
    const key = { 'idempotency-key': 'a-picture' }
    const path = file('under-a-key.png')
    const body = { execution: executionOf([shot(path)]), deviceId: here().there }
    const ids: (string | null)[] = []
    for (const host of ['lab1', 'lab2', 'lab1']) {
      const { status, headers } = await here().lab.host(host).post('/execute', body, key)
      expect(status, host).toBe(200)
      ids.push(headers.get('svc-execution-id'))
    }
    expect(new Set(ids).size).toBe(1)
    const other = { ...body, execution: executionOf([shot(file('another.png'))]) }
    for (const host of ['lab1', 'lab2']) {
      const { body: refused } = await here().lab.host(host).post('/execute', other, key)
      expect(refused, host).toMatchObject({ error: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    }
  })

  test.each([
    ['the other host first', ['lab1', 'lab2']],
    ['its own host first', ['lab2', 'lab1']],
  ])('a repeated request has its picture where its own caller named the path: %s', async (_, hosts) => {
    const key = { 'idempotency-key': `named-${hosts[0]}` }
    const path = file(`named-${hosts[0]}.png`)
    const body = { execution: executionOf([shot(path)]), deviceId: here().there }
    for (const host of hosts) {
      // The picture of its own host is that file.
      if (hosts[0] !== 'lab2') rmSync(path, { force: true })
      const answer = await here().lab.host(host).post<Ran>('/execute', body, key)
      expect(paths(answer.body), host).toEqual([path])
      expect(isPng(readFileSync(path)), host).toBe(true)
    }
  })

  test('a path that a host was named is found through each resumption, also of one that another host resumed', async () => {
    const path = file('resumed-elsewhere.png')
    const rest = (id: string) => ({ ...nap(1), id })
    const steps = [MISSING, rest('rest'), { ...MISSING, id: 'again' }, rest('last'), shot(path)]
    const [first, second] = [here().lab.host('lab1'), here().lab.host('lab2')]
    const { headers } = await first.post('/execute', { execution: executionOf(steps), deviceId: here().there })
    const id = headers.get('svc-execution-id')
    const resumed = await second.post(`/executions/${id}/resume`, { fromStep: 'rest' })
    const again = resumed.headers.get('svc-execution-id')
    const { body } = await first.post<Ran>(`/executions/${again}/resume`, { fromStep: 'last' })
    expect(paths(body)).toEqual([path])
    expect(isPng(readFileSync(path))).toBe(true)
  })
})
