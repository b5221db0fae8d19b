import { describe, expect, test } from 'vitest'
import {
  type Envelope,
  envelopesIn,
  frameOf,
  operatorLines,
  phoneOf,
  phoneWithOperator,
  requestOf,
  talkTo,
} from '../../support/simulator/simulated-phone.ts'
import { until } from '../../support/until.ts'

const SLEEP = { type: 'sleep', params: { durationMs: 0 } }
const NAME = 'com.svc.operator'
const execute = (wireId: string, steps = [SLEEP] as { type: string; params?: object }[]) => ({
  type: 'execute',
  payload: requestOf(wireId, steps),
})

const open = (phone = phoneOf()) => ({ phone, talk: talkTo(phone.connect(NAME)) })
const resultsIn = (frames: readonly string[]): Envelope[] =>
  frames.map(frame => JSON.parse(frame)).flatMap(({ type, envelope }) => (type === 'result' ? [envelope] : []))

describe('a session', () => {
  test('begins with a greeting', () => {
    const { talk } = open()
    const hello = { type: 'hello', protocol: 1, package: NAME, version: '1.0.0' }
    const capabilities = ['progress', 'results']
    expect(talk.frames.map(frame => JSON.parse(frame))).toEqual([{ ...hello, capabilities }])
    const old = open(phoneWithOperator({ capabilities: [] })).talk
    expect(old.frames.map(frame => JSON.parse(frame))).toEqual([hello])
  })

  test('answers there, and not in the log', async () => {
    const { phone, talk } = open()
    talk.send(execute('id-1.0'))
    talk.send(execute('id-2.0', [{ type: 'snapshot' }]))
    await until(() => resultsIn(talk.frames).length === 2, 'both results')
    expect(resultsIn(talk.frames)).toMatchObject([
      { commandId: 'id-1.0', status: 'success' },
      { commandId: 'id-2.0', status: 'success' },
    ])
    expect(resultsIn(talk.frames)[1]?.stepResults[0]?.data.text).toContain('<hierarchy')
    expect(operatorLines(phone)).toEqual([])
    expect(phone.executions().map(({ way }) => way)).toEqual(['socket', 'socket'])
  })

  test('takes frames in any pieces', async () => {
    const { talk } = open()
    const bytes = Buffer.concat(['id-1.0', 'id-2.0'].map(id => frameOf(JSON.stringify(execute(id)))))
    for (const byte of bytes) talk.write(Uint8Array.of(byte))
    await until(() => resultsIn(talk.frames).length === 2, 'both results')
  })

  test('answers what it cannot parse, and leaves unknown frames alone', async () => {
    const { talk } = open()
    talk.send({ type: 'from a later version' })
    talk.send('{"type":"execute","payload":{"commandId":"id-1.0","nonce":"n"')
    talk.send({ type: 'execute', payload: { ...requestOf('id-2.0', [SLEEP]), timeoutMs: 0 } })
    await until(() => resultsIn(talk.frames).length === 2, 'both results')
    expect(resultsIn(talk.frames)).toMatchObject([
      { commandId: 'id-1.0', nonce: 'n', errorCode: 'EXECUTION_VALIDATION_FAILED' },
      { commandId: 'id-2.0', errorCode: 'EXECUTION_VALIDATION_FAILED' },
    ])
  })

  test('ends at a frame without end', () => {
    const { talk } = open()
    talk.write(Buffer.from('ffffffff', 'hex'))
    expect(talk.isClosed()).toBe(true)
  })

  test('that is closed has its result in the log', async () => {
    const { phone, talk } = open()
    talk.send(execute('id-1.0', [{ type: 'sleep', params: { durationMs: 1_000 } }]))
    talk.close()
    await until(() => envelopesIn(operatorLines(phone)).length === 1, 'the result')
    expect(envelopesIn(operatorLines(phone))).toMatchObject([{ commandId: 'id-1.0', status: 'success' }])
    expect(resultsIn(talk.frames)).toEqual([])
  })

  test('is one of several, each with its own answers, up to a bound', async () => {
    const phone = phoneOf()
    const talks = Array.from({ length: 16 }, () => talkTo(phone.connect(NAME)))
    expect(phone.connect(NAME)).toBeUndefined()
    for (const [i, talk] of talks.entries()) talk.send(execute(`id-${i}.0`))
    await until(() => talks.every(talk => resultsIn(talk.frames).length === 1), 'all results')
    expect(talks.map(talk => resultsIn(talk.frames)[0]?.commandId)).toEqual(talks.map((_, i) => `id-${i}.0`))
    talks[3]?.close()
    expect(phone.connect(NAME)).toBeDefined()
  })
})

describe('nobody listens', () => {
  const reachedBy = (ways: 'socket' | 'broadcast' | 'none') => phoneWithOperator({ ways })

  test('at another name, or when the operator offers no socket', () => {
    expect(phoneOf().connect('com.svc.other')).toBeUndefined()
    expect(reachedBy('broadcast').connect(NAME)).toBeUndefined()
    expect(reachedBy('none').connect(NAME)).toBeUndefined()
    expect(reachedBy('socket').connect(NAME)).toBeDefined()
  })

  test('when the operator is not installed', () => {
    const phone = reachedBy('none')
    expect(phone.packages()).not.toContain(NAME)
    expect(phone.appFacts?.(NAME)).toBeUndefined()
    expect(phone.broadcast({ packageName: NAME, extras: {} })).toBeUndefined()
    expect(phone.executions()).toEqual([])
    expect(reachedBy('broadcast').packages()).toContain(NAME)
  })
})

test('a phone that is switched off ends its sessions and answers nothing more', async () => {
  const { phone, talk } = open()
  talk.send(execute('id-1.0', [{ type: 'sleep', params: { durationMs: 100_000 } }]))
  phone.close()
  expect(talk.isClosed()).toBe(true)
  expect(phone.connect(NAME)).toBeUndefined()
  expect(operatorLines(phone)).toEqual([])
})
