/** Forwards and reverses that svc holds itself, over the direct transport, to a simulated phone. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { portIn } from '../../../../src/contracts/device/forwards.ts'
import { createForwards, type Forwards } from '../../../../src/device/link/forwards/forwards.ts'
import { CONNECTIONS_MAX, HELD_MAX } from '../../../../src/device/link/forwards/held-forwards.ts'
import type { Links } from '../../../../src/device/link/links.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { until } from '../../../support/until.ts'
import { linksFor } from '../links-for-tests.ts'

const ECHO = 'tcp:7'
const call = () => ({ deadline: Date.now() + 10_000 })

/** The bytes that come until the other side ends the connection, or as many as are wanted. */
const exchange = async (port: number, sent: Uint8Array, wanted = Number.POSITIVE_INFINITY): Promise<Buffer> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(sent)
  const parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of socket) {
    parts.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes >= wanted) break
  }
  socket.destroy()
  return Buffer.concat(parts)
}

const hostServer = async (serve: (socket: Socket) => void): Promise<{ server: Server; end: string }> => {
  const server = createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, end: `tcp:${typeof address === 'object' ? address?.port : ''}` }
}

let lab: Lab
let links: Links
let forwards: Forwards
let serial: string
const notes: string[] = []

beforeAll(async () => {
  lab = await startLab()
  serial = lab.fleet.devices[0]?.serial ?? ''
})
afterAll(() => lab.close())
beforeEach(() => {
  notes.length = 0
  links = linksFor({ tcp: serial })
  forwards = createForwards({
    clock: systemClock(),
    link: (device, options) => links.get(device, options),
    server: undefined,
    mayHold: () => true,
    note: text => void notes.push(text),
  })
})
afterEach(async () => {
  forwards.close()
  await links.close()
})

const link = () => links.get(serial, call())
const added = async (kind: 'forward' | 'reverse', local: string, remote: string) => {
  const answer = await forwards.add(kind, await link(), { local, remote }, call())
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.said}`)
  return answer.value
}

describe('a forward', () => {
  test('carries any bytes both ways, on the loopback alone, and is listed', async () => {
    const { local } = await added('forward', 'tcp:0', ECHO)
    const sent = Buffer.alloc(700_000, 'abcdefg')
    expect((await exchange(portIn(local) ?? 0, sent, sent.length)).equals(sent)).toBe(true)
    expect(await forwards.list('forward', await link(), call())).toEqual({
      ok: true,
      value: [{ local, remote: ECHO, isHeld: true }],
    })
    expect(await forwards.list('reverse', await link(), call())).toEqual({ ok: true, value: [] })
  })

  test('several connections do not mix', async () => {
    const port = portIn((await added('forward', 'tcp:0', 'localabstract:echo')).local) ?? 0
    const texts = ['one', 'two', 'three', 'four', 'five']
    const said = await Promise.all(texts.map(text => exchange(port, Buffer.from(text), text.length)))
    expect(said.map(String)).toEqual(texts)
  })

  test('to an end where nothing listens closes the connection, and says so in the log', async () => {
    const port = portIn((await added('forward', 'tcp:0', 'tcp:9')).local) ?? 0
    expect(await exchange(port, Buffer.from('x'))).toEqual(Buffer.alloc(0))
    expect(notes).toEqual([expect.stringContaining(`tcp:9 of device ${serial}`)])
  })

  test('the same once more is the same; another target is refused, or takes its place', async () => {
    const { local } = await added('forward', 'tcp:0', ECHO)
    expect(await added('forward', local, ECHO)).toMatchObject({ local })
    expect(forwards.held()).toBe(1)
    const other = { local, remote: 'localabstract:echo' }
    expect(await forwards.add('forward', await link(), other, call())).toMatchObject({
      ok: false,
      reason: 'taken',
      holds: { local, remote: ECHO },
    })
    const replaced = await forwards.add('forward', await link(), { ...other, replace: true }, call())
    expect(replaced).toMatchObject({ ok: true, value: other })
    expect(forwards.held()).toBe(1)
  })

  test('a port of somebody else is refused', async () => {
    const { server, end } = await hostServer(socket => socket.destroy())
    const answer = await forwards.add('forward', await link(), { local: end, remote: ECHO }, call())
    expect(answer).toMatchObject({ ok: false, reason: 'port_in_use' })
    server.close()
  })

  test('only a port of the host can be held', async () => {
    const answer = await forwards.add('forward', await link(), { local: 'localabstract:x', remote: ECHO }, call())
    expect(answer).toMatchObject({ ok: false, reason: 'unsupported' })
  })

  test('once removed, its connections are closed and its port is free', async () => {
    const { local } = await added('forward', 'tcp:0', ECHO)
    const socket = connect(portIn(local) ?? 0, '127.0.0.1')
    socket.write('x')
    await once(socket, 'data')
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    expect(await forwards.remove('forward', await link(), local, call())).toMatchObject({ ok: true })
    await closed
    expect(await forwards.remove('forward', await link(), local, call())).toMatchObject({ reason: 'not_found' })
    expect(await added('forward', local, ECHO)).toMatchObject({ local })
  })

  test('so many are held, and no more', async () => {
    for (let count = 0; count < HELD_MAX; count++) await added('forward', 'tcp:0', ECHO)
    const answer = await forwards.add('forward', await link(), { local: 'tcp:0', remote: ECHO }, call())
    expect(answer).toMatchObject({ ok: false, reason: 'limit' })
  })
})

describe('a reverse', () => {
  const onPhone = async (line: string) => (await (await link()).shell(line, call())).stdout

  test('carries the connections of the phone to the host', async () => {
    const { server, end } = await hostServer(socket => socket.once('data', data => socket.end(`host says ${data}`)))
    const { remote } = await added('reverse', end, 'tcp:0')
    expect(await onPhone(`echo hello | nc localhost ${portIn(remote)}`)).toBe('host says hello\n')
    expect(await forwards.list('reverse', await link(), call())).toEqual({
      ok: true,
      value: [{ local: end, remote, isHeld: true }],
    })
    server.close()
  })

  test('to a port of the host where nobody listens closes the connection', async () => {
    const { server, end } = await hostServer(() => {})
    server.close()
    const { remote } = await added('reverse', end, 'tcp:3100')
    expect(await onPhone(`echo hello | nc localhost ${portIn(remote)}; echo $?`)).toBe('0\n')
  })

  test('two of them to one port of the host are told apart when one is removed', async () => {
    const { server, end } = await hostServer(socket => socket.once('data', data => socket.end(data)))
    await added('reverse', end, 'tcp:3201')
    await added('reverse', end, 'tcp:3202')
    expect(await forwards.remove('reverse', await link(), 'tcp:3202', call())).toMatchObject({ ok: true })
    expect(await onPhone('echo still | nc localhost 3201')).toBe('still\n')
    expect(await onPhone('nc localhost 3202 2>&1')).toContain('Connection refused')
    server.close()
  })

  test('so many connections at once, and no more', async () => {
    const open = new Set<Socket>()
    const { server, end } = await hostServer(socket => open.add(socket.on('error', () => {})))
    await added('reverse', end, 'tcp:3250')
    let ended = 0
    const asked = Array.from({ length: CONNECTIONS_MAX + 2 }, async () => {
      await onPhone('echo hello | nc localhost 3250')
      ended += 1
    })
    await until(() => open.size === CONNECTIONS_MAX && ended === 2, 'two that were turned away', 10_000)
    expect(await forwards.remove('reverse', await link(), 'tcp:3250', call())).toMatchObject({ ok: true })
    await Promise.all(asked)
    server.close()
  })

  test('comes back when the phone does', async () => {
    const { server, end } = await hostServer(socket => socket.once('data', data => socket.end(data)))
    await added('reverse', end, 'tcp:3300')
    lab.fleet.devices[0]?.adbd.cutLinks()
    const said = () => onPhone('echo again | nc localhost 3300 2>&1').catch(() => '')
    await until(async () => (await said()) === 'again\n', 'the reverse of the new link', 10_000)
    server.close()
  })
})

test('a phone opens nothing at the host but what was asked of it', async () => {
  const reached: string[] = []
  const { server, end } = await hostServer(socket => {
    reached.push('reached')
    socket.destroy()
  })
  await added('reverse', 'tcp:1', 'tcp:3400')
  // Another host of the phone tells it to open that port; the stream would come over our link.
  const stub = await (await link()).socket(`reverse:forward:tcp:3401;${end}`, call())
  stub.close()
  await (await link()).shell('echo x | nc localhost 3401 2>&1', call())
  expect(reached).toEqual([])
  server.close()
})

test('a process that does not run on holds nothing', async () => {
  const brief = createForwards({
    clock: systemClock(),
    link: (device, options) => links.get(device, options),
    server: undefined,
    mayHold: () => false,
    note: () => {},
  })
  const pair = { local: 'tcp:0', remote: ECHO }
  expect(await brief.add('forward', await link(), pair, call())).toMatchObject({ reason: 'daemon_needed' })
  expect(await brief.list('forward', await link(), call())).toMatchObject({ reason: 'daemon_needed' })
  expect(await brief.remove('reverse', await link(), ECHO, call())).toMatchObject({ reason: 'daemon_needed' })
})
