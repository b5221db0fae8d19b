/** What the disk and the processes are, what svc says of each AVD, and what its callers were told must be one story. Pure. */
import type { Change } from './plan.ts'

export interface EmulatorAsk {
  avd: string
  change: Change
  door: 'http' | 'cli' | 'probe'
  began: number
  ended: number
  /** `lost`: no answer, because somebody was killed; `hung`: given up on. */
  kind: 'answered' | 'lost' | 'hung'
  ok: boolean
  code: string | undefined
}

export interface AvdTruth {
  avd: string
  /** Its folder and its .ini are there. */
  hasFiles: boolean
  /** The emulators that live for it. */
  pids: readonly number[]
  said: { exists?: boolean; running?: boolean }
}

export interface EmulatorTimeline {
  asks: readonly EmulatorAsk[]
  /** After the chaos, and again after the probes. */
  truths: readonly (readonly AvdTruth[])[]
  /** When emulators began, by AVD. */
  starts: readonly { avd: string; at: number }[]
  /** Tools that live when nobody is at work, emulators apart. */
  orphans: readonly string[]
  /** Of AVDs that do not rest when nobody is at work. */
  restless: readonly string[]
  leases: readonly string[]
  unlike: readonly string[]
  done: readonly { at: number; what: string }[]
}

const truthProblems = ({ avd, hasFiles, pids, said }: AvdTruth): string[] => [
  ...(pids.length > 1 ? [`${avd} has ${pids.length} emulators: ${pids.join(', ')}`] : []),
  ...(said.exists !== hasFiles ? [`${avd}: svc says exists ${said.exists}, and its files say ${hasFiles}`] : []),
  ...(said.running !== pids.length > 0
    ? [`${avd}: svc says running ${said.running} with ${pids.length} emulators`]
    : []),
]

/** A start that succeeded had an emulator; a change that was told as done after all others is the truth. */
const answerProblems = ({ asks, starts }: EmulatorTimeline): string[] =>
  asks
    .filter(({ ok, change, avd, ended }) => {
      const hasBegun = starts.some(one => one.avd === avd && one.at <= ended)
      return ok && change === 'start' && !hasBegun
    })
    .map(({ avd, door }) => `${avd}: a start by ${door} was told as done, and no emulator was ever started`)

const probeProblems = ({ asks }: EmulatorTimeline): string[] =>
  asks
    .filter(({ door, ok }) => door === 'probe' && !ok)
    .map(({ avd, change, code, kind }) => `${avd}: when all is healed, ${change} is ${kind}: ${code}`)

export const judgeEmulators = (timeline: EmulatorTimeline): string[] => [
  ...timeline.truths.flat().flatMap(truthProblems),
  ...answerProblems(timeline),
  ...probeProblems(timeline),
  ...timeline.asks
    .filter(({ kind }) => kind === 'hung')
    .map(({ avd, change, door }) => `${avd}: ${change} by ${door} was never answered`),
  ...timeline.orphans.map(one => `a tool is left: ${one}`),
  ...timeline.restless.map(one => `it does not come to rest: ${one}`),
  ...timeline.leases.map(one => `a lease is left: ${one}`),
  ...timeline.unlike,
]

export const emulatorReport = (problems: readonly string[], { asks, done, truths }: EmulatorTimeline): string => {
  const begun = Math.min(...asks.map(({ began }) => began))
  const lines = [
    ...done.map(({ at, what }) => ({ at, text: what })),
    ...asks.flatMap(({ avd, change, door, began, ended, kind, ok, code }) => [
      { at: began, text: `${change} ${avd} by ${door}` },
      { at: ended, text: `${change} ${avd} by ${door}: ${kind} ${ok ? 'ok' : code}` },
    ]),
  ]
  const story = lines.sort((a, b) => a.at - b.at).map(({ at, text }) => `${String(at - begun).padStart(6)} ${text}`)
  return [...problems, ...story, JSON.stringify(truths)].join('\n')
}

const tally = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map(name => `${name} ${names.filter(one => one === name).length}`)
    .join(', ')

export const emulatorSummary = (timelines: readonly EmulatorTimeline[]): string => {
  const asks = timelines.flatMap(timeline => timeline.asks)
  return [
    `asked by: ${tally(asks.map(({ door }) => door))}`,
    `asked for: ${tally(asks.map(({ change }) => change))}`,
    `told: ${tally(asks.map(({ kind, ok, code }) => (kind === 'answered' ? (ok ? 'ok' : `${code}`) : kind)))}`,
    `suffered: ${tally(timelines.flatMap(({ done }) => done.map(({ what }) => what.replace(/ \d+$/, ''))))}`,
  ].join('\n')
}
