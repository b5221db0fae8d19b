/** One service of a simulated phone that a process has open: both ends of it, and the bytes under way between them. */
import { LinkError } from '../../../src/device/link/link.ts'
import type { Service } from '../../../src/device/link/transport.ts'
import type { HostConnection } from '../../../src/simulator/adbd/reverses.ts'
import type { OpenService } from '../../../src/simulator/adbd/services.ts'
import type { HostStream } from '../../../src/simulator/adbd/stream.ts'
import { createPipe, StreamEnded } from '../../../src/simulator/shell/io.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { CutWay, TransferCuts } from './transfer-cuts.ts'

/** A process of this world takes no streams that a phone opens. */
const NO_STREAMS_TO_HOST: HostConnection = { open: (_, __, refused) => refused(), onClosed: () => {} }

/** Delivers in order, later, or never where the link is cut. */
export type Lane = (what: string, deliver: () => void) => void

interface Over {
  scheduler: Scheduler
  process: Owner
  /** Aborted when the link is lost. */
  lost: AbortSignal
  laneTo(side: 'phone' | 'process'): Lane
  openAtPhone: OpenService
  /** The phone has it open; `end` is for a link that is cut. */
  onOpened(end: () => void): void
  onClosed(): void
  /** Undefined where no transfer ends in the middle. */
  cuts?: TransferCuts | undefined
  /** In the other ways than silence. */
  onCut(way: CutWay): void
}

export const openServiceStream = (service: string, stop: AbortSignal, over: Over): Promise<Service> => {
  const { scheduler, process, lost, laneTo, openAtPhone, onOpened, onClosed } = over
  if (lost.aborted) return Promise.reject(lost.reason)
  if (!scheduler.cross(process, `opens ${service.slice(0, 40)}`)) return new Promise(() => {})
  const toPhone = laneTo('phone')
  const toProcess = laneTo('process')
  const input = createPipe()
  const gone = new AbortController()
  const chunks: Uint8Array[] = []
  const readers: ((chunk: Uint8Array | undefined) => void)[] = []
  const unacknowledged: { resolve: () => void; reject: (error: unknown) => void }[] = []
  let isOpenAtPhone = false
  let isEnded = false
  /** Nothing comes or goes any more, but its end. */
  let isSilent = false

  /** The bytes that arrive of those that left; undefined for none. */
  const passed = (sent: Uint8Array): Uint8Array | undefined => {
    if (isSilent) return undefined
    const { bytes, cut } = over.cuts?.(sent) ?? { bytes: sent }
    isSilent = cut !== undefined
    if (cut && cut !== 'silence')
      scheduler.post(process, 0, `its ${cut} ends in the middle of a transfer`, () => over.onCut(cut))
    return bytes
  }

  const endAtPhone = () => {
    if (!isOpenAtPhone) return
    isOpenAtPhone = false
    onClosed()
    gone.abort('the stream is over')
    input.cancel()
  }
  const endAtProcess = () => {
    if (isEnded) return
    isEnded = true
    for (const read of readers.splice(0)) read(undefined)
    for (const { reject } of unacknowledged.splice(0)) reject(lost.reason ?? new Error('the service has ended'))
  }
  lost.addEventListener('abort', endAtProcess, { once: true })

  const stream: HostStream = {
    input,
    signal: gone.signal,
    queued: () => 0,
    write(bytes) {
      if (!isOpenAtPhone) return Promise.reject(new StreamEnded())
      const copy = Uint8Array.from(bytes)
      toProcess(`gets ${copy.length} bytes`, () => {
        if (isEnded) return
        const bytes = passed(copy)
        if (!bytes) return
        const reader = readers.shift()
        if (reader) reader(bytes)
        else chunks.push(bytes)
      })
      return Promise.resolve()
    },
    end() {
      if (!isOpenAtPhone) return
      endAtPhone()
      toProcess('service ends', () => {
        if (!isSilent) endAtProcess()
      })
    },
  }
  const opened: Service = {
    read: () => {
      const chunk = chunks.shift()
      if (chunk) return Promise.resolve(chunk)
      if (isEnded || lost.aborted) return Promise.resolve(undefined)
      return new Promise(resolve => readers.push(resolve))
    },
    write: bytes => {
      if (isEnded) return Promise.reject(lost.reason ?? new Error('the service has ended'))
      if (!scheduler.cross(process, 'sends')) return new Promise(() => {})
      const copy = Uint8Array.from(bytes)
      return new Promise((resolve, reject) => {
        unacknowledged.push({ resolve, reject })
        toPhone(`gets ${copy.length} bytes`, () => {
          if (!isOpenAtPhone) return
          const bytes = passed(copy)
          if (!bytes) return
          input.write(bytes).then(
            () => toProcess('taken', () => unacknowledged.shift()?.resolve()),
            () => {},
          )
        })
      })
    },
    close() {
      endAtProcess()
      toPhone('is closed', endAtPhone)
    },
  }
  return new Promise((resolve, reject) => {
    const refuse = () => reject(lost.reason)
    lost.addEventListener('abort', refuse, { once: true })
    toPhone(`opens ${service.slice(0, 40)}`, () => {
      const serve = openAtPhone(service, NO_STREAMS_TO_HOST)
      if (!serve) {
        toProcess('refused', () => reject(new LinkError('LINK_SOCKET_REFUSED', `${service} is refused`)))
        return
      }
      isOpenAtPhone = true
      onOpened(endAtPhone)
      toProcess('opened', () => {
        if (!scheduler.cross(process, 'opened')) return
        if (stop.aborted) opened.close()
        resolve(opened)
      })
      serve(stream)
    })
  })
}
