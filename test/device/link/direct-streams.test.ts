/** The packets of services that share one connection, as a device sees them. */
import { describe, expect, test } from 'vitest'
import { directStreams } from '../../../src/device/link/direct-streams.ts'
import { COMMAND } from '../../../src/device/link/packet.ts'
import type { Service } from '../../../src/device/link/transport.ts'

const names = Object.fromEntries(Object.entries(COMMAND).map(([name, command]) => [command, name]))

const start = ({ payloadBytesMax = 4, isTerminated = false } = {}) => {
  const sent: string[] = []
  const streams = directStreams({
    payloadBytesMax,
    isTerminated,
    output: {
      send: (command, arg0, arg1, payload = Buffer.alloc(0)) =>
        sent.push(`${names[command]} ${arg0} ${arg1} ${Buffer.from(payload).toString()}`.trim()),
      delayAcknowledgements: () => {},
    },
  })
  const receive = (command: keyof typeof COMMAND, arg0: number, arg1: number, text = '') =>
    streams.receive({ command: COMMAND[command], arg0, arg1, payload: Buffer.from(text) })
  const opened = async () => {
    const opening = streams.open('x:')
    receive('OKAY', 7, 1)
    const service = await opening
    sent.length = 0
    return service
  }
  return { sent, streams, receive, opened }
}

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    () => 'failed',
  )

describe('a service', () => {
  test('is opened by name, to old devices with a NUL', () => {
    const [now, old] = [start(), start({ isTerminated: true })]
    void now.streams.open('shell:ls')
    void old.streams.open('shell:ls')
    expect([now.sent, old.sent]).toEqual([['OPEN 1 0 shell:ls'], ['OPEN 1 0 shell:ls\0']])
  })

  test.each([0, 7])('that the device closes instead, as %i, is refused', async remoteId => {
    const { streams, receive, sent } = start()
    const opening = outcome(streams.open('x:'))
    receive('CLSE', remoteId, 1)
    expect([await opening, sent]).toEqual(['failed', ['OPEN 1 0 x:']])
  })

  test('sends the next packet when the one before was taken', async () => {
    const { opened, receive, sent } = start()
    const service = await opened()
    const long = outcome(service.write(Buffer.from('abcdefgh')))
    const short = outcome(service.write(Buffer.from('i')))
    expect(sent).toEqual(['WRTE 1 7 abcd'])
    receive('OKAY', 7, 1)
    receive('OKAY', 7, 1)
    expect(sent).toEqual(['WRTE 1 7 abcd', 'WRTE 1 7 efgh', 'WRTE 1 7 i'])
    expect([await long, await short]).toEqual(['done', 'done'])
  })

  test('that the device ends gives its last bytes, and is closed once', async () => {
    const { opened, receive, sent } = start()
    const service = await opened()
    const write = outcome(service.write(Buffer.from('abcdefgh')))
    receive('WRTE', 7, 1, 'bye')
    receive('CLSE', 7, 1)
    service.close()
    receive('CLSE', 7, 1)
    expect(sent).toEqual(['WRTE 1 7 abcd', 'OKAY 1 7', 'CLSE 1 7'])
    expect([await write, await outcome(service.write(Buffer.from('x')))]).toEqual(['failed', 'failed'])
  })

  test('that is closed here takes nothing more, and its number is not used again', async () => {
    const { opened, receive, sent, streams } = start()
    const service = await opened()
    service.close()
    receive('WRTE', 7, 1, 'late')
    receive('CLSE', 7, 1)
    void streams.open('y:')
    expect(sent).toEqual(['CLSE 1 7', 'OPEN 2 0 y:'])
    expect(await service.read()).toBeUndefined()
  })

  test('ends with the connection, also one that is being opened', async () => {
    const { opened, streams } = start()
    const service = await opened()
    const reading = service.read()
    const opening = outcome(streams.open('y:'))
    streams.end()
    expect([await reading, await opening]).toEqual([undefined, 'failed'])
  })
})

describe('a device', () => {
  test('that opens a service here, or answers an earlier connection, is refused', () => {
    const { receive, sent } = start()
    receive('OPEN', 9, 0, 'tcp:1')
    receive('OKAY', 9, 5)
    expect(sent).toEqual(['CLSE 0 9', 'CLSE 5 9'])
  })

  test('opens what this host accepts, and nothing beside it', async () => {
    const { receive, sent, streams } = start()
    const opened: Service[] = []
    const release = streams.accept('tcp:3000', service => void opened.push(service))
    receive('OPEN', 9, 0, 'tcp:3000\0')
    receive('OPEN', 10, 0, 'tcp:30000')
    receive('OPEN', 0, 0, 'tcp:3000')
    expect(sent).toEqual(['OKAY 1 9', 'CLSE 0 10', 'CLSE 0 0'])
    const [service] = opened
    receive('WRTE', 9, 1, 'hello')
    expect(Buffer.from((await service?.read()) ?? '').toString()).toBe('hello')
    await service?.write(Buffer.from('back'))
    release()
    receive('OPEN', 11, 0, 'tcp:3000')
    receive('CLSE', 9, 1)
    expect(sent.slice(3)).toEqual(['OKAY 1 9', 'WRTE 1 9 back', 'CLSE 0 11', 'CLSE 1 9'])
    expect(await service?.read()).toBeUndefined()
  })

  test('has so many streams open here, and no more', () => {
    const { receive, sent, streams } = start()
    streams.accept('tcp:3000', () => {})
    for (let id = 1; id <= 257; id++) receive('OPEN', id, 0, 'tcp:3000')
    expect(sent.slice(-2)).toEqual(['OKAY 256 256', 'CLSE 0 257'])
    receive('CLSE', 1, 1)
    receive('OPEN', 258, 0, 'tcp:3000')
    expect(sent.at(-1)).toBe('OKAY 257 258')
  })

  test('that sends data of no service, or introduces itself again, ends the connection', () => {
    const { receive } = start()
    expect(() => receive('WRTE', 9, 5, 'x')).toThrow(/not open/)
    expect(() => receive('CNXN', 0, 0)).toThrow(/unknown packet/)
  })
})
