/** One trial of AVDs: changes and what breaks meanwhile, then rest, then each AVD is changed once more. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningCli } from '../../support/cli/run-cli.ts'
import type { Serving } from '../../support/cli/serve.ts'
import { ABI, type EmulatorLab, routesOf, startEmulatorLab } from '../../support/emulators/emulator-lab.ts'
import type { Answer } from '../../support/http/http-client.ts'
import { kill } from '../trial/home-processes.ts'
import { readHome } from '../trial/journal-story.ts'
import { type Random, randomOf } from '../trial/random.ts'
import type { AvdTruth, EmulatorAsk, EmulatorTimeline } from './laws.ts'
import type { Change, EmulatorPlan, EmulatorStep, EmulatorTrouble } from './plan.ts'

/** Longer than a start, a repair and a stop that nobody obeys together. */
const HUNG_MS = 120_000
const REST_MS = 60_000
const LOOK_MS = 200
const CONNECT_TRIES = 100
const SIGNALS = { kill: 'SIGKILL', terminate: 'SIGTERM' } as const

interface World {
  lab: EmulatorLab
  serving: Serving
  /** Commands that have not ended. */
  commands: Set<RunningCli>
  done: { at: number; what: string }[]
}

const isTool = (pid: number, { lab }: World) => {
  const call = lab.sdk.calls().findLast(one => one.pid === pid)
  return call !== undefined && !(call.tool === 'emulator' && call.argv[0]?.startsWith('@'))
}

const emulatorsOf = (avd: string, { lab }: World): number[] => {
  const alive = new Set(lab.alive('emulator'))
  return lab.sdk.calls('emulator').flatMap(({ argv, pid }) => (argv[0] === `@${avd}` && alive.has(pid) ? [pid] : []))
}

const serve = async (world: Pick<World, 'lab'>) => world.lab.serveApart()

const facts = (json: unknown) => {
  const { ok, error, code } = (json ?? {}) as { ok?: boolean; error?: { code?: string }; code?: string }
  return { ok: ok === true, code: error?.code ?? code }
}

const overHttp = async ({ serving }: World, { avd, change }: Pick<EmulatorStep, 'avd' | 'change'>) => {
  const routes = routesOf(serving.url)
  const sent: Promise<Answer> = change === 'create' ? routes.create({ name: avd, abi: ABI }) : routes[change](avd)
  const answer = await sent.catch(() => undefined)
  return answer ? { kind: 'answered' as const, ...facts(answer.json) } : { kind: 'lost' as const, ok: false }
}

const byCommand = async (world: World, { avd, change }: EmulatorStep) => {
  const running = world.lab.start(['emulators', change, avd, ...(change === 'create' ? ['--abi', ABI] : [])], {
    longestMs: HUNG_MS + REST_MS,
  })
  world.commands.add(running)
  const { stdout, signal } = await running.ended
  world.commands.delete(running)
  if (signal !== null || stdout === '') return { kind: 'lost' as const, ok: false }
  return { kind: 'answered' as const, ...facts(JSON.parse(stdout)) }
}

const ask = async (world: World, step: EmulatorStep, door: EmulatorAsk['door'] = step.door): Promise<EmulatorAsk> => {
  const began = Date.now()
  const hung = pause(HUNG_MS, { kind: 'hung' as const, ok: false }, { ref: false })
  const asked = step.door === 'http' ? overHttp(world, step) : byCommand(world, step)
  const said: { kind: EmulatorAsk['kind']; ok: boolean; code?: string | undefined } = await Promise.race([asked, hung])
  return { ...step, door, began, ended: Date.now(), kind: said.kind, ok: said.ok, code: said.code }
}

const victimsOf = (world: World, what: 'serve' | 'client' | 'tool' | 'emulator'): number[] => {
  if (what === 'serve') return world.serving.isRunning() ? [world.serving.running.child.pid ?? 0] : []
  if (what === 'client') return [...world.commands].flatMap(({ child }) => child.pid ?? [])
  const alive = world.lab.alive()
  return alive.filter(pid => isTool(pid, world) === (what === 'tool'))
}

const suffer = async (world: World, trouble: EmulatorTrouble, random: Random): Promise<void> => {
  await pause(trouble.atMs)
  const { lab, done } = world
  if (trouble.does === 'restart-adb') {
    done.push({ at: Date.now(), what: 'the adb server ends' })
    await lab.adb.run('kill-server')
    await pause(trouble.forMs)
    // Whoever missed it has started another one.
    for (let tries = 0; tries < CONNECT_TRIES; tries += 1) if ((await lab.adb.run('devices')).code === 0) break
    return
  }
  const victims = victimsOf(world, trouble.what)
  const pid = victims[random.int(0, Math.max(0, victims.length - 1))]
  if (pid === undefined) return
  const isServer = trouble.what === 'serve'
  const { serving } = world
  done.push({ at: Date.now(), what: `${trouble.does} ${trouble.what} ${pid}` })
  if (trouble.does === 'freeze') {
    kill(pid, 'SIGSTOP')
    await pause(trouble.forMs)
    kill(pid, 'SIGCONT')
    return
  }
  kill(pid, SIGNALS[trouble.does])
  if (!isServer) {
    // An emulator that is asked to end does so a moment later: until then a look and a question would differ.
    for (const latest = Date.now() + REST_MS; world.lab.alive().includes(pid) && Date.now() < latest; )
      await pause(LOOK_MS)
    return
  }
  await serving.running.ended
  await pause(trouble.forMs)
  world.serving = await serve(world)
  done.push({ at: Date.now(), what: 'the server is there again' })
}

interface ActorsAnswer {
  actors?: { id: string; state: string }[]
}

const restlessIn = async ({ serving }: World): Promise<string[]> => {
  const answer = await fetch(`${serving.url}/actors?machine=emulator`).catch(() => undefined)
  if (!answer) return ['the server does not answer']
  const { actors = [] } = (await answer.json()) as ActorsAnswer
  return actors
    .filter(({ id, state }) => id.startsWith('emulator:') && !state.startsWith('resting'))
    .map(({ id, state }) => `${id} is ${state}`)
}

const orphansOf = (world: World): string[] =>
  world.lab
    .alive()
    .filter(pid => isTool(pid, world))
    .map(pid => JSON.stringify(world.lab.sdk.calls().findLast(one => one.pid === pid)))

const untilRest = async (world: World) => {
  for (const latest = Date.now() + REST_MS; Date.now() < latest; await pause(LOOK_MS)) {
    const isAtRest = world.commands.size === 0 && (await restlessIn(world)).length === 0
    if (isAtRest && orphansOf(world).length === 0 && readHome(world.lab.svcHome).leases.length === 0) return
  }
}

const truthOf = async (world: World, avd: string): Promise<AvdTruth> => {
  const { avdHome } = world.lab.sdk
  const { json } = await routesOf(world.serving.url).get(avd)
  const { exists = false, running = false } = json as AvdTruth['said']
  return {
    avd,
    hasFiles: existsSync(join(avdHome, `${avd}.ini`)) && existsSync(join(avdHome, `${avd}.avd`)),
    pids: emulatorsOf(avd, world),
    said: { exists, running },
  }
}

/** An emulator that was restarted by nobody registers with a new adb server by itself, a moment later. */
const truthsOf = async (world: World, avds: readonly string[]): Promise<AvdTruth[]> => {
  const isTrue = ({ pids, said }: AvdTruth) => pids.length > 0 === said.running
  for (const latest = Date.now() + REST_MS / 4; ; await pause(LOOK_MS)) {
    const truths = await Promise.all(avds.map(avd => truthOf(world, avd)))
    if (truths.every(isTrue) || Date.now() > latest) return truths
  }
}

/** From whatever it is in, each AVD can be brought to run, to stop and to be gone. */
const probe = async (world: World, { avd, hasFiles, pids }: AvdTruth): Promise<EmulatorAsk[]> => {
  const before: Change[] = hasFiles ? [] : ['create']
  const changes: Change[] = [...before, ...(pids.length > 0 ? [] : (['start'] as const)), 'stop', 'delete']
  const asks: EmulatorAsk[] = []
  for (const change of changes) asks.push(await ask(world, { atMs: 0, avd, change, door: 'http' }, 'probe'))
  return asks
}

export const runEmulatorTrial = async (plan: EmulatorPlan): Promise<EmulatorTimeline> => {
  const { createMs, deleteMs, bootMs, endMs, avds } = plan
  const lab = await startEmulatorLab({
    modes: { avdmanager: { createMs, deleteMs }, emulator: { bootMs, endMs } },
  })
  try {
    lab.addAvds(...plan.present)
    const world: World = { lab, serving: await serve({ lab }), commands: new Set(), done: [] }
    const random = randomOf(plan.seed, plan.trial)
    const asking = plan.steps.map(step => pause(step.atMs).then(() => ask(world, step)))
    let turn: Promise<void> = Promise.resolve()
    const suffering = plan.troubles.map(trouble => {
      // One thing that is away at a time: a server that is started is not killed before it listens.
      const mine = pause(trouble.atMs).then(() => {
        turn = turn.then(() => suffer(world, { ...trouble, atMs: 0 }, random))
        return turn
      })
      return mine
    })
    await Promise.all(suffering)
    if (!world.serving.isRunning()) world.serving = await serve(world)
    const asks = await Promise.all(asking)
    await untilRest(world)
    const truths = [await truthsOf(world, avds)]
    for (const truth of truths[0] ?? []) asks.push(...(await probe(world, truth)))
    await untilRest(world)
    truths.push(await truthsOf(world, avds))
    const { leases, unlike } = readHome(lab.svcHome)
    const starts = lab.sdk
      .calls('emulator')
      .flatMap(({ argv, at }) => (argv[0]?.startsWith('@') ? [{ avd: argv[0].slice(1), at }] : []))
    return {
      asks,
      truths,
      starts,
      orphans: orphansOf(world),
      restless: await restlessIn(world),
      leases,
      unlike,
      done: world.done,
    }
  } finally {
    await lab.close()
  }
}
