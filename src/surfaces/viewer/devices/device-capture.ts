/** The recorded screen of a device, the reason why it cannot be captured now, and capturing it. */
import { useComputed } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { DeviceScreenResponse } from '../../../contracts/doors/viewer.ts'
import { type ApiProblem, encoded, postExecution, problemIn, useAnswer } from '../api.ts'
import { actors, onTransition } from '../live.ts'
import { DEVICE_PREFIX, holderOf, isBusy, reservationOf, workOf } from '../names.ts'
import { later } from '../time.ts'

export const INSPECTOR = 'inspector'

/** The page waits this long after an execution: a caller who sends one command after another finds the device free. */
export const QUIET_MS = 2_000

/** The reason why nothing may be sent: another caller uses the device, or a skill run does. */
export const useBusyReason = (serial: string): string | undefined =>
  useComputed(() => {
    const device = actors.value.get(DEVICE_PREFIX + serial)
    if (device && isBusy(device)) return `Busy with ${workOf(device) || 'an execution'}.`
    const reservation = reservationOf(actors.value, serial)
    if (reservation) return `Reserved by ${holderOf(reservation)}.`
    for (const actor of actors.value.values()) {
      const isOfOthers = actor.work.deviceId !== undefined && actor.work.deviceId !== serial
      if (actor.machine === 'skill-run' && isBusy(actor) && !isOfOthers)
        return `A skill run is at work: ${workOf(actor)}.`
    }
    return undefined
  }).value

/** The screen as recorded, read again when an execution of the device has ended. */
export const useScreen = (serial: string): DeviceScreenResponse => {
  const again = (read: () => void) =>
    onTransition(moved => {
      if (!moved || (moved.actor === DEVICE_PREFIX + serial && moved.to === 'idle')) read()
    })
  return useAnswer<DeviceScreenResponse>(`/inspector/devices/${encoded(serial)}`, again).answer ?? { ok: true }
}

export const CAPTURE = [
  { id: 'tree', type: 'snapshot' },
  { id: 'picture', type: 'take_screenshot' },
]

export const useCapture = (serial: string) => {
  const [busy, setBusy] = useState(false)
  const [own, setOwn] = useState<string | undefined>(undefined)
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined)
  return {
    isBusy: busy,
    problem,
    /** The execution of the last look. */
    own,
    async capture() {
      setBusy(true)
      try {
        await postExecution('/inspector/looks', { deviceId: serial }, setOwn)
        setProblem(undefined)
      } catch (error) {
        setProblem(problemIn(error))
      }
      setBusy(false)
    },
  }
}

export type Capture = ReturnType<typeof useCapture>

/** While it is on, captures the screen after each execution of another caller, once the device has been idle for a moment. */
export const useLivePicture = (
  serial: string,
  isOn: boolean,
  refused: string | undefined,
  { capture, own }: Capture,
) => {
  const device = useComputed(() => actors.value.get(DEVICE_PREFIX + serial)).value
  const isOurs = own !== undefined && device?.work.executionId === own
  useEffect(() => {
    if (!isOn || refused !== undefined || isOurs) return undefined
    return later(QUIET_MS, () => void capture())
  }, [isOn, refused, isOurs, device?.seq])
}
