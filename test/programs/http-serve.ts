/** Serves the devices of a fleet over HTTP, as `svc serve` does: arguments are the home, the serials and the port. Says `ready` and its port. */
import { createServices } from '../../src/start/command.ts'
import { createListener } from '../../src/start/listener.ts'
import { startServer } from '../../src/surfaces/http/server.ts'

const [home = '', serials = '', port = '0'] = process.argv.slice(2)
const note = (text: string) => void process.stderr.write(`${text}\n`)
const services = createServices({ env: { HOME: home, PATH: '', SVC_TCP_DEVICES: serials }, cwd: home, note })
await services.host().recover()
const { app } = createListener({
  ...services,
  version: '0.0.0',
  buildIdentity: { entryPath: null, mtimeMs: null, size: null },
  operatorPackage: 'com.svc.operator',
  listener: 'serve:test',
  isPrivate: false,
  viewerFolder: undefined,
  docsFolder: undefined,
  webDriver: undefined,
  note,
})
const started = await startServer({ app, host: '127.0.0.1', port: Number(port), clock: services.clock, note })
if (!started.ok) throw new Error(started.error.message)
process.stdout.write(`ready\n${started.server.address.port}\n`)
process.once('SIGTERM', async () => {
  await Promise.all([started.server.close({ graceMs: 5_000 }), services.close()])
  process.exit(0)
})
