/** A host made of the library, straight to a device: no adb server between. */
import { connect } from 'node:net'
import { Adb, AdbDaemonTransport, AdbPacket, type AdbPacketInit, AdbPacketSerializeStream } from '@yume-chan/adb'
import { type Consumable, ReadableStream, StructDeserializeStream, WritableStream } from '@yume-chan/stream-extra'

export const tangoHost = async (port: number): Promise<Adb> => {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  socket.on('error', () => {})
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      socket.on('data', (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)))
      socket.on('close', () => {
        try {
          controller.close()
        } catch {}
      })
    },
    cancel: () => void socket.destroy(),
  })
  const serialize = new AdbPacketSerializeStream()
  void serialize.readable.pipeTo(
    new WritableStream<Consumable<Uint8Array>>({
      // The serializer uses its buffer again as soon as it is consumed.
      write: chunk => chunk.tryConsume(part => void socket.write(part.slice())),
      close: () => void socket.end(),
    }),
  )
  const transport = await AdbDaemonTransport.authenticate({
    serial: `127.0.0.1:${port}`,
    connection: {
      readable: bytes.pipeThrough(new StructDeserializeStream(AdbPacket)),
      writable: serialize.writable as WritableStream<Consumable<AdbPacketInit>>,
    },
    credentialStore: {
      generateKey: () => {
        throw new Error('the device asked for a key')
      },
      iterateKeys: () => [],
    },
  })
  return new Adb(transport)
}
