/** A port that nothing else takes while a server on it is killed and started again: below those the system hands out. */
import { createServer } from 'node:net'

const [FIRST, COUNT] = [20_000, 10_000]
const taken = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (taken.has(port) || !(await isFree(port))) continue
    taken.add(port)
    return port
  }
}
