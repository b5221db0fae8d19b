/** GET /devices: the devices as the debug bridge lists them, in every state. */
import type { DevicesResponse } from '../../contracts/device.ts'
import { unansweredField } from '../../contracts/fleet.ts'
import { describeError, errorOf, isKnownError } from '../../executions/error-of.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { answer, refuse } from '../answer.ts'
import { byHost, unheard } from '../fleet/receipts.ts'
import type { RouteModule } from '../module.ts'

/** The contract takes a failed listing out of its status table. */
const FAILED = 500

/** A phone that several hosts see is listed by its owner; a host that is gone lists none, and is named. */
const ofFleet = (fleet: FleetFront): DevicesResponse => ({
  ok: true,
  devices: fleet.devices().map(({ serial, state, host, labels }) => ({ serial, state, host, labels })),
  ...unansweredField(unheard(fleet).sort(byHost)),
})

export const deviceRoutes: RouteModule = {
  mount(app, { deps: { listDevices, note, fleet } }) {
    app.get('/devices', async c => {
      if (fleet?.isUp()) return answer(ofFleet(fleet))
      const left = new AbortController()
      c.env.outgoing.once('close', () => left.abort())
      try {
        const devices = await listDevices(left.signal)
        const response: DevicesResponse = {
          ok: true,
          devices: devices.map(({ serial, state }) => ({ serial, state })),
          ...unansweredField(fleet && unheard(fleet).sort(byHost)),
        }
        return answer(response)
      } catch (thrown) {
        if (!isKnownError(thrown)) note(`the devices could not be listed: ${describeError(thrown)}`)
        return refuse(errorOf(thrown, 'INTERNAL_ERROR'), { status: FAILED })
      }
    })
  },
}
