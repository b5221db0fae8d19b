/** Ports for programs that must get the same one again after a restart. */
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those could take it while the program is down. */
const LOWEST = 12_000
const HIGHEST = 31_999

const given = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 200; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error('there is no free port')
}
