/** Opens a port of a simulated device on this machine alone. */
import type { Server } from 'node:net'

const HOST = '127.0.0.1'

/** Resolves to the port, which is any free one for 0. */
export const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      server.on('error', () => {})
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
