/** One trial: load with kills in it, recovery, the questions, and what the three tellers say in the end. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { call } from '../../support/http/http-client.ts'
import { ask } from './ask.ts'
import { FREE_AFTER_CONTAINER_MS } from './bounds.ts'
import { readHome } from './journal-story.ts'
import { outcomesOf } from './outcomes.ts'
import { type Kill, LOAD_MS, type Plan, type Step } from './plan.ts'
import { createRandom } from './random.ts'
import { eventsOnce } from './recovery-laws.ts'
import { revive } from './revive.ts'
import type { Server } from './server.ts'
import { suffer } from './suffer.ts'
import type { Ask, OutcomeEvent, Revival, Timeline } from './timeline.ts'
import { openWorld, type World } from './world.ts'

const QUIET_MS = 30_000
const EVENTS_MS = 10_000
/** In which an event that comes twice would come again. */
const TWICE_MS = 250
const LOOK_MS = 20

const cancelOne = async (world: World, way: 'http' | 'cli') => {
  const server = world.servers.find(one => one.isUp())
  if (!server) return
  const listed = await call(`${server.url}/executions?limit=20`).catch(() => undefined)
  const { executions = [] } = (listed?.json ?? {}) as { executions?: Receipt[] }
  const open = executions.find(({ state }) => state === 'accepted' || state === 'dispatched')
  if (!open) return
  if (way === 'cli') await world.svc('executions', 'cancel', open.executionId)
  else await call(`${server.url}/executions/${open.executionId}`, { method: 'DELETE' }).catch(() => {})
}

const moment = async (world: World, { atMs, waitsForRequest, afterMs }: Kill) => {
  await pause(atMs)
  const seen = world.phones.seen()
  for (const latest = Date.now() + LOAD_MS; waitsForRequest && world.phones.seen() === seen; ) {
    if (Date.now() > latest) break
    await pause(1)
  }
  await pause(afterMs)
}

/** Of all keys that were used, at every server that is up. */
const askAgain = (world: World, steps: readonly Step[], servers: readonly Server[]): Promise<Ask[]> =>
  Promise.all(steps.flatMap(step => servers.filter(one => one.isUp()).map(server => ask(step, world, server))))

const quiet = async (world: World) => {
  const isQuiet = async () => {
    const clients = world.processes().some(({ kind }) => kind === 'client')
    const truth = await world.phones.truth()
    return !clients && truth.every(({ requests }) => requests.every(({ finishedAt }) => finishedAt !== undefined))
  }
  for (const latest = Date.now() + QUIET_MS; !(await isQuiet()) && Date.now() < latest; ) await pause(LOOK_MS)
}

const receiptsOf = async (world: World) =>
  (await world.svc('executions', 'list', '--limit', '1000')).json<{ executions: Receipt[] }>().executions

const settledReceipts = async (world: World) => {
  const withinMs = world.around.canContain ? FREE_AFTER_CONTAINER_MS : QUIET_MS
  for (const latest = Date.now() + withinMs; ; await pause(200)) {
    const receipts = await receiptsOf(world)
    const isOver = receipts.every(({ state }) => state === 'settled' || state === 'interrupted')
    if (isOver || Date.now() > latest) return receipts
  }
}

const restart = (servers: readonly Server[]) =>
  Promise.all(servers.filter(one => !one.isUp()).map(server => server.start()))

/** The kills, and what is asked right after them at the servers that live on, while the first callers still wait. */
const disturb = async (plan: Plan, world: World): Promise<Ask[]> => {
  const began = Date.now()
  const random = createRandom(plan.seed ^ plan.trial)
  const strike = async (kill: Kill) => {
    await moment(world, kill)
    const sinceMs = Date.now() - began
    const victim = world.victim(kill, count => random.int(0, count - 1))
    const death = victim && (await world.kill(victim))
    const asked = death?.server ? plan.steps.filter(({ keyed, atMs }) => keyed && atMs < sinceMs) : []
    const again = askAgain(world, asked, world.servers)
    await pause(plan.restartMs)
    const restarted = restart(world.servers)
    return { again, restarted }
  }
  const strikes = plan.kills.map(strike)
  const second = Promise.race(strikes).then(() => (plan.secondKill ? strike(plan.secondKill) : undefined))
  const suffering = plan.troubles.map(trouble => suffer(world, trouble, count => random.int(0, count - 1)))
  const struck = await Promise.all([...strikes, second])
  await Promise.all(suffering)
  await Promise.all(struck.map(one => one?.restarted))
  await restart(world.servers)
  return (await Promise.all(struck.map(one => one?.again ?? []))).flat()
}

/** Executions of sessions and flows are named by those who make them: here each has the name of the row that it taps. */
const named = <T extends { commandId: string }>(receipts: readonly (T & { executionId: string })[], home: string) => {
  const { rows, ...story } = readHome(home)
  const names = new Map<string, string>()
  const renamed = receipts.map(receipt => {
    const commandId = rows.get(receipt.executionId) ?? receipt.commandId
    names.set(receipt.commandId, commandId)
    return { ...receipt, commandId }
  })
  const event = (one: OutcomeEvent): OutcomeEvent => ({ ...one, command: names.get(one.command ?? '') ?? one.command })
  return { ...story, receipts: renamed, event }
}

/** Nobody is at work: whoever still owns something is dead, or does not let go of it. */
const untilFree = async (world: World) => {
  for (const latest = Date.now() + QUIET_MS; readHome(world.home).leases.length > 0; await pause(200))
    if (Date.now() > latest) return
}

export const runTrial = async (plan: Plan): Promise<Timeline> => {
  const world = await openWorld(plan)
  try {
    const steps = plan.steps.flatMap(step => [
      pause(step.atMs).then(() => ask(step, world)),
      ...(step.twin === undefined
        ? []
        : [pause(step.atMs).then(() => ask(step, world, world.servers[step.twin ?? 0]))]),
    ])
    const cancels = plan.cancels.map(({ atMs, way }) => pause(atMs).then(() => cancelOne(world, way)))
    const early = await disturb(plan, world)
    const asks = [...(await Promise.all(steps)), ...early]
    await Promise.all(cancels)
    const revivals: Revival[] = []
    const keyed = plan.steps.filter(step => step.keyed)
    asks.push(...(await askAgain(world, keyed, world.servers)))
    asks.push(...(await revive(world, plan.steps.length, revivals)))
    await quiet(world)
    const settled = await settledReceipts(world)
    await untilFree(world)
    const timeline = async (): Promise<Timeline> => {
      const { event, ...story } = named(settled, world.home)
      return {
        ...story,
        phones: await world.phones.truth(),
        asks,
        deaths: world.deaths,
        events: world.servers.flatMap(server => outcomesOf(server)).map(event),
        revivals,
        touches: world.links.touches,
        suffered: world.suffered,
        setting: plan.setting,
        lacks: world.around.lacks,
      }
    }
    const isComplete = async () => eventsOnce(await timeline()).length === 0
    for (const latest = Date.now() + EVENTS_MS; !(await isComplete()) && Date.now() < latest; ) await pause(LOOK_MS)
    await pause(TWICE_MS)
    return await timeline()
  } finally {
    await world.close()
  }
}
