/** An adb server that says which devices it has, or nothing at all, and counts who came. */
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface AdbServerStub {
  /** The variables by which it is found. */
  env: { ADB_SERVER_SOCKET: string }
  requests: string[]
}

/** A text after OKAY; a refusal; bytes as they are; or one of these after the other, the last one for good. */
export type StubAnswer = string | { fail: string } | { raw: string } | readonly StubAnswer[]

const framed = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, '0') + text

const bytesOf = (answer: Exclude<StubAnswer, readonly StubAnswer[]>): string => {
  if (typeof answer === 'string') return `OKAY${framed(answer)}`
  return 'fail' in answer ? `FAIL${framed(answer.fail)}` : answer.raw
}

const isSeries = (answer: StubAnswer): answer is readonly StubAnswer[] => Array.isArray(answer)

const nth = (answer: StubAnswer, index: number): string => {
  if (!isSeries(answer)) return bytesOf(answer)
  const chosen = answer[Math.min(index, answer.length - 1)]
  return chosen === undefined ? '' : nth(chosen, 0)
}

/** `answers` by request, a pattern that ends with `*` for any end; without an answer the connection stays open and silent. Ends with the test. */
export const startAdbServerStub = async (answers: Readonly<Record<string, StubAnswer>>): Promise<AdbServerStub> => {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', bytes => {
      const request = bytes.toString().slice(4)
      const before = requests.filter(each => each === request).length
      requests.push(request)
      const pattern = Object.keys(answers).find(
        key => key === request || (key.endsWith('*') && request.startsWith(key.slice(0, -1))),
      )
      const answer = pattern === undefined ? undefined : answers[pattern]
      if (answer !== undefined) socket.end(nth(answer, before))
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
