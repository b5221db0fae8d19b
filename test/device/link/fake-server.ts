/** An adb server with the few requests that a link makes, and three ways to be of no use. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FakeDevice } from './fake-services.ts'

export interface FakeServerOptions {
  mode?: 'works' | 'garbage' | 'hangs' | 'drops'
  features?: string
}

interface Attached {
  id: bigint
  state: string
  device: FakeDevice
}

const text = (content: string) => `${content.length.toString(16).padStart(4, '0')}${content}`

export const startFakeServer = async ({ mode = 'works', features = 'shell_v2,cmd' }: FakeServerOptions = {}) => {
  const attached = new Map<string, Attached>()
  const sockets = new Set<Socket>()
  const waiting = new Set<{ id: bigint; socket: Socket }>()
  const trackers = new Set<Socket>()
  const requests: string[] = []
  let nextId = 1n

  const listing = () => text([...attached].map(([name, { state }]) => `${name}\t${state}\n`).join(''))
  const tellTrackers = () => {
    for (const socket of trackers) socket.write(listing())
  }
  const fail = (socket: Socket, why: string) => void socket.end(`FAIL${text(why)}`)
  const byId = (id: string) => [...attached.values()].find(device => String(device.id) === id)

  const serve = (socket: Socket, { device }: Attached, service: string): ((bytes: Buffer) => void) | undefined => {
    if (service === 'host:features') socket.end(`OKAY${text(features)}`)
    if (service.startsWith('never:')) device.opened.push(service)
    if (service === 'host:features' || service.startsWith('never:')) return undefined
    const onData: ((bytes: Buffer) => void)[] = []
    const onTaken: (() => void)[] = []
    const stream = {
      send: (bytes: Uint8Array) => {
        socket.write(bytes, () => {
          if (socket.writableLength === 0) for (const call of onTaken) call()
        })
      },
      end: () => void socket.end(),
      onData: (call: (bytes: Buffer) => void) => void onData.push(call),
      onClose: (call: () => void) => void socket.once('close', call),
      onTaken: (call: () => void) => void onTaken.push(call),
    }
    if (!device.accept(service, stream)) fail(socket, 'closed')
    else socket.write('OKAY')
    return bytes => {
      for (const call of onData) call(bytes)
    }
  }

  /** Gives the device that the rest of the conversation is with, if there is to be one. */
  const host = (socket: Socket, request: string): Attached | undefined => {
    const [, id = '', what = ''] = /^host-transport-id:(\d+):(.*)$/.exec(request) ?? []
    const switched = /^host:transport-id:(\d+)$/.exec(request)?.[1]
    const serial = /^host:tport:serial:(.*)$/.exec(request)?.[1]
    const found = serial === undefined ? byId(switched ?? id) : attached.get(serial)
    if (request === 'host:devices') socket.end(`OKAY${listing()}`)
    else if (request === 'host:track-devices') {
      trackers.add(socket.on('close', () => trackers.delete(socket)))
      socket.write(`OKAY${listing()}`)
    } else if (!found)
      fail(
        socket,
        serial === undefined ? `no device with transport id '${switched ?? id}'` : `device '${serial}' not found`,
      )
    else if (found.state === 'unauthorized')
      fail(socket, 'device unauthorized.\nThis adb server has no key\nOtherwise check')
    else if (found.state === 'offline') fail(socket, 'device offline')
    else if (what === 'get-state') socket.end(`OKAY${text(found.state)}`)
    else if (what === 'wait-for-any-disconnect') {
      waiting.add({ id: found.id, socket })
      socket.write('OKAY')
    } else {
      const ids = Buffer.alloc(8)
      ids.writeBigUInt64LE(found.id)
      socket.write(serial === undefined ? 'OKAY' : Buffer.concat([Buffer.from('OKAY'), ids]))
      return found
    }
    return undefined
  }

  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (mode === 'hangs') return
    if (mode === 'drops') return void socket.destroy()
    let pending = Buffer.alloc(0)
    let device: Attached | undefined
    let service: ((bytes: Buffer) => void) | undefined
    socket.on('data', bytes => {
      if (mode === 'garbage') return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      if (service) return service(bytes)
      pending = Buffer.concat([pending, bytes])
      while (pending.length >= 4) {
        const length = Number.parseInt(pending.toString('latin1', 0, 4), 16)
        if (pending.length < 4 + length) return
        const request = pending.toString('utf8', 4, 4 + length)
        pending = pending.subarray(4 + length)
        requests.push(request)
        if (device) service = serve(socket, device, request)
        else device = host(socket, request)
        if (service && pending.length > 0) return service(pending)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    address: { host: '127.0.0.1', port },
    requests,
    sockets,
    trackers,
    attach(serial: string, device: FakeDevice, state = 'device') {
      attached.set(serial, { id: nextId++, state, device })
      tellTrackers()
    },
    /** The device goes: who waits for that is told, and its services end without a message, as adb does it. */
    detach(serial: string) {
      const gone = attached.get(serial)
      attached.delete(serial)
      for (const { id, socket } of waiting) if (id === gone?.id) socket.end('OKAY')
      for (const stream of gone?.device.open ?? []) stream.end()
      tellTrackers()
    },
    /** Gone without anybody being told. */
    forget: (serial: string) => void attached.delete(serial),
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
export type FakeServer = Awaited<ReturnType<typeof startFakeServer>>
