/** `svc simulate` at work: the devices, from their first line until the signal. */
import type { Call, Outcome } from '../command.ts'
import { fleetOptions } from './options.ts'

export const runSimulation = async (call: Call): Promise<Outcome> => {
  const { io, log, signal } = call
  const options = await fleetOptions(call)
  const services = await call.services()
  const fleet = await services.simulate(options)
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
