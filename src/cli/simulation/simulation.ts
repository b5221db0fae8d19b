/** `svc simulate` at work: the devices, from their first line until the signal. */
import { type Call, CommandError, type Outcome } from '../command.ts'
import { fleetOptions } from './options.ts'

/** The one thing outside of this process that keeps a fleet from starting. */
const refusePort = (error: unknown): never => {
  const { code, port } = error as { code?: unknown; port?: unknown }
  if (code === 'EADDRINUSE') {
    throw new CommandError('SERVE_START_FAILED', `Port ${port} is in use.`, {
      hint: 'Choose another --port, or leave it out: any free ones are taken then.',
    })
  }
  if (code === 'EACCES') {
    throw new CommandError('SERVE_START_FAILED', `Port ${port} may not be used by this user.`, {
      hint: 'Choose a port above 1023.',
    })
  }
  throw error
}

export const runSimulation = async (call: Call): Promise<Outcome> => {
  const { io, log, signal } = call
  const options = await fleetOptions(call)
  const services = await call.services()
  const fleet = await services.simulate(options).catch(refusePort)
  try {
    if (call.isOn('adb')) {
      for (const { serial, problem } of await services.attach(fleet, signal)) log.warn(`${serial}: ${problem}`)
    }
    const devices = fleet.devices.map(({ serial, port, name }) => ({ serial, port, name }))
    await io.print(JSON.stringify({ ok: true, devices }))
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    if (call.isOn('adb')) await services.detach(fleet)
  } finally {
    await fleet.close()
  }
  return { ok: true }
}
