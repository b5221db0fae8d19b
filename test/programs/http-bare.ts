/** The floor of the HTTP benchmark: answers every request with so many bytes, and after a POST writes as many to all its event streams. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const answer = JSON.stringify({ ok: true, text: 'x'.repeat(Math.max(0, Number(process.argv[2] ?? 0) - 21)) })
const event = `id: 1\nevent: svc:result\ndata: ${answer}\n\nid: 2\nevent: svc:execution\ndata: ${answer}\n\n`
const streams = new Set<ServerResponse>()

const server = createServer((incoming, outgoing) => {
  if (incoming.url === '/events') {
    outgoing.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      Connection: 'keep-alive',
    })
    outgoing.write(':\n\n')
    streams.add(outgoing)
    outgoing.once('close', () => streams.delete(outgoing))
    return
  }
  incoming.resume().on('end', () => {
    outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
    outgoing.end(answer)
    if (incoming.method === 'POST') for (const stream of streams) stream.write(event)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready\n${(server.address() as AddressInfo).port}\n`)
})
