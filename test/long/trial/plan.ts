/** What one trial does: devices and their faults, who asks for what and when, which processes are killed, and what else breaks. Pure. */
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { type Setting, settingOf, type Trouble, troublesOf } from './plan-troubles.ts'
import { type Random, randomOf } from './random.ts'

export const SURFACES = ['http', 'daemon', 'direct', 'skill', 'mcp', 'mcp-http', 'flow', 'webdriver'] as const
export type Surface = (typeof SURFACES)[number]
export type Kind = 'serve' | 'daemon' | 'client'

export interface Step {
  /** Names the row that is tapped, and is the commandId. */
  command: string
  atMs: number
  surface: Surface
  device: number
  server: number
  timeoutMs: number
  operatorPackage: 'com.svc.operator' | 'svc.shell'
  /** Sleeps around the tap: moments to be killed in. */
  beforeMs: number
  afterMs: number
  /** A second request of the same execution, by the host's own hand. */
  picture: boolean
  keyed: boolean
  /** The same key and payload, at once, at any server. */
  twin: number | undefined
  /** By a copy of the program at another path, which counts as another build. */
  isOtherBuild: boolean
  /** In a pid namespace of its own, as in a container that shares the home. */
  isContained: boolean
}

export interface Kill {
  atMs: number
  /** Then waits for a phone to get a request. */
  waitsForRequest: boolean
  afterMs: number
  /** The first kind that has a live process loses one. */
  order: readonly Kind[]
  /** Which of the servers, if one is to go. */
  server: number
}

export interface Plan {
  seed: number
  trial: number
  /** The faults of each device. */
  faults: readonly (readonly Fault[])[]
  servers: number
  steps: readonly Step[]
  cancels: readonly { atMs: number; way: 'http' | 'cli' }[]
  kills: readonly Kill[]
  /** How long a killed server stays down. */
  restartMs: number
  /** In the midst of recovery: `atMs` counts from the first restart. */
  secondKill: Kill | undefined
  setting: Setting
  troubles: readonly Trouble[]
}

/** Each costs its caller all of the time it has. */
const SILENT = ['no-result', 'late', 'truncate', 'drop-chunk'] as const
const QUICK = ['slow', 'late', 'link-lost-before', 'link-lost-after', 'repeat-chunk', 'garbage'] as const
const KINDS: readonly Kind[] = ['serve', 'daemon', 'client']
export const LOAD_MS = 1_600
const RECOVERY_MS = 600
/** What a command takes until it asks. */
const START_MS = 600

/** Executions of flows and WebDriver have long times of their own: there, nothing is silent. */
const faultOf = (random: Random, mayBeSilent: boolean): Fault => {
  const after = random.int(0, 4)
  if (mayBeSilent && random.chance(0.2)) return { after, do: random.pick(SILENT), times: 1 }
  const kind = random.pick(QUICK)
  const ms = kind === 'slow' || kind === 'late' ? { ms: random.int(200, 1_800) } : {}
  return { after, do: kind, times: random.int(1, 2), ...ms }
}

/** Who has an execution of that surface in hand. */
const HANDS = {
  http: ['serve'],
  daemon: ['daemon', 'daemon', 'client'],
  direct: ['client'],
  skill: ['daemon', 'client'],
  mcp: ['client'],
  'mcp-http': ['serve'],
  flow: ['client'],
  webdriver: ['serve'],
} as const satisfies Record<Surface, readonly [Kind, ...Kind[]]>
const ANY: Omit<Kill, 'atMs' | 'order'> = { waitsForRequest: false, afterMs: 0, server: 0 }

const anyKill = (random: Random, withinMs: number): Kill => ({
  ...ANY,
  atMs: random.int(0, withinMs),
  order: random.shuffle(KINDS),
})

/** Most kills are aimed at an execution: from before it is accepted until after its answer. */
const killOf = (random: Random, steps: readonly Step[]): Kill => {
  const step = steps[random.int(0, steps.length - 1)]
  if (!step || random.chance(0.2)) return anyKill(random, LOAD_MS)
  const { atMs, surface, server, beforeMs, afterMs } = step
  const kind = random.pick<Kind>(HANDS[surface])
  const order = [kind, ...random.shuffle(KINDS.filter(other => other !== kind))]
  const waitsForRequest = random.chance(0.5)
  const isByServer = HANDS[surface][0] === 'serve'
  const startMs = waitsForRequest || isByServer ? 0 : START_MS
  return { atMs, waitsForRequest, afterMs: random.int(0, startMs + beforeMs + afterMs + 60), order, server }
}

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** The doors that executions come through most have their share beside; keys exist over HTTP only. */
const surfaceOf = (random: Random): Surface =>
  random.chance(0.6)
    ? random.pick(SURFACES)
    : random.pick(['http', 'http', 'http', 'daemon', 'daemon', 'direct', 'skill'])

const stepOf = (random: Random, index: number, devices: number, servers: number, setting: Setting): Step => {
  const surface = surfaceOf(random)
  const keyed = surface === 'http' && random.chance(0.6)
  const isShell = random.chance(0.15)
  const isCommand = surface === 'daemon' || surface === 'direct' || surface === 'mcp'
  return {
    command: `tap-${index}`,
    atMs: random.int(0, LOAD_MS),
    surface,
    device: random.int(0, devices - 1),
    server: random.int(0, servers - 1),
    timeoutMs: random.pick([1_000, 1_500, 2_500]),
    operatorPackage: isShell ? 'svc.shell' : 'com.svc.operator',
    beforeMs: random.pick([0, random.int(1, 300), random.int(1, 600)]),
    afterMs: random.pick([0, 0, random.int(1, 300)]),
    picture: random.chance(0.15),
    keyed,
    twin: keyed && random.chance(0.3) ? random.int(0, servers - 1) : undefined,
    isOtherBuild: setting === 'builds' && isCommand && random.chance(0.5),
    // The daemon of a container is not found from here, and the other way round.
    isContained: setting === 'container' && isCommand && surface !== 'daemon' && random.chance(0.7),
  }
}

const LONG_SURFACES: readonly Surface[] = ['flow', 'webdriver']

export const planOf = (seed: number, trial: number): Plan => {
  const random = randomOf(seed, trial)
  const setting = settingOf(trial)
  const devices = random.int(1, 3)
  const servers = random.int(1, 2)
  const steps = listOf(random.int(5, 10), index => stepOf(random, index, devices, servers, setting))
  const mayBeSilent = !steps.some(({ surface }) => LONG_SURFACES.includes(surface))
  const second = random.chance(0.35)
  return {
    seed,
    trial,
    faults: listOf(devices, () => listOf(random.int(0, 3), () => faultOf(random, mayBeSilent))),
    servers,
    steps,
    cancels: listOf(random.int(0, 2), () => ({ atMs: random.int(100, LOAD_MS), way: random.pick(['http', 'cli']) })),
    kills: listOf(random.int(1, 3), () => killOf(random, steps)),
    restartMs: random.int(0, 300),
    secondKill: second ? anyKill(random, RECOVERY_MS) : undefined,
    setting,
    troubles: troublesOf(random, { setting, devices, servers, kinds: KINDS, loadMs: LOAD_MS }),
  }
}
