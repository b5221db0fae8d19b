/** Links to the shell of a simulated phone that can be cut and come back, with their logcats. */
import { type Link, LinkError } from '../../../src/device/link/link.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { SimulatedPhone } from '../../../src/simulator/device.ts'
import { emptyInput } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { phoneLink } from './phone-link.ts'

export interface LogLinks {
  /** The present link; rejects while the phone is away. */
  open(): Promise<Link>
  /** Ends every stream as a lost link does. */
  cut(): void
  /** Until it is called with false, no link can be opened. */
  away(isAway: boolean): void
  /** The logcats that run on the phone now. */
  running(): number
  readonly streams: string[]
  /** Nothing more comes over the streams until it is called with false. */
  stall(isStalled: boolean): void
}

export const logLinks = (phone: SimulatedPhone, clock: Clock): LogLinks => {
  const cuts = new Set<() => void>()
  const streams: string[] = []
  let isGone = false
  let stalled: Promise<void> | undefined
  let goOn = () => {}
  const shell = createShell({ phone, clock })

  const stream: Link['stream'] = async command => {
    streams.push(command)
    const ended = new AbortController()
    const queue: Uint8Array[] = []
    let isOver = false
    let isCut = false
    let wake = () => {}
    const cut = () => {
      isCut = true
      ended.abort()
      wake()
    }
    cuts.add(cut)
    void shell
      .run(command, {
        stdin: emptyInput,
        stdout: async bytes => {
          await stalled
          queue.push(bytes)
          wake()
        },
        stderr: async () => {},
        signal: ended.signal,
      })
      .catch(() => {})
      .then(() => {
        isOver = true
        cuts.delete(cut)
        wake()
      })
    async function* chunks() {
      for (;;) {
        if (isCut) throw new LinkError('DEVICE_LINK_LOST', 'the link is lost')
        const chunk = queue.shift()
        if (chunk) yield chunk
        else if (isOver) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    }
    return { chunks: chunks(), close: () => ended.abort() }
  }

  return {
    streams,
    async open() {
      if (isGone) throw new LinkError('DEVICE_NOT_FOUND', 'the phone is away')
      return { ...phoneLink(phone, clock), stream }
    },
    cut: () => {
      for (const cut of [...cuts]) cut()
    },
    away: gone => {
      isGone = gone
    },
    running: () => cuts.size,
    stall(isStalled) {
      if (isStalled)
        stalled = new Promise(resolve => {
          goOn = resolve
        })
      else {
        stalled = undefined
        goOn()
      }
    },
  }
}
