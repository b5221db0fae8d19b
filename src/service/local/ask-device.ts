/** Opens the link to a device of this host and asks it something that changes nothing there. */
import type { Link } from '../../device/link/link.ts'
import { asFailure } from '../executions/refusals.ts'
import type { Parts } from '../parts.ts'
import { failed, type RequestOptions, type Result } from '../service.ts'
import { answering } from './run.ts'

/** Bounds opening the link and asking the device: old ones start a program for each setting. */
const ASK_MS = 20_000

export interface AskOptions {
  deadline: number
  signal: AbortSignal
}

export type Ask<T> = (link: Link, options: AskOptions, serial: string) => Promise<Result<T>>

/** `about` completes `asking a device about`. */
export const deviceAsker =
  ({ openDevice, clock, note }: Pick<Parts, 'openDevice' | 'clock' | 'note'>, about: string) =>
  <T>(deviceId: string, { signal = new AbortController().signal }: RequestOptions, ask: Ask<T>): Promise<Result<T>> =>
    answering<T>(
      async () => {
        const options = { deadline: clock.now() + ASK_MS, signal }
        const reached = await openDevice(deviceId, options)
        if (!reached.ok) return failed(reached.error, { deviceId: reached.deviceId })
        const { deviceId: serial, link } = reached
        try {
          return { ...(await ask(link, options, serial)), deviceId: serial }
        } catch (thrown) {
          return failed(asFailure(thrown), { deviceId: serial })
        }
      },
      { what: `asking a device about ${about}`, note },
    )
