/** What a fake device offers, whichever way it is reached: a real shell of this machine, files in memory, an echo. */
import { spawn } from 'node:child_process'
import { codeOf } from '../../../src/runtime/message-of.ts'

/** One open service as the fake device holds it. */
export interface FakeStream {
  send(bytes: Uint8Array): void
  end(): void
  onData(listener: (bytes: Buffer) => void): void
  onClose(listener: () => void): void
  /** Each time when everything that was sent has been taken. */
  onTaken(listener: () => void): void
}

export interface FakeDevice {
  serialNumber: string
  files: Map<string, Buffer>
  /** Services that were opened, in order. */
  opened: string[]
  /** Services that are open now. */
  open: Set<FakeStream>
  /** Takes the service or says no. */
  accept(service: string, stream: FakeStream): boolean
}

const frame = (id: number, data: Uint8Array): Buffer => {
  const header = Buffer.alloc(5)
  header[0] = id
  header.writeUInt32LE(data.length, 1)
  return Buffer.concat([header, data])
}

const block = (id: string, data: Uint8Array): Buffer => {
  const header = Buffer.alloc(8)
  header.write(id, 'latin1')
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data])
}

const shell = (device: FakeDevice, command: string, stream: FakeStream) => {
  // Without a process of its own, for tests that run it by the thousand.
  if (command === 'true') {
    setImmediate(() => {
      stream.send(frame(3, Uint8Array.of(0)))
      stream.end()
    })
    return
  }
  const line = `getprop() { echo ${device.serialNumber}; }; ${command}`
  // A group of its own: what the shell has started is to end with it.
  const child = spawn('sh', ['-c', line], { stdio: 'pipe', detached: true })
  child.stdout.on('data', data => stream.send(frame(1, data)))
  child.stderr.on('data', data => stream.send(frame(2, data)))
  child.stdin.on('error', () => {})
  child.on('close', code => {
    stream.send(frame(3, Uint8Array.of(code ?? 255)))
    stream.end()
  })
  let pending = Buffer.alloc(0)
  stream.onData(bytes => {
    pending = Buffer.concat([pending, bytes])
    while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32LE(1)) {
      const data = pending.subarray(5, 5 + pending.readUInt32LE(1))
      if (pending[0] === 0) child.stdin.write(data)
      if (pending[0] === 4) child.stdin.end()
      pending = pending.subarray(5 + data.length)
    }
  })
  stream.onClose(() => {
    child.stdout.destroy()
    child.stderr.destroy()
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGHUP')
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error
    }
  })
}

/** So many bytes of stdout in packets of that size, each only when the one before was taken: it takes no memory here. */
export const floodShell = (stream: FakeStream, bytes: number, packetBytes = 256 * 1_024) => {
  const packets = Math.max(1, Math.floor(65_536 / (packetBytes + 5)))
  const piece = Buffer.concat(Array.from({ length: packets }, () => frame(1, Buffer.alloc(packetBytes, 'x'))))
  let left = bytes
  const go = () => {
    if (left > 0) {
      left -= packets * packetBytes
      stream.send(piece)
    } else if (left <= 0) {
      left = Number.NaN
      stream.send(frame(3, Uint8Array.of(0)))
      stream.end()
    }
  }
  stream.onTaken(go)
  setImmediate(go)
}

const MODE = /,\d+$/
/** So much of a file below `/full` is taken before the disk is full. */
const FULL_AFTER_BLOCKS = 4
const RECV_BLOCK_BYTES = 64 * 1_024

const sync = (device: FakeDevice, stream: FakeStream) => {
  let pending = Buffer.alloc(0)
  let path = ''
  let parts: Buffer[] = []
  const finish = () => {
    if (path.startsWith('/full/')) return
    if (path.startsWith('/readonly/')) return stream.send(block('FAIL', Buffer.from('Read-only file system')))
    device.files.set(path, Buffer.concat(parts))
    stream.send(block('OKAY', Buffer.alloc(0)))
  }
  const receive = (wanted: string) => {
    const content = device.files.get(wanted)
    if (!content) return stream.send(block('FAIL', Buffer.from('open failed: No such file or directory')))
    for (let at = 0; at < content.length; at += RECV_BLOCK_BYTES)
      stream.send(block('DATA', content.subarray(at, at + RECV_BLOCK_BYTES)))
    stream.send(block('DONE', Buffer.alloc(0)))
  }
  stream.onData(bytes => {
    pending = Buffer.concat([pending, bytes])
    while (pending.length >= 8) {
      const id = pending.toString('latin1', 0, 4)
      const length = id === 'DONE' ? 0 : pending.readUInt32LE(4)
      if (pending.length < 8 + length) return
      const data = pending.subarray(8, 8 + length)
      pending = pending.subarray(8 + length)
      if (id === 'RECV') receive(data.toString())
      if (id === 'SEND') path = data.toString().replace(MODE, '')
      if (id === 'SEND') parts = []
      if (id === 'DATA') parts.push(Buffer.from(data))
      if (id === 'DATA' && path.startsWith('/full/') && parts.length === FULL_AFTER_BLOCKS)
        stream.send(block('FAIL', Buffer.from("couldn't write: No space left on device")))
      if (id === 'DONE') finish()
    }
  })
}

export const fakeDevice = (serialNumber = 'FAKE0001'): FakeDevice => {
  const device: FakeDevice = {
    serialNumber,
    files: new Map(),
    opened: [],
    open: new Set(),
    accept(service, stream) {
      device.opened.push(service)
      const [, flood, packetBytes] = /^shell,v2,raw:flood (\d+)(?: (\d+))?$/.exec(service) ?? []
      if (flood !== undefined) floodShell(stream, Number(flood), packetBytes ? Number(packetBytes) : undefined)
      else if (service.startsWith('shell,v2,raw:')) shell(device, service.slice('shell,v2,raw:'.length), stream)
      else if (service === 'sync:') sync(device, stream)
      else if (service === 'localabstract:echo') stream.onData(bytes => stream.send(Buffer.from(bytes)))
      else if (service === 'localabstract:one-word')
        stream.onData(bytes => {
          stream.send(bytes)
          stream.end()
        })
      else if (service === 'localabstract:flood') setImmediate(() => stream.send(Buffer.alloc(4_000_000)))
      else if (service !== 'localabstract:silent') return false
      device.open.add(stream)
      stream.onClose(() => device.open.delete(stream))
      return true
    },
  }
  return device
}
