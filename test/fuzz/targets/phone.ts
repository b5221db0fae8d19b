/** The simulated phone from the host's side: packets at its debug daemon. */
import { connect } from 'node:net'
import { systemClock } from '../../../src/runtime/clock.ts'
import { startAdbd } from '../../../src/simulator/adbd/adbd.ts'
import { encode } from '../../support/adb/raw-adb-host.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { expectThat, type OpenTarget, type Target, WrongReading } from '../target.ts'
import { adbPieces } from './adb.ts'

const hello = encode('CNXN', 0x0100_0001, 1_048_576, 'host::features=shell_v2,cmd')
const stdin = (text: string) => {
  const head = Buffer.alloc(5)
  head.writeUInt32LE(text.length, 1)
  return Buffer.concat([head, Buffer.from(text), Buffer.of(4, 0, 0, 0, 0)])
}
const sync = (id: string, body: string | Uint8Array) => {
  const head = Buffer.alloc(8)
  head.write(id)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, Buffer.from(body)])
}

const CONNECTION_MS = 3_000
/** The host leaves then. */
const LEAVE_MS = 25

const readPackets = async (): Promise<OpenTarget> => {
  const clock = systemClock()
  const phone = phoneOf({ clock })
  const adbd = await startAdbd({ phone, clock })
  const talk = (input: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(adbd.port, '127.0.0.1')
      let bytes = 0
      const timer = setTimeout(() => {
        socket.destroy()
        reject(new WrongReading(`the connection is open after ${CONNECTION_MS} ms`))
      }, CONNECTION_MS)
      const leave = setTimeout(() => socket.end(), LEAVE_MS)
      socket.on('data', part => {
        bytes += part.length
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearTimeout(timer)
        clearTimeout(leave)
        resolve(bytes)
      })
      socket.write(input)
    })
  let count = 0
  return {
    async read(input) {
      const bytes = await talk(input)
      count += 1
      if (count % 32 === 0) expectThat((await talk(hello)) > 24, 'the phone answers nobody any more')
      expectThat(adbd.connections() <= 1, 'connections are left')
      return bytes > 100 ? 'accepted' : 'refused'
    },
    async close() {
      await adbd.close()
      phone.close()
    },
  }
}

export const adbd: Target = {
  name: 'adbd',
  seeds: [
    Buffer.concat([hello, encode('OPEN', 1, 0, 'shell,v2,raw:getprop ro.product.model\0'), encode('OKAY', 1, 1)]),
    Buffer.concat([
      hello,
      encode('OPEN', 2, 0, 'shell,v2,raw:cat\0'),
      encode('WRTE', 2, 1, stdin('hi')),
      encode('OKAY', 2, 1),
    ]),
    Buffer.concat([
      hello,
      encode('OPEN', 3, 0, 'sync:\0'),
      encode('WRTE', 3, 1, Buffer.concat([sync('SEND', '/sdcard/a,33188'), sync('DATA', 'abc'), sync('DONE', '')])),
      encode(
        'WRTE',
        3,
        1,
        Buffer.concat([
          sync('STA2', '/sdcard/a'),
          sync('LIS2', '/sdcard'),
          sync('RECV', '/sdcard/a'),
          sync('QUIT', ''),
        ]),
      ),
      encode('OKAY', 3, 1),
    ]),
    Buffer.concat([hello, encode('OPEN', 4, 0, 'reverse:forward:tcp:0;tcp:1\0'), encode('CLSE', 4, 1)]),
    Buffer.concat([
      hello,
      encode('OPEN', 5, 0, 'localabstract:svc\0'),
      encode('OPEN', 6, 0, 'tcp:1\0'),
      encode('OPEN', 7, 0, 'shell:ls\0'),
    ]),
    Buffer.concat([encode('CNXN', 0x0100_0000, 4_096, 'host::'), encode('AUTH', 2, 0, Buffer.alloc(256, 1))]),
  ],
  mutate: oneOf(adbPieces, adbPieces, adbPieces, mutateBytes),
  async open() {
    return readPackets()
  },
}
