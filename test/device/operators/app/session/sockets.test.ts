import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../../../src/device/link/link.ts'
import { operatorRequest } from '../../../../../src/device/operators/app/segment-request.ts'
import { createSockets, recentMap } from '../../../../../src/device/operators/app/session/sockets.ts'
import { encodeFrame } from '../../../../../src/device/operators/app/wire/messages.ts'
import type { ByteQueue } from '../../../../support/device/byte-queue.ts'
import { type FakeHandlers, fakeLink } from '../../../../support/device/fake-link.ts'
import { executionOf, sleepStep, wireEnvelopeOf } from '../../../../support/device/operator-samples.ts'
import { manualClock } from '../../../../support/manual-clock.ts'
import { settled } from '../../../../support/settled.ts'

test('lets go of what was not used for the longest time, and says so', () => {
  const dropped: number[] = []
  const map = recentMap<string, number>(2, value => dropped.push(value))
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  expect(dropped).toEqual([2])
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  map.set('a', 4)
  expect(map.values()).toEqual([3, 4])
  map.delete('c')
  expect(map.values()).toEqual([4])
  expect(dropped).toEqual([2])
})

const PACKAGE = 'com.svc.operator'
const HELLO = { type: 'hello', protocol: 1, package: PACKAGE, version: '1' }
const nonce = '1'.repeat(32)
const requestOf = (wireId = 'e1.0') =>
  operatorRequest({
    execution: executionOf([sleepStep('a')]),
    actions: [sleepStep('a')],
    awaited: { wireId, nonce },
    timeLeftMs: 30_000,
  })

const setup = (greeting: unknown = HELLO, socket?: FakeHandlers['socket']) => {
  const clock = manualClock()
  const written: Uint8Array[] = []
  const accept = (_: string, output: ByteQueue) => {
    if (greeting !== undefined) output.push(encodeFrame(greeting))
    return (bytes: Uint8Array) => void written.push(bytes)
  }
  let link = fakeLink(clock, { socket: socket ?? accept })
  const sockets = createSockets(clock, async () => link)
  const soon = () => ({ deadline: clock.now() + 10_000 })
  const get = (name = PACKAGE) => sockets.get(name, soon())
  const relink = () => {
    link = fakeLink(clock, { socket: socket ?? accept })
    return link
  }
  const opened = (name = PACKAGE) => link.calls.filter(call => call === `socket localabstract:${name}`).length
  return { clock, link, written, sockets, soon, get, opened, relink }
}
const refuse = (): never => {
  throw new LinkError('LINK_SOCKET_REFUSED', 'closed')
}

describe('a session socket', () => {
  test('of something that talks without a greeting is left at once', async () => {
    const { get, link } = setup(undefined, (_, output) => {
      output.push(Buffer.alloc(32 * 1_024))
      return () => {}
    })
    expect(await get()).toBeUndefined()
    expect(link.sockets[0]?.isEnded()).toBe(true)
  })

  test('is opened once, greets, and is kept open', async () => {
    const { get, opened } = setup()
    const socket = await get()
    expect(socket?.isOpen()).toBe(true)
    expect(await get()).toBe(socket)
    expect(opened()).toBe(1)
  })

  test('carries a request as one frame, and its result back', async () => {
    const { get, link, written } = setup()
    const socket = await get()
    const request = requestOf()
    const result = socket?.execute(request)
    await settled()
    expect(written).toEqual([encodeFrame({ type: 'execute', payload: request })])
    const envelope = wireEnvelopeOf({ wireId: 'e1.0', nonce })
    const stale = wireEnvelopeOf({ wireId: 'e0.0', nonce })
    const forged = wireEnvelopeOf({ wireId: 'e1.0', nonce: 'f'.repeat(32) })
    for (const other of [stale, forged, 'x', { type: 'progress' }]) {
      link.sockets[0]?.push(encodeFrame({ type: 'result', envelope: other }))
    }
    for (const byte of encodeFrame({ type: 'result', envelope })) link.sockets[0]?.push(Buffer.from([byte]))
    expect(await result).toEqual({ kind: 'done', envelope })
  })

  test('that ends before the result leaves it lost, and the next execution opens another', async () => {
    const { get, link, opened } = setup()
    const socket = await get()
    const result = socket?.execute(requestOf())
    link.sockets[0]?.end()
    expect(await result).toEqual({
      kind: 'unknown',
      code: 'DEVICE_LINK_LOST',
      reason: 'the operator closed its session socket',
    })
    expect(socket?.isOpen()).toBe(false)
    await get()
    expect(opened()).toBe(2)
  })

  test('that ends inside a frame leaves a damaged result', async () => {
    const { get, link } = setup()
    const result = (await get())?.execute(requestOf())
    link.sockets[0]?.push(encodeFrame({ type: 'result' }).subarray(0, 9))
    link.sockets[0]?.end()
    expect(await result).toMatchObject({
      kind: 'unknown',
      code: 'RESULT_ENVELOPE_MALFORMED',
      reason: expect.stringContaining('inside a frame'),
    })
  })

  test('whose link is lost leaves it lost, also inside a frame', async () => {
    const { get, link } = setup()
    const result = (await get())?.execute(requestOf())
    link.sockets[0]?.push(encodeFrame({ type: 'result' }).subarray(0, 9))
    link.lose()
    expect(await result).toEqual({ kind: 'unknown', code: 'DEVICE_LINK_LOST', reason: 'the link to d1 is lost' })
  })

  test('whose link is lost leaves it lost, also where that looks like an end', async () => {
    const { get, link } = setup()
    const result = (await get())?.execute(requestOf())
    link.sockets[0]?.push(encodeFrame({ type: 'result' }).subarray(0, 9))
    link.sockets[0]?.end()
    link.lose()
    expect(await result).toMatchObject({ kind: 'unknown', code: 'DEVICE_LINK_LOST' })
  })

  test('that announces a frame over 64 MiB is closed, and the result is damaged', async () => {
    const { get, link } = setup()
    const socket = await get()
    const result = socket?.execute(requestOf())
    link.sockets[0]?.push(Buffer.from([0x7f, 0, 0, 0]))
    expect(await result).toMatchObject({ kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED' })
    expect(link.sockets[0]?.isEnded()).toBe(true)
    expect(socket?.isOpen()).toBe(false)
  })

  test('that takes no request leaves it lost', async () => {
    const { get } = setup(HELLO, (_, output) => {
      output.push(encodeFrame(HELLO))
      return () => {
        throw new LinkError('DEVICE_LINK_LOST', 'gone')
      }
    })
    expect(await (await get())?.execute(requestOf())).toEqual({
      kind: 'unknown',
      code: 'DEVICE_LINK_LOST',
      reason: 'gone',
    })
  })

  test('keeps nothing of a result that is not waited for any more', async () => {
    const { get, link } = setup()
    const socket = await get()
    const result = socket?.execute(requestOf())
    socket?.forget('e1.0')
    link.sockets[0]?.push(encodeFrame({ type: 'result', envelope: wireEnvelopeOf({ wireId: 'e1.0', nonce }) }))
    await settled()
    const pending = Symbol('pending')
    expect(await Promise.race([result, Promise.resolve(pending)])).toBe(pending)
  })

  test('is closed with the sessions', async () => {
    const { get, link, sockets } = setup()
    await get()
    sockets.close()
    expect(link.sockets[0]?.isEnded()).toBe(true)
  })
})

describe('the progress of a request', () => {
  const progress = (step: number, more: object = {}) =>
    encodeFrame({ type: 'progress', commandId: 'e1.0', nonce, step, success: true, ...more })

  test('reaches who waits for its result, and nobody else', async () => {
    const { get, link } = setup()
    const socket = await get()
    const heard: number[] = []
    const result = socket?.execute(requestOf(), ({ step }) => heard.push(step))
    void socket?.execute(requestOf('e2.0'))
    const foreign = [{ commandId: 'e0.0' }, { nonce: 'f'.repeat(32) }, { commandId: 'e2.0' }]
    for (const more of [{}, ...foreign]) link.sockets[0]?.push(progress(0, more))
    link.sockets[0]?.push(progress(1))
    const envelope = wireEnvelopeOf({ wireId: 'e1.0', nonce })
    link.sockets[0]?.push(encodeFrame({ type: 'result', envelope }))
    link.sockets[0]?.push(progress(2))
    expect(await result).toEqual({ kind: 'done', envelope })
    await settled()
    expect(heard).toEqual([0, 1])
  })

  test('may be damaged without any loss', async () => {
    const { get, link } = setup()
    const result = (await get())?.execute(requestOf(), () => {})
    const body = Buffer.from(progress(0)).subarray(4, -4)
    link.sockets[0]?.push(Buffer.concat([Buffer.from([0, 0, 0, body.length]), body]))
    const envelope = wireEnvelopeOf({ wireId: 'e1.0', nonce })
    link.sockets[0]?.push(encodeFrame({ type: 'result', envelope }))
    expect(await result).toEqual({ kind: 'done', envelope })
  })
})

describe('a question about a request', () => {
  const awaited = { wireId: 'e1.0', nonce }
  const envelope = wireEnvelopeOf(awaited)
  const asking = async () => {
    const parts = setup({ ...HELLO, capabilities: ['results', 'later'] })
    const socket = await parts.get()
    if (!socket) throw new Error('nobody listens')
    const answer = socket.ask(awaited, parts.soon())
    await settled()
    const reply = (frame: object) => parts.link.sockets[0]?.push(encodeFrame(frame))
    return { ...parts, socket, answer, reply }
  }

  test('is for an operator that says that it keeps results', async () => {
    expect((await setup().get())?.capabilities).toEqual([])
    expect((await asking()).socket.capabilities).toEqual(['results'])
  })

  test.each([
    ['its result', { type: 'result', envelope }, { kind: 'result', envelope }],
    ['the step under way', { type: 'running', commandId: 'e1.0', step: 3 }, { kind: 'running', step: 3 }],
    ['that nobody knows it', { type: 'unknown', commandId: 'e1.0' }, { kind: 'unknown' }],
    [
      'a result of another shape',
      { type: 'result', envelope: { ...envelope, status: 'maybe' } },
      { kind: 'unanswered', reason: expect.stringContaining('not of the documented shape (status') },
    ],
  ])('is answered by %s', async (_, frame, expected) => {
    const { answer, reply, written, clock } = await asking()
    expect(written).toEqual([encodeFrame({ type: 'result?', commandId: 'e1.0', nonce })])
    for (const type of ['running', 'unknown']) reply({ type, commandId: 'e2.0', step: 1 })
    reply({ type: 'result', envelope: wireEnvelopeOf({ ...awaited, nonce: 'f'.repeat(32) }) })
    reply(frame)
    expect(await answer).toEqual(expected)
    expect(clock.pending()).toBe(0)
  })

  test('is not answered by an app that says nothing, and can be asked again', async () => {
    const { answer, clock, socket, soon, reply } = await asking()
    const second = await socket.ask(awaited, soon())
    expect(second).toMatchObject({ kind: 'unanswered', reason: expect.stringContaining('already') })
    clock.advance(10_000)
    expect(await answer).toMatchObject({ kind: 'unanswered', reason: expect.stringContaining('in time') })
    const again = socket.ask(awaited, soon())
    reply({ type: 'unknown', commandId: 'e1.0' })
    expect(await again).toEqual({ kind: 'unknown' })
  })

  test('is not answered over a socket that is cut, and none is asked over it then', async () => {
    const { answer, link, socket, soon } = await asking()
    link.sockets[0]?.end()
    expect(await answer).toEqual({ kind: 'unanswered', reason: 'the operator closed its session socket' })
    expect(await socket.ask(awaited, soon())).toEqual({ kind: 'unanswered', reason: 'the session socket is closed' })
  })

  test('is given up when its caller leaves', async () => {
    const { socket, soon } = await asking()
    const leave = new AbortController()
    const answer = socket.ask({ ...awaited, wireId: 'e2.0' }, { ...soon(), signal: leave.signal })
    leave.abort()
    expect(await answer).toMatchObject({ kind: 'unanswered', reason: expect.stringContaining('cancelled') })
    expect(await socket.ask(awaited, { ...soon(), signal: leave.signal })).toMatchObject({ kind: 'unanswered' })
  })

  test('disturbs no request that is under way, nor its own', async () => {
    const { socket, reply, answer, soon } = await asking()
    const other = socket.execute(requestOf('e2.0'))
    const same = socket.execute(requestOf('e1.0'))
    expect(await socket.ask({ wireId: 'e1.0', nonce: 'f'.repeat(32) }, soon())).toEqual({ kind: 'unknown' })
    reply({ type: 'running', commandId: 'e1.0', step: 0 })
    expect(await answer).toEqual({ kind: 'running', step: 0 })
    const otherEnvelope = wireEnvelopeOf({ wireId: 'e2.0', nonce })
    reply({ type: 'result', envelope: otherEnvelope })
    reply({ type: 'result', envelope })
    expect(await other).toEqual({ kind: 'done', envelope: otherEnvelope })
    expect(await same).toEqual({ kind: 'done', envelope })
  })
})

describe('an operator without one', () => {
  test('is asked once in 30 seconds', async () => {
    const { clock, get, opened } = setup(HELLO, refuse)
    for (let second = 0; second < 30; second++) {
      expect(await get()).toBeUndefined()
      clock.advance(1_000)
    }
    expect(opened()).toBe(1)
    await get()
    expect(opened()).toBe(2)
  })

  test('is told apart from other operators of the device', async () => {
    const { get, opened } = setup(HELLO, (service, output) => {
      if (!service.endsWith(PACKAGE)) refuse()
      output.push(encodeFrame(HELLO))
      return () => {}
    })
    expect(await get('com.other')).toBeUndefined()
    expect(await get()).toBeDefined()
    expect(opened('com.other')).toBe(1)
  })

  test('is one whose socket says nothing', async () => {
    const { clock, get, link } = setup(null, () => () => {})
    const socket = get()
    await settled()
    clock.advance(2_000)
    expect(await socket).toBeUndefined()
    expect(link.sockets[0]?.isEnded()).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  test.each([
    ['another protocol', { ...HELLO, protocol: 2 }],
    ['another package', { ...HELLO, package: 'com.squatter' }],
  ])('is one that greets with %s', async (_, greeting) => {
    const { get, link } = setup(greeting)
    expect(await get()).toBeUndefined()
    expect(link.sockets[0]?.isEnded()).toBe(true)
  })

  test('is one that neither accepts nor refuses', async () => {
    const { clock, link, soon } = setup()
    const never = {
      ...link,
      socket: (_: string, { deadline }: { deadline: number }) =>
        new Promise<never>((_, reject) => {
          clock.at(deadline, () => reject(new LinkError('LINK_TIMEOUT', 'too long')))
        }),
    }
    const sockets = createSockets(clock, async () => never)
    const socket = sockets.get(PACKAGE, soon())
    await settled()
    clock.advance(3_000)
    expect(await socket).toBeUndefined()
  })

  test('is not confused with a device that cannot be asked', async () => {
    const { get, link, relink } = setup()
    link.lose()
    await expect(get()).rejects.toMatchObject({ code: 'DEVICE_LINK_LOST' })
    relink()
    expect(await get()).toBeDefined()
  })

  test('is not remembered when the caller left before that was known', async () => {
    const { get, sockets, soon, link } = setup(null)
    const leave = new AbortController()
    const left = sockets.get(PACKAGE, { ...soon(), signal: leave.signal })
    await settled()
    leave.abort()
    expect(await left).toBeUndefined()
    const again = get()
    await settled()
    link.sockets[1]?.push(encodeFrame(HELLO))
    expect(await again).toBeDefined()
  })
})

test('the names that callers give are forgotten again', async () => {
  const { get, opened } = setup(HELLO, refuse)
  await get('first')
  for (let index = 0; index < 16; index++) await get(`other-${index}`)
  await get('first')
  expect(opened('first')).toBe(2)
})
