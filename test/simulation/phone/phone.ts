/** A simulated phone and the links of processes to it: bytes arrive in order, late, or not at all. */

import type { OperatorCapability } from '../../../src/contracts/device/operator.ts'
import type { UiNode } from '../../../src/contracts/device/ui-tree.ts'
import { createDeviceLink } from '../../../src/device/link/device-link.ts'
import { LinkError } from '../../../src/device/link/link.ts'
import type { DeviceSource } from '../../../src/device/link/links.ts'
import { createLoss, type Transport } from '../../../src/device/link/transport.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { createServices } from '../../../src/simulator/adbd/services.ts'
import { createPhone, type SimulatedPhone } from '../../../src/simulator/device.ts'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { ownedClock } from '../clock.ts'
import type { Ask } from '../plan/plan.ts'
import { type PhoneVideo, watchVideo } from '../recordings/phone-video.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import { type Deeds, watchDeeds } from './deeds.ts'
import { type OperatorWays, scenarioOf } from './phone-scenario.ts'
import { openServiceStream } from './service-stream.ts'
import { createTransferCuts } from './transfer-cuts.ts'
import { againOf } from './transfers-again.ts'

const DELAY_MS = { min: 0, max: 4 }
/** How long a link that says nothing is believed in. */
const ALIVE_MS = 3_000
/** A phone that vanished is back after that. */
const GONE_MS = 6_000
const FEATURES = ['shell_v2', 'cmd', 'stat_v2']
const SERVICE_BYTES_MAX = 65_535

/** One link: what goes over it arrives in order, and nothing does once it is cut. */
interface Wire {
  readonly process: Owner
  /** Aborted once the process has given it up; what is under way may still arrive. */
  readonly lost: AbortSignal
  isCut: boolean
  /** Ends it: the phone knows at once, the process after a while. */
  cut(why: string): void
}

export interface PhoneHost {
  readonly serial: string
  /** All serials under which it is listed: one phone on a cable and in a network has two. */
  readonly serials: readonly string[]
  readonly owner: Owner
  readonly phone: SimulatedPhone
  /** How often each row was tapped. */
  taps(): Record<string, number>
  /** What steps of hosts have made of it; undefined where no request has any. */
  deeds(): Deeds | undefined
  /** What pushes have left beside their places. */
  drafts(): readonly string[]
  /** Its screen, where recordings see it. */
  video: PhoneVideo | undefined
  /** Cuts the links of a process, or all of them. */
  cut(why: string, process?: Owner): void
  /** Nothing passes before. */
  stalledUntil: number
  /** It takes no link before. */
  awayUntil: number
  /** Services that are open, by process. */
  openServices(process: Owner): number
  /** Its links that it has neither closed nor lost. */
  openLinks(process: Owner): number
  /** Nothing goes wrong from now on. */
  calmDown(): void
  source(process: Owner, clock: Clock): Pick<DeviceSource, 'open'>
  close(): void
}

const everyNode = (nodes: readonly UiNode[]): UiNode[] => nodes.flatMap(node => [node, ...everyNode(node.children)])

interface PhoneHostOptions {
  scheduler: Scheduler
  index: number
  ways: OperatorWays
  faults: readonly Fault[]
  capabilities?: readonly OperatorCapability[] | undefined
  /** `phone-<index>` unless told. */
  serial?: string
  /** It is listed under this serial as well. */
  secondSerial?: string | undefined
  /** Those whose steps of the host it counts. */
  stepAsks?: readonly Ask[]
  /** Ends a process. */
  kill?(process: Owner): void
  /** Its screen is recorded. */
  isRecorded?: boolean
}

export const createPhoneHost = ({
  scheduler,
  index,
  ways,
  faults,
  capabilities,
  serial: given,
  secondSerial,
  stepAsks: asks = [],
  kill,
  isRecorded = false,
}: PhoneHostOptions): PhoneHost => {
  const name = `phone-${index}`
  const serial = given ?? name
  const owner = scheduler.owner(name)
  const clock = ownedClock(scheduler, owner, { setBy: 0 })
  const wires = new Set<Wire>()
  const cut = (why: string, process?: Owner) => {
    for (const wire of [...wires])
      if (process === undefined || wire.process === process) {
        if (!process?.isDead) scheduler.felt('cut link')
        wire.cut(why)
      }
  }
  const vanish = () => {
    host.awayUntil = scheduler.now() + GONE_MS
    cut('the phone is gone')
  }
  const ownFaults = faults.map(fault => ({ ...fault }))
  const phone = createPhone({
    name: serial,
    serialno: `SERIAL${index}`,
    scenario: scenarioOf(ways, asks, capabilities),
    clock,
    faults: ownFaults,
    random: owner.random.next,
    cutLinks: () => cut('the phone cut it'),
    vanish,
  })
  const video = isRecorded ? watchVideo(phone, scheduler.now) : undefined
  const shell = createShell({ phone, clock })
  const watch = asks.length > 0 ? watchDeeds({ phone, shell, asks, again: againOf(index), cut }) : undefined
  const cuts = createTransferCuts(asks)
  const openService = createServices({ phone, clock, shell: watch?.shell ?? shell })
  const services = new Map<Owner, number>()
  const count = (process: Owner, by: number) => services.set(process, (services.get(process) ?? 0) + by)

  /** Carries messages between a process and the phone, each way in order. */
  const lane = (wire: Wire, to: Owner) => {
    const queue: (() => void)[] = []
    let lastAt = 0
    return (what: string, deliver: () => void) => {
      const delay = wire.process.random.int(DELAY_MS.min, DELAY_MS.max)
      lastAt = Math.max(lastAt, scheduler.now() + delay, host.stalledUntil)
      queue.push(deliver)
      scheduler.post(to, lastAt - scheduler.now(), what, () => {
        const next = queue.shift()
        if (!wire.isCut) next?.()
      })
    }
  }

  const wireEnds = new WeakMap<Wire, Set<() => void>>()

  const connect = (process: Owner): Transport => {
    const loss = createLoss()
    const wire: Wire = {
      process,
      lost: loss.signal,
      isCut: false,
      cut(why) {
        if (wire.isCut) return
        wire.isCut = true
        wires.delete(wire)
        scheduler.post(owner, 0, 'sees a link end', () => {
          for (const end of wireEnds.get(wire) ?? []) end()
        })
        scheduler.post(process, process.random.int(0, 30), 'loses a link', () => loss.lose(why))
      },
    }
    wires.add(wire)
    wireEnds.set(wire, new Set())
    return {
      features: FEATURES,
      serviceBytesMax: SERVICE_BYTES_MAX,
      lost: loss.signal,
      open: (service, stop) =>
        openServiceStream(service, stop, {
          scheduler,
          process,
          lost: loss.signal,
          laneTo: to => lane(wire, to === 'phone' ? owner : process),
          openAtPhone: openService,
          onOpened: end => {
            count(process, 1)
            wireEnds.get(wire)?.add(end)
          },
          onClosed: () => count(process, -1),
          cuts,
          onCut: way => (way === 'process' ? kill?.(process) : wire.cut('the link ends in the middle of a transfer')),
        }),
      probe: () =>
        new Promise(resolve => {
          if (loss.signal.aborted) return resolve()
          const isSilent = scheduler.now() + ALIVE_MS < host.stalledUntil
          const ms = isSilent || wire.isCut ? ALIVE_MS : Math.max(0, host.stalledUntil - scheduler.now())
          scheduler.post(process, ms, 'has asked a phone', () => {
            if (isSilent || wire.isCut) loss.lose('the phone does not answer')
            resolve()
          })
        }),
      close() {
        loss.close()
        if (wire.isCut) return
        wire.isCut = true
        wires.delete(wire)
        scheduler.post(owner, 1, 'sees a link close', () => {
          for (const end of wireEnds.get(wire) ?? []) end()
        })
      },
    }
  }

  const host: PhoneHost = {
    serial,
    serials: secondSerial === undefined ? [serial] : [serial, secondSerial],
    owner,
    phone,
    taps: () => {
      const rows = everyNode(phone.tree()?.roots ?? []).filter(({ text }) => text.startsWith('tap-'))
      return Object.fromEntries(rows.map(({ text, contentDesc }) => [text, Number(contentDesc)]))
    },
    video,
    deeds: () => watch?.deeds(),
    drafts: () => watch?.drafts() ?? [],
    cut,
    stalledUntil: 0,
    awayUntil: 0,
    openServices: process => services.get(process) ?? 0,
    openLinks: process => [...wires].filter(wire => wire.process === process && !wire.lost.aborted).length,
    source: (process, processClock) => ({
      open: (openedSerial, stop) =>
        new Promise((resolve, reject) => {
          if (!scheduler.cross(process, `connects to ${serial}`)) return
          const refuse = () => reject(stop.reason)
          stop.addEventListener('abort', refuse, { once: true })
          const delay = Math.max(process.random.int(1, 20), host.stalledUntil - scheduler.now())
          scheduler.post(process, delay, `reaches ${serial}`, () => {
            stop.removeEventListener('abort', refuse)
            if (stop.aborted || !scheduler.cross(process, `is connected to ${serial}`)) return
            if (scheduler.now() < host.awayUntil) return reject(new LinkError('DEVICE_OFFLINE', `${serial} is away`))
            const transport = connect(process)
            resolve({ link: createDeviceLink(openedSerial, transport, processClock), transport, state: 'device' })
          })
        }),
    }),
    calmDown() {
      host.stalledUntil = 0
      host.awayUntil = Math.min(host.awayUntil, scheduler.now() + GONE_MS)
      for (const fault of ownFaults) fault.times = 0
      watch?.calmDown()
    },
    close: () => phone.close(),
  }
  return host
}
