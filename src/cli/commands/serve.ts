/** `svc serve`: the HTTP server with its event stream, until a signal comes. */
import { PORT_MAX, SERVE_PORT, SHUTDOWN_GRACE_MS } from '../../contracts/limits.ts'
import { type Command, CommandError } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'

const HOST = '127.0.0.1'
/** For the answers that are given when the grace is over. */
const LAST_ANSWERS_MS = 500

export const serve: Command = {
  path: ['serve'],
  serves: true,
  summary: 'serve executions, skills, receipts and events over HTTP, until a signal comes',
  details:
    'Listens on 127.0.0.1 port 3000. GET /openapi.json lists the routes, GET /events streams events. Clients on this\n' +
    'machine need no credential. With another --host, clients on other machines send Authorization: Bearer <token>; the\n' +
    'token is SVC_SERVE_TOKEN (at least 16 ASCII characters, no blanks), or a new one that is printed on stderr. After a\n' +
    'signal, running executions get 5 s to finish; the others are recorded as interrupted.',
  flags: [
    { name: 'host', value: 'address', summary: `the address to listen on (default ${HOST})` },
    { name: 'port', value: 'port', summary: `the port to listen on, 0 for any free one (default ${SERVE_PORT})` },
    { name: 'allow-origin', value: 'origin', summary: 'a web origin that may call this server', many: true },
  ],
  examples: ['svc serve', 'svc serve --port 8080', 'svc serve --allow-origin http://localhost:5173'],
  async run(call) {
    const { io, signal } = call
    const port = wholeNumber(call, 'port', { min: 0, max: PORT_MAX }) ?? SERVE_PORT
    const services = await call.services()
    const started = await services.serve({
      host: call.text('host') ?? HOST,
      port,
      allowOrigins: call.all('allow-origin'),
      version: __SVC_VERSION__,
      entryPath: process.argv[1],
    })
    if (!started.ok) throw new CommandError('SERVE_START_FAILED', started.error.message, started.error)
    const { server } = started
    io.note(`svc ${__SVC_VERSION__} listens on ${server.url}`)
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    // Requests that wait for an execution get its result before the connection ends.
    const closed = server.close({ graceMs: SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS })
    await services.endExecutions()
    await closed
    return { ok: true, expectsSignal: true }
  },
}
