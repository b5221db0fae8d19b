/** An adb server that says which devices it has, or nothing at all, and counts who came. */
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface AdbServerStub {
  /** The variables by which it is found. */
  env: { ADB_SERVER_SOCKET: string }
  requests: string[]
}

const framed = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, '0') + text

/** `answers` by request; without an answer the connection stays open and silent. Ends with the test. */
export const startAdbServerStub = async (answers: Readonly<Record<string, string>>): Promise<AdbServerStub> => {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', bytes => {
      const request = bytes.toString().slice(4)
      requests.push(request)
      const answer = answers[request]
      if (answer !== undefined) socket.end(`OKAY${framed(answer)}`)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { env: { ADB_SERVER_SOCKET: `tcp:127.0.0.1:${port}` }, requests }
}
