/** Runs one plan with daemons: the real client of each command, over simulated sockets, locks and daemons. */

import { pause } from '../../../src/runtime/clock.ts'
import { type ProxyOptions, type ProxyResult, proxyCommand } from '../../../src/surfaces/daemon/client/proxy.ts'
import { ownedClock, TIMER } from '../clock.ts'
import { createScheduler, type Owner } from '../scheduler.ts'
import { type Acts, createDaemons, ENVIRONMENT, OURS } from './daemons.ts'
import { type Command, type DaemonFault, type DaemonPlan, FAULTS_UNTIL_MS } from './plan.ts'

/** The longest wait for an answer, and everything before and after it. */
const END_MS = FAULTS_UNTIL_MS + 60_000
const PROBE_AT_MS = FAULTS_UNTIL_MS + 30_000
const TIMEOUT_MS = 3_000
const READY_MS = 3_000
const POLL_MS = 50

export interface Sent {
  command: Command
  began: number
  /** When the client had its result, and when a direct run was over. */
  ended: number | undefined
  result: ProxyResult | undefined
  ranDirectly: boolean
  isDead: boolean
  events: string[]
}

export interface DaemonWorld {
  plan: DaemonPlan
  sent: readonly Sent[]
  probe: Sent
  acts: readonly Acts[]
  bodies: ReadonlyMap<string, number>
  misled: ReadonlySet<string>
  starts: readonly { by: string; from: number; until: number }[]
  left: readonly string[]
}

export interface DaemonTrial {
  world: DaemonWorld
  hash: string
  steps: number
  effects: ReadonlyMap<string, number>
  trace: readonly string[]
}

/** Loaded ahead: to load code takes real time, in which a world stands still. */
const loadClient = () =>
  Promise.all([
    import('../../../src/surfaces/daemon/client/start.ts'),
    import('../../../src/surfaces/daemon/client/cancel.ts'),
    import('../../../src/surfaces/daemon/client/failures.ts'),
    import('../../../src/surfaces/daemon/client/other-environment.ts'),
  ])

export const runDaemonPlan = async (plan: DaemonPlan): Promise<DaemonTrial> => {
  await loadClient()
  const scheduler = createScheduler(plan.seed)
  const harness = scheduler.owner('world')
  const { post } = scheduler
  const daemons = createDaemons(scheduler, harness)
  const { state } = daemons
  const starts: { by: string; from: number; until: number }[] = []
  const links: { client: Owner; isOpen(): boolean }[] = []
  const left: string[] = []
  let holder: Owner | undefined

  const startFor = (client: Owner, clock: ReturnType<typeof ownedClock>): ProxyOptions['start'] => {
    return async reason => {
      const one = { by: client.name, from: scheduler.now(), until: Number.POSITIVE_INFINITY }
      starts.push(one)
      const started = async () => {
        await pause(clock, client.random.int(1, 20))
        const found = daemons.alive()
        if (found && reason === 'differed') {
          daemons.retire(found)
          await pause(clock, client.random.int(1, 200))
          if (found.owner.frozenUntil > scheduler.now()) daemons.end(found.owner, false)
          await pause(clock, 2_100)
          daemons.end(found.owner, false)
        } else if (found && !found.isEnding) return undefined
        if (!scheduler.cross(client, 'starts a daemon')) return new Promise<never>(() => {})
        if (state.cannotStart) return 'it cannot be started'
        if (found?.isEnding) daemons.end(found.owner, false)
        daemons.start('ours', plan.bootMs)
        const until = clock.elapsed() + READY_MS
        while (!daemons.alive() && clock.elapsed() < until) await pause(clock, POLL_MS)
        return daemons.alive() ? undefined : 'the daemon did not become ready in time'
      }
      const message = await started()
      one.until = scheduler.now()
      return message
    }
  }

  const send = (command: Command): Sent => {
    const client = scheduler.owner(`client of ${command.name}`)
    const clock = ownedClock(scheduler, client, { setBy: 0 })
    client.diesAtUse = command.diesAtUse
    const interrupt = new AbortController()
    const sent: Sent = {
      command,
      began: command.at,
      ended: undefined,
      result: undefined,
      ranDirectly: false,
      isDead: false,
      events: [],
    }
    const { name, kind, workMs } = command
    const execution = { commandId: name, timeoutMs: TIMEOUT_MS, workMs, actions: [] }
    const options: ProxyOptions = {
      clock,
      version: OURS,
      environment: ENVIRONMENT,
      home: '/proc/simulated',
      isDisabled: false,
      platform: 'linux',
      signal: interrupt.signal,
      start: startFor(client, clock),
      cancelRecorded: async id => {
        await pause(clock, client.random.int(1, 20))
        if (command.isJournalMute) throw new Error('the journal cannot be opened')
        return daemons.cancelRecorded(id) as { dispatchedAt?: number }
      },
      onEvent: ({ type }) => {
        sent.events.push(type)
        scheduler.note(client, type)
      },
      system: {
        connect: () => {
          if (!scheduler.cross(client, 'connects')) return { on() {}, write() {}, destroy() {}, unref() {} } as never
          const link = daemons.connect(client)
          links.push({ client, isOpen: link.isOpen })
          return link.socket
        },
        ownerOf: daemons.ownerOf,
        homeProblem: () => undefined,
        tryLock() {
          if (!scheduler.cross(client, 'takes the lock')) return { kind: 'unavailable', message: 'it died' }
          if (holder && !holder.isDead) return { kind: 'taken', holder: { pid: 1, startTime: holder.name } }
          holder = client
          return {
            kind: 'held',
            release: () => {
              if (holder === client && !client.isDead) holder = undefined
            },
          }
        },
      },
    }
    const finish = (result: ProxyResult) => {
      sent.result = result
      scheduler.note(client, `ends ${result.kind}`)
      for (const what of scheduler.waiting(client))
        if (what.startsWith(TIMER)) left.push(`${client.name}: ${what}, at its end`)
      if (result.kind !== 'direct') {
        sent.ended = scheduler.now()
        return
      }
      post(client, workMs, 'runs by itself', () => {
        sent.ended = scheduler.now()
        if (interrupt.signal.aborted) return
        sent.ranDirectly = true
        daemons.acts.push({ command: name, by: 'client', at: scheduler.now() })
      })
    }
    post(client, command.at, 'begins', () => {
      const asked = { kind, execution, device: undefined, operatorPackage: undefined }
      proxyCommand(asked, options).then(finish, error => void sent.events.push(`threw ${error}`))
      if (command.interruptAfterMs !== undefined)
        post(client, command.interruptAfterMs, 'is interrupted', () => interrupt.abort('SIGINT'))
    })
    scheduler.onDeath(owner => {
      if (owner === client) sent.isDead = true
    })
    return sent
  }

  const over = (ms: number, undo: () => void) => post(harness, ms, 'a fault is over', undo)
  const play = (fault: DaemonFault): void => {
    const daemon = daemons.alive()
    switch (fault.kind) {
      case 'kill':
        if (daemon) daemons.end(daemon.owner, true)
        return
      case 'freeze':
        if (daemon) daemon.owner.frozenUntil = scheduler.now() + fault.ms
        return
      case 'end':
        if (daemon && !daemon.isEnding) daemons.retire(daemon)
        return
      case 'hang-up':
        state.hangUp = { afterMessages: fault.afterMessages, times: fault.times }
        return
      case 'late-answers':
        state.extraMs = fault.extraMs
        over(fault.ms, () => {
          state.extraMs = 0
        })
        return
      case 'cannot-start':
        state.cannotStart = true
        over(fault.ms, () => {
          state.cannotStart = false
        })
        return
    }
  }

  daemons.begin(plan.listener)
  const sent = plan.commands.map(send)
  for (const fault of plan.faults) post(harness, fault.at, JSON.stringify(fault), () => play(fault))
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    state.hangUp.times = 0
  })
  const probe = send({ name: 'probe', at: PROBE_AT_MS, kind: 'exec', workMs: 50 })

  if ((await scheduler.run(END_MS)) === 'steps') left.push('the world never comes to rest')
  const clients = [...new Set(links.map(({ client }) => client))].filter(({ isDead }) => !isDead)
  for (const client of clients) {
    left.push(...scheduler.waiting(client).flatMap(what => (what.startsWith(TIMER) ? [`${client.name}: ${what}`] : [])))
    const open = links.filter(link => link.client === client && link.isOpen()).length
    if (open > 0) left.push(`${client.name}: ${open} connections`)
  }
  if (holder && !holder.isDead) left.push(`${holder.name}: the lock`)
  return {
    world: { plan, sent, probe, acts: daemons.acts, bodies: daemons.bodies, misled: daemons.misled, starts, left },
    hash: scheduler.hash(),
    effects: scheduler.effects(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
