/** The fleet of one trial: three hosts before simulated phones on three servers, and what is broken of it. */
import type { FleetStatus } from '../../../src/contracts/fleet.ts'
import { type FleetLab, type FleetLabHost, startFleetLab } from '../../support/fleet/fleet-lab.ts'
import { call } from '../../support/http/http-client.ts'
import { wait } from '../../support/until.ts'
import { HOSTS, NODES, type Plan } from './plan.ts'
import type { Fault } from './plan-faults.ts'

export interface World {
  lab: FleetLab
  hosts: readonly FleetLabHost[]
  host(index: number): FleetLabHost
  /** The host that has the phone plugged in, or had it last. */
  pluggedAt(phone: number): number
  /** From now on the faults of the plan come. */
  begin(): void
  /** Does it, and ends when it is over. */
  suffer(fault: Fault): Promise<void>
  note(text: string): void
  /** When the servers lost what they had stored, the first time. */
  lostStoreAt(): number | undefined
  log: readonly { at: number; text: string }[]
  /** What should have come to an end and did not. */
  unended: string[]
  close(): Promise<void>
}

const STOP_MS = 20_000
const CALL_MS = 10_000

/** Undefined when no answer came in time. */
export const within = async <T>(promise: Promise<T>, ms: number): Promise<T | undefined> => {
  promise.catch(() => {})
  return Promise.race([promise, wait(ms).then(() => undefined)])
}

export const statusOf = async (host: FleetLabHost): Promise<FleetStatus | undefined> => {
  const answer = await within(call(`${host.url()}/fleet`), CALL_MS).catch(() => undefined)
  return answer?.status === 200 ? (answer.json as FleetStatus) : undefined
}

const layerOf = (fault: Fault): string => {
  if (fault.on === 'node' || fault.on === 'servers') return 'node'
  return fault.on === 'cable' ? `cable ${fault.phone}` : `${fault.on} ${fault.host}`
}

const textOf = ({ atMs: _, ...fault }: Fault): string => JSON.stringify(fault)

export const openWorld = async (plan: Plan): Promise<World> => {
  const lab = await startFleetLab({
    hosts: HOSTS,
    nodes: NODES,
    linked: true,
    isSpaced: true,
    networkPhones: plan.phones.flatMap(({ isNetwork }, phone) => (isNetwork ? [phone] : [])),
    // A host of another trial that finds its way here by a port that is used again does not join.
    env: { SVC_FLEET_NAME: `seed-${plan.seed}` },
    phones: plan.phones.map(({ reachedBy }) => reachedBy.map(index => HOSTS[index] as string)),
  })
  const hosts = HOSTS.map(id => lab.host(id))
  const host = (index: number) => hosts[index] as FleetLabHost
  const plugged = plan.phones.map(({ reachedBy }) => reachedBy[0] ?? 0)
  for (const [phone, { reachedBy, isNetwork }] of plan.phones.entries())
    if (isNetwork) for (const other of reachedBy.slice(1)) host(other).plug(phone)
  const log: { at: number; text: string }[] = []
  const unended: string[] = []
  const note = (text: string) => void log.push({ at: Date.now(), text })

  const stop = async (index: number) => {
    const one = host(index)
    const stopped = await within(
      one.stop().then(() => true),
      STOP_MS,
    )
    if (stopped) return
    unended.push(`${one.id} did not end within ${STOP_MS} ms of SIGTERM`)
    await one.kill()
  }

  const onHost = async ({ host: index, does, forMs }: Fault & { on: 'host' }) => {
    const one = host(index)
    if (does === 'freeze') {
      one.freeze()
      await wait(forMs)
      one.thaw()
      return
    }
    if (does === 'drain') {
      const drained = await within(call(`${one.url()}/fleet/hosts/${one.id}/drain`, { method: 'POST' }), CALL_MS).catch(
        String,
      )
      note(`${one.id} drains: ${typeof drained === 'object' ? drained.status : drained}`)
      await wait(forMs)
      await stop(index)
    } else {
      await (does === 'stop' ? stop(index) : one.kill())
      await wait(forMs)
    }
    await start(one)
  }

  const start = async (one: FleetLabHost) => {
    const begun = Date.now()
    try {
      await one.start()
      note(`${one.id} started within ${Date.now() - begun} ms`)
    } catch (error) {
      unended.push(String(error))
    }
  }

  const onNode = async ({ node, does, forMs }: Fault & { on: 'node' }) => {
    if (does === 'freeze') lab.nats.freeze(node)
    else if (does === 'kill') await lab.nats.kill(node)
    else if (!lab.nats.isolate(node)) note(`server ${node} is not isolated: it has no network namespace`)
    await wait(forMs)
    if (does === 'freeze') lab.nats.thaw(node)
    else if (does === 'kill') lab.nats.start(node)
    else lab.nats.rejoin(node)
  }

  let lostStoreAt: number | undefined
  const onServers = async ({ does, forMs }: Fault & { on: 'servers' }) => {
    const nodes = lab.nats.urls.map((_url, node) => node)
    if (does === 'lose') lostStoreAt ??= Date.now()
    await Promise.all(nodes.map(node => lab.nats.kill(node)))
    await wait(forMs)
    for (const node of nodes) {
      if (does === 'lose') lab.nats.loseStore(node)
      lab.nats.start(node)
    }
    await lab.nats.ready()
  }

  const onCable = async ({ phone, does, to, forMs }: Fault & { on: 'cable' }) => {
    const from = does === 'move' ? (plugged[phone] ?? 0) : to
    host(from).unplug(phone)
    await wait(forMs)
    if (does === 'move') plugged[phone] = to
    host(to).plug(phone)
  }

  const onLink = async ({ host: index, does, forMs }: Fault & { on: 'link' }) => {
    host(index).cut(does)
    await wait(forMs)
    host(index).heal()
  }

  const doTo = async (fault: Fault) => {
    // What comes late because an earlier one took its time is left out: the trial is to end.
    if (Date.now() > latest) return
    note(`begins ${textOf(fault)}`)
    if (fault.on === 'host') await onHost(fault)
    else if (fault.on === 'node') await onNode(fault)
    else if (fault.on === 'servers') await onServers(fault)
    else if (fault.on === 'cable') await onCable(fault)
    else await onLink(fault)
    note(`ends   ${textOf(fault)}`)
  }
  /** A host that takes long to stop is not killed meanwhile: what comes next waits for its turn. */
  const turns = new Map<string, Promise<void>>()
  let latest = Number.POSITIVE_INFINITY

  return {
    lab,
    hosts,
    host,
    begin() {
      note('chaos begins')
      latest = Date.now() + plan.size.chaosMs
    },
    pluggedAt: phone => plugged[phone] ?? 0,
    suffer(fault) {
      const layer = layerOf(fault)
      const turn = (turns.get(layer) ?? Promise.resolve()).then(() => doTo(fault))
      turns.set(layer, turn)
      return turn
    },
    note,
    lostStoreAt: () => lostStoreAt,
    log,
    unended,
    close: () => lab.close(),
  }
}
