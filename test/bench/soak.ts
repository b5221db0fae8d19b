/**
 * Clicks, skill runs, flows, daemon lives and WebDriver sessions on one home over twenty phones, in tenths that are alike: whether
 * time, CPU, memory, descriptors and WAL of the last tenth are those of the first.
 */
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JOURNAL_BYTES_MAX } from '../../src/contracts/limits/limits.ts'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { cpuMs, type Server, startServe } from './hot.ts'
import { start, stopAll } from './http-load.ts'
import { type Usage, usageOf } from './process-usage.ts'
import type { BenchRow } from './row.ts'
import { createWork, KINDS, type Kind, type Work, writeSkill } from './soak-work.ts'

const clock = systemClock()
const PHONES = 20
const TENTHS = 10
/** The collector of the server decides when memory is given back: the mean of the looks of a tenth shows growth. */
const LOOKS = 10

const { SVC_SOAK_CLICKS, SVC_SOAK_SKILL_RUNS, SVC_SOAK_FLOWS, SVC_SOAK_LIVES, SVC_SOAK_SESSIONS } = process.env
const COUNTS: Record<Kind, number> = {
  click: Number(SVC_SOAK_CLICKS ?? 200_000),
  'skill run': Number(SVC_SOAK_SKILL_RUNS ?? 1_000),
  flow: Number(SVC_SOAK_FLOWS ?? 200),
  'daemon life': Number(SVC_SOAK_LIVES ?? 50),
  session: Number(SVC_SOAK_SESSIONS ?? 200),
}
/** Until the code is compiled and the pools have grown. */
const WARM_UP: Record<Kind, number> = { click: 3_000, 'skill run': 20, flow: 8, 'daemon life': 1, session: 8 }
/** The journal is pruned once an hour: after so much of the soak its stamp says that an hour is over. */
const PRUNED_AFTER_TENTHS = [5, 10]
const HOURS_AGO_MS = 2 * 60 * 60 * 1_000
const PRUNE_MS = 90_000

interface Cost {
  ms: number
  cpu: number
}
interface Tenth {
  costs: Partial<Record<Kind, Cost>>
  looks: Usage[]
  walMb: number
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const mb = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1e6

const costOf = async (server: Server, work: Work, kind: Kind, count: number): Promise<Cost> => {
  const [cpu, begun] = [cpuMs(server), clock.elapsed()]
  await work.times(kind, count)
  return { cpu: (cpuMs(server) - cpu) / count, ms: (clock.elapsed() - begun) / count }
}

const isDone = (most: number, tenth: number) => Math.round((most * tenth) / TENTHS)

const runTenth = async (server: Server, work: Work, tenth: number, walMb: () => number): Promise<Tenth> => {
  const done: Tenth = { costs: {}, looks: [], walMb: 0 }
  for (const kind of KINDS) {
    const count = isDone(COUNTS[kind], tenth + 1) - isDone(COUNTS[kind], tenth)
    if (count === 0) continue
    const costs: Cost[] = []
    const pieces = kind === 'click' ? LOOKS : 1
    for (let piece = 0; piece < pieces; piece++) {
      costs.push(await costOf(server, work, kind, Math.max(1, Math.round(count / pieces))))
      done.looks.push(usageOf(server.pid))
    }
    done.costs[kind] = { ms: mean(costs.map(({ ms }) => ms)), cpu: mean(costs.map(({ cpu }) => cpu)) }
    done.walMb = Math.max(done.walMb, walMb())
  }
  const costs = KINDS.map(kind => `${kind} ${done.costs[kind]?.ms.toFixed(1) ?? '-'} ms`)
  const { rssMb, descriptors, threads } = done.looks.at(-1) ?? usageOf(server.pid)
  const held = `${rssMb.toFixed(0)} MB, ${descriptors} descriptors, ${threads} threads, WAL ${done.walMb.toFixed(1)} MB`
  process.stderr.write(`${tenth + 1} of ${TENTHS} tenths: ${held}; ${costs.join(', ')}\n`)
  return done
}

const rowsOf = (tenths: readonly Tenth[], journalMb: number): BenchRow[] => {
  const [first, last] = [tenths[0], tenths.at(-1)]
  const row = (name: string, unit: string, value: number, floor: string, at: number): BenchRow => ({
    name,
    value,
    unit,
    floor: `${floor} (${at.toFixed(at < 10 ? 2 : 0)} ${unit})`,
    ratio: value / at,
  })
  const costs = KINDS.flatMap(kind => {
    const [before, after] = [first?.costs[kind], last?.costs[kind]]
    if (!before || !after) return []
    const name = `${kind}, last tenth of ${COUNTS[kind]}`
    // A daemon is a process of its own: what it does costs the server next to nothing.
    const cpu = kind === 'daemon life' ? [] : [row(`CPU of a ${name}`, 'ms', after.cpu, 'the first', before.cpu)]
    return [row(`time of a ${name}`, 'ms', after.ms, 'the first', before.ms), ...cpu]
  })
  const of = (tenth: Tenth | undefined, what: keyof Usage) => mean((tenth?.looks ?? []).map(usage => usage[what]))
  const held = (what: keyof Usage, name: string, unit: string, from: number) =>
    row(`${name}, last tenth`, unit, of(last, what), from === 0 ? 'the first' : 'the second', of(tenths[from], what))
  return [
    ...costs,
    held('rssMb', 'memory', 'MB', 1),
    held('descriptors', 'descriptors', '', 0),
    held('threads', 'threads', '', 0),
    row('WAL, last tenth', 'MB', last?.walMb ?? 0, 'the first', first?.walMb ?? 0),
    row('journal at the end', 'MB', journalMb, 'its retention', JOURNAL_BYTES_MAX / 1e6),
  ]
}

export const soakRows = async (): Promise<BenchRow[]> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-soak-'))
  const file = join(home, '.svc', 'journal', 'journal.db')
  const stamp = join(home, '.svc', 'journal', 'journal.pruned')
  const { said } = await start('http-fleet', `${PHONES}`)
  const { registry, id: skillId } = writeSkill(home)
  const server = await startServe(home, said, { SVC_SKILLS_REGISTRY: registry }, ['--webdriver'])
  const work = createWork({ server, home, serials: said.split(','), skillId })
  /** Says that an hour is over, and waits until the journal was pruned, or has had the time for it. */
  const prune = async () => {
    if (!existsSync(stamp)) return
    const then = new Date(clock.now() - HOURS_AGO_MS)
    utimesSync(stamp, then, then)
    for (let waited = 0; waited < PRUNE_MS && mb(file) * 1e6 > JOURNAL_BYTES_MAX; waited += 1_000) {
      await pause(clock, 1_000)
    }
  }
  try {
    for (const kind of KINDS) if (COUNTS[kind] > 0) await work.times(kind, WARM_UP[kind])
    const tenths: Tenth[] = []
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      tenths.push(await runTenth(server, work, tenth, () => mb(`${file}-wal`)))
      if (PRUNED_AFTER_TENTHS.includes(tenth + 1)) await prune()
    }
    return rowsOf(tenths, mb(file))
  } finally {
    work.close()
    server.child.kill('SIGTERM')
    await once(server.child, 'close')
    await stopAll()
    rmSync(home, { recursive: true, force: true })
  }
}
