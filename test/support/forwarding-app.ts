/** A lab with a server for this user's own commands, which keeps forwards. */
import { createForwards } from '../../src/device/link/forwards/forwards.ts'
import { type HttpLab, labDeps, listen, type ServedApp, startHttpLab } from './http/http-server.ts'

export interface ForwardingApp {
  lab: HttpLab
  own: ServedApp
  close(): Promise<void>
}

export const startForwardingApp = async (): Promise<ForwardingApp> => {
  const lab = await startHttpLab()
  const { services } = lab.lab
  const forwards = createForwards({
    clock: services.clock,
    link: (device, options) => services.links().get(device, options),
    server: undefined,
    mayHold: () => true,
    note: () => {},
  })
  const own = await listen({ ...labDeps(lab.lab), isPrivate: true, forwards: () => forwards })
  return {
    lab,
    own,
    async close() {
      forwards.close()
      await own.server.close({ graceMs: 0 })
      await lab.close()
    },
  }
}
