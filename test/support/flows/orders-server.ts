/** A web service on this machine for scripts of flows: it tells what was asked of it. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AskedRequest {
  method: string
  path: string
  body: string
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const startOrdersServer = async () => {
  const asked: AskedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await bodyOf(request)
    asked.push({ method, path: url, body: body.toString('latin1') })
    const answer = (status: number, value?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(value && JSON.stringify(value))
    }
    const parts = body.toString('latin1').match(/content-disposition: form-data/gi)?.length ?? 0
    if (url.endsWith('/missing')) answer(404, { error: 'not here' })
    else if (url.endsWith('/upload')) answer(200, { parts, bytes: body.length })
    else if (method === 'DELETE') answer(204)
    else if (method === 'POST') answer(201, { id: 7, ...JSON.parse(body.toString('utf8')) })
    else answer(200, { method, path: url })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
