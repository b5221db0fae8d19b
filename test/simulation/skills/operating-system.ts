/** The processes of a simulated host that are no svc: children of runs, what they start, and bystanders. It reuses pids soon. */
import type { ProcessIdentity } from '../../../src/runtime/processes/processes.ts'
import type { ChildSystem } from '../../../src/service/skills/run/child-system.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import { createLane, createPipe, type Pipe } from './pipe.ts'
import { LATE_MS, type OnTerm, type Script } from './script.ts'

export interface Exit {
  exitCode: number | null
  signal: string | null
}

export interface SimulatedProcess {
  readonly name: string
  readonly pid: number
  readonly group: number
  /** The run that its environment names; none for a bystander. */
  readonly runId: string | undefined
  readonly owner: Owner
  /** The process that is told of its end. */
  readonly parent: Owner | undefined
  readonly onTerm: OnTerm
  readonly stdout: Pipe | undefined
  readonly stderr: Pipe | undefined
  /** Grows with each process: together with the pid it is what nobody else ever is. */
  readonly serial: number
  /** It has ended, and its parent was not told yet. */
  isZombie: boolean
  wasTold: boolean
  exit: Exit | undefined
  onEnd: (() => void)[]
  /** Virtual ms. */
  endedAt: number | undefined
}

export interface NewProcess
  extends Pick<SimulatedProcess, 'name' | 'runId' | 'onTerm' | 'parent' | 'stdout' | 'stderr'> {
  group?: number
}

interface SystemOptions {
  scheduler: Scheduler
  scriptOf(name: string): Script | undefined
  /** Begins what its script says. */
  play(process: SimulatedProcess, script: Script, start: (made: NewProcess) => SimulatedProcess): void
}

const FIRST_PID = 20
const SPAWN_MS = { min: 0, max: 3 }
const startedOf = ({ serial }: SimulatedProcess) => `child:${serial}`
const serialOf = (started: string) => Number(/^child:(\d+)$/.exec(started)?.[1] ?? 0)

const failure = (code: string, target: number) => Object.assign(new Error(`kill ${code} ${target}`), { code })

export const createOperatingSystem = ({ scheduler, scriptOf, play }: SystemOptions) => {
  const { post, cross } = scheduler
  const running = new Map<number, SimulatedProcess>()
  const lives = new Map<number, { owner: Owner; started: string }>()
  const children: SimulatedProcess[] = []
  const folders = new Map<string, Owner>()
  /** Processes that a signal has reached, though they belong to no run. */
  const hits: string[] = []
  let serials = 0

  const isFree = (pid: number) => !running.has(pid) && ![...running.values()].some(({ group }) => group === pid)
  const freePid = (): number => {
    for (let pid = FIRST_PID; ; pid++) if (isFree(pid)) return pid
  }

  const start = ({ group, ...made }: NewProcess): SimulatedProcess => {
    const pid = freePid()
    serials += 1
    const state = { isZombie: false, wasTold: false, exit: undefined, onEnd: [], endedAt: undefined }
    const owner = scheduler.owner(`${made.name}, process ${serials}`)
    const one: SimulatedProcess = { ...made, ...state, pid, group: group ?? pid, owner, serial: serials }
    running.set(pid, one)
    children.push(one)
    for (const pipe of [one.stdout, one.stderr]) pipe?.holders.add(one)
    scheduler.note(owner, `starts as ${pid}`)
    return one
  }

  const reap = (one: SimulatedProcess) => {
    if (running.get(one.pid) === one) running.delete(one.pid)
  }

  const end = (one: SimulatedProcess, exit: Exit) => {
    if (one.isZombie) return
    scheduler.note(one.owner, `ends with ${exit.exitCode ?? exit.signal}`)
    one.owner.isDead = true
    one.isZombie = true
    one.exit = exit
    one.endedAt = scheduler.now()
    for (const pipe of [one.stdout, one.stderr]) pipe?.leave(one)
    const tell = one.onEnd.splice(0)
    if (tell.length === 0) reap(one)
    for (const call of tell) call()
  }

  const tell = (one: SimulatedProcess, signal: NodeJS.Signals) => {
    if (one.runId === undefined) hits.push(`${one.name} got ${signal}`)
    if (one.isZombie) return
    one.wasTold = true
    if (signal === 'SIGKILL') return end(one, { exitCode: null, signal })
    if (one.onTerm === 'ignores') return
    const exit = one.onTerm === 'late' ? { exitCode: 0, signal: null } : { exitCode: null, signal }
    post(one.owner, one.onTerm === 'late' ? LATE_MS : one.owner.random.int(0, 3), `takes ${signal}`, () =>
      end(one, exit),
    )
  }

  const marked = (runId: string) => [...running.values()].filter(one => one.runId === runId && !one.isZombie)

  const spawner =
    (owner: Owner): ChildSystem['spawn'] =>
    (_, args, { env }) => {
      const listeners: Partial<Record<string, (...values: never[]) => void>> = {}
      const emit = (event: string, ...values: unknown[]) => listeners[event]?.(...(values as never[]))
      const lane = createLane(scheduler, owner)
      const delay = () => owner.random.int(SPAWN_MS.min, SPAWN_MS.max)
      let open = 3
      let exited: Exit | undefined
      const isOver = () => {
        open -= 1
        if (open === 0) emit('close', exited?.exitCode ?? null, exited?.signal ?? null)
      }
      const [stdout, stderr] = [0, 1].map(() => createPipe({ reader: owner, lane, delay, onEnd: isOver })) as [
        Pipe,
        Pipe,
      ]
      const on = (event: string, listener: (...values: never[]) => void) => {
        listeners[event] = listener
      }
      const handle = { pid: undefined as number | undefined, stdout, stderr, on, unref: () => {} }
      const name = args.at(-1) ?? ''
      const script = scriptOf(name)
      if (!cross(owner, `spawns ${name}`) || !script) return handle
      if (script.isUnstartable) {
        lane('spawns nothing', delay(), () => emit('error', failure('ENOENT', 0)))
        return handle
      }
      const one = start({ name, runId: env.SVC_SKILL_RUN_ID, onTerm: script.onTerm, parent: owner, stdout, stderr })
      handle.pid = one.pid
      lane('has spawned', delay(), () => emit('spawn'))
      one.onEnd.push(() => {
        if (owner.isDead) return reap(one)
        lane(`hears that ${one.pid} has ended`, delay(), () => {
          reap(one)
          exited = one.exit
          emit('exit', one.exit?.exitCode ?? null, one.exit?.signal ?? null)
          isOver()
        })
      })
      play(one, script, start)
      // It may die here: the child is there, and nobody knows of it.
      cross(owner, `has spawned ${name}`)
      return handle
    }

  const targets = (target: number) =>
    [...running.values()].filter(({ pid, group }) => (target < 0 ? group === -target : pid === target))

  return {
    systemFor(owner: Owner, { pid, started }: ProcessIdentity): ChildSystem {
      lives.set(pid, { owner, started })
      return {
        pid,
        startOf(asked) {
          const life = lives.get(asked)
          if (life) return life.owner.isDead ? undefined : life.started
          const one = running.get(asked)
          return one && !one.isZombie ? startedOf(one) : undefined
        },
        spawn: spawner(owner),
        openPty: () => Promise.reject(new Error('there are no terminals here')),
        kill(target, signal) {
          const reached = targets(target)
          if (signal === 0) {
            if (reached.length === 0) throw failure('ESRCH', target)
            return
          }
          if (!cross(owner, `sends ${signal} to ${target}`)) return
          if (lives.has(Math.abs(target))) hits.push(`process ${target} got ${signal}`)
          if (reached.length === 0) throw failure('ESRCH', target)
          for (const one of reached) tell(one, signal)
        },
        markedFinder:
          ({ value }, since) =>
          () =>
            marked(value).filter(({ serial }) => serial >= serialOf(since)),
        markedPids: ({ value }) => marked(value).map(one => one.pid),
        makeRunFolder({ runId }) {
          const path = `/runs/svc-run-${pid}-${runId}`
          if (cross(owner, 'makes a run folder')) folders.set(path, owner)
          return {
            path,
            remove: () => {
              if (!owner.isDead) folders.delete(path)
            },
          }
        },
        removeLeftRunFolders: () => {
          for (const [path, of] of folders) if (of.isDead) folders.delete(path)
        },
      }
    },
    end,
    start,
    /** A process has died: what it was to be told of is nobody's any more. */
    orphan() {
      for (const one of [...running.values()]) if (one.isZombie && one.parent?.isDead !== false) reap(one)
    },
    /** Everything ends at once. */
    reboot() {
      for (const one of [...running.values()]) {
        end(one, { exitCode: null, signal: 'reboot' })
        reap(one)
      }
    },
    /** The processes of a run that are there. */
    left: marked,
    /** Whatever was ever started. */
    children: children as readonly SimulatedProcess[],
    folders: (): string[] => [...folders.keys()],
    hits: hits as readonly string[],
  }
}

export type OperatingSystem = ReturnType<typeof createOperatingSystem>
