/** One trial: everything is started, broken and healed while callers ask and watchers listen; then all of it is read. */
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { Asked, Ran, Seen, Story, Told } from '../../laws/story.ts'
import { watchersHeardAll } from '../../laws/watch-law.ts'
import { call } from '../../support/http/http-client.ts'
import { wait } from '../../support/until.ts'
import { ask, deviceOf } from './asks.ts'
import { readJournals, unlikeIn } from './journals.ts'
import type { AskPlan, Plan } from './plan.ts'
import { startWatcher, type Watcher } from './watcher.ts'
import { openWorld, statusOf, type World, within } from './world.ts'

/** For all hosts to serve again, and for what is in the making to end, once nothing is broken any more. */
const WHOLE_MS = 60_000
/** For a phone to answer at a host after that. */
const BACK_MS = 30_000
/** For the watchers to hear what the journals have. */
const HEARD_MS = 20_000
const LOOK_MS = 250
const RECEIPT_MS = 10_000
const PROBE = { timeoutMs: 5_000, sleepMs: 1, isLong: false, key: undefined }

/** What a client does with one execution: it asks, and with a key it asks again elsewhere. */
const askAsPlanned = async (world: World, plan: AskPlan): Promise<Asked[]> => {
  const { command, keyed, target } = plan
  await wait(plan.atMs)
  const errand = { ...plan, device: deviceOf(world, target), key: keyed && `key-of-${command}` }
  const first = ask(world, errand)
  if (!keyed) return [await first]
  // A caller that repeats does not always wait for the first answer.
  await Promise.race([first, wait(keyed.repeatMs)])
  return Promise.all([first, ask(world, { ...errand, host: keyed.host })])
}

const seenBy = ({ lab }: World): Seen[] =>
  lab.fleet.devices.flatMap(({ phone: device }, phone) =>
    device.arrivals().map(({ wireId, at }) => ({ phone, wireId, at })),
  )

const arePhonesIdle = ({ lab }: World): boolean =>
  lab.fleet.devices.every(({ phone }) => phone.executions().every(({ finishedAt }) => finishedAt !== undefined))

/** Why the fleet is not whole and quiet yet. */
const unrest = async (world: World): Promise<string | undefined> => {
  for (const host of world.hosts) {
    const status = await statusOf(host)
    if (!status?.connected) return `${host.id} is ${status ? 'not connected' : 'silent'}`
    const other = status.hosts.find(({ state, lag }) => state !== 'serving' || lag !== 0)
    if (other) return `${host.id} says that ${other.host} is ${other.state}, with ${other.lag} records to tell`
    if (status.hosts.length !== world.hosts.length) return `${host.id} knows ${status.hosts.length} hosts`
  }
  if (!arePhonesIdle(world)) return 'a phone is busy'
  return undefined
}

const untilQuiet = async (world: World): Promise<void> => {
  const latest = Date.now() + WHOLE_MS
  for (let why = await unrest(world); why !== undefined; why = await unrest(world)) {
    if (Date.now() > latest) {
      world.unended.push(`it did not become whole within ${WHOLE_MS} ms: ${why}`)
      return
    }
    await wait(LOOK_MS)
  }
}

/** Asks a phone at a host until it does something; each try is an execution like any other. */
const probe = async (world: World, phone: number, host: number): Promise<Asked[]> => {
  const asked: Asked[] = []
  for (const latest = Date.now() + BACK_MS; ; await wait(LOOK_MS)) {
    const command = `probe-${phone}-${host}-${asked.length}`
    const device = deviceOf(world, { kind: 'phone', phone, as: 'plugged' })
    const told = await ask(world, { ...PROBE, command, host, device })
    asked.push(told)
    if (told.answer.claim === 'did') return asked
    if (Date.now() < latest) continue
    world.unended.push(`${told.host} did not get through to phone ${phone} (${device}): ${told.text}`)
    return asked
  }
}

/** Everything that was asked with a key, at every host: the same execution is meant. */
const repeatKeys = async (world: World, { asks }: Plan, asked: readonly Asked[]): Promise<Asked[]> => {
  const again: Asked[] = []
  for (const plan of asks) {
    const before = asked.find(({ command, key }) => command === plan.command && key !== undefined)
    if (!before) continue
    for (const host of world.hosts.keys()) again.push(await ask(world, { ...plan, ...before, host }))
  }
  return again
}

const receiptsOf = async (world: World, ran: readonly Ran[]): Promise<Told[]> => {
  const told: Told[] = []
  for (const { executionId, host: owner } of ran) {
    const said = await Promise.all(
      world.hosts.map(async ({ id, url }) => {
        const answer = await within(call(`${url()}/executions/${executionId}`), RECEIPT_MS).catch(String)
        const json = typeof answer === 'object' ? (answer.json as { execution?: Receipt }) : undefined
        return [id, json?.execution ?? (typeof answer === 'object' ? answer.text : answer)] as const
      }),
    )
    const byHost = Object.fromEntries(said)
    const own = byHost[owner]
    told.push({ executionId, owner, own: typeof own === 'object' ? own : undefined, byHost })
  }
  return told
}

const untilHeard = async (world: World, watchers: readonly Watcher[]): Promise<void> => {
  const isHeard = () => {
    const { journals } = readJournals(world)
    return watchersHeardAll({ journals, watched: watchers.map(watcher => watcher.watched()) }).length === 0
  }
  for (const latest = Date.now() + HEARD_MS; !isHeard() && Date.now() < latest; ) await wait(LOOK_MS)
}

export const runTrial = async (plan: Plan): Promise<Story> => {
  const world = await openWorld(plan)
  const watchers: Watcher[] = []
  try {
    await untilQuiet(world)
    for (const [index, staysMs] of plan.staysMs.entries()) watchers.push(startWatcher(world, index, staysMs))
    world.begin()
    const asking = plan.asks.map(one => askAsPlanned(world, one))
    const faults = await Promise.allSettled(plan.faults.map(fault => wait(fault.atMs).then(() => world.suffer(fault))))
    for (const fault of faults) if (fault.status === 'rejected') throw fault.reason
    world.note('all is healed')
    const asked = (await Promise.all(asking)).flat()
    await untilQuiet(world)
    world.note('all is quiet')
    asked.push(...(await repeatKeys(world, plan, asked)))
    const probeAtEach = async (phone: number) => {
      for (const host of world.hosts.keys()) asked.push(...(await probe(world, phone, host)))
    }
    await Promise.all(plan.phones.map((_, phone) => probeAtEach(phone)))
    await untilQuiet(world)
    for (const watcher of watchers) watcher.settle()
    const lostStoreAt = world.lostStoreAt()
    // The watchers have not heard what the log has lost.
    if (lostStoreAt === undefined) await untilHeard(world, watchers)
    const { ran, journals } = readJournals(world)
    const receipts = await receiptsOf(world, ran)
    await Promise.all(watchers.map(watcher => watcher.close()))
    return {
      networkPhones: plan.phones.flatMap(({ isNetwork }, phone) => (isNetwork ? [phone] : [])),
      seen: seenBy(world),
      asked,
      ran,
      journals,
      receipts,
      watched: watchers.map(watcher => watcher.watched()),
      unended: world.unended,
      lostStoreAt,
      unlike: unlikeIn(world),
      log: world.log,
    }
  } finally {
    await Promise.all(watchers.map(watcher => watcher.close()))
    await world.close()
  }
}
