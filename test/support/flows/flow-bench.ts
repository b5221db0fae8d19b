/** One attempt of a flow in process: processes that perform it come and go, the journal and the phone stay. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { FlowRunEmitted } from '../../../machines/flow-run/flow-run-setup.ts'
import type { FlowRunEvent } from '../../../src/contracts/events/flow-run.ts'
import { createHost } from '../../../src/runtime/host.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { createSecrets } from '../../../src/runtime/secrets.ts'
import { flowLibrary } from '../../../src/service/flows/language/flow-library.ts'
import { readFlow } from '../../../src/service/flows/language/read/read-flow.ts'
import type { LiveAttempt, LiveAttempts } from '../../../src/service/flows/run/attempt.ts'
import { flowRunActor, readAttempt } from '../../../src/service/flows/run/command-log.ts'
import { newAttemptState } from '../../../src/service/flows/run/interpreter.ts'
import { filesOf } from '../../../src/service/flows/run/read-files.ts'
import { stagePort } from '../../../src/service/flows/run/stage-port.ts'
import type { FlowScripts } from '../../../src/service/flows/script/scripts.ts'
import { manualClock } from '../manual-clock.ts'
import { memoryFlowFiles } from './flow-files.ts'
import { type Death, flowPhone } from './flow-phone.ts'
import { flowScripts, type ScriptServer } from './flow-scripts.ts'

export const MAIN = '/flows/main.yaml'
const FLOW_RUN = 'run.1.1'
const LONG_MS = 24 * 60 * 60_000

/** Where a process ends, or where the journal takes nothing more. */
export interface Cut {
  /** Counts the writes of the process from 1. */
  readonly write: number
  /** `stored`: on record, and the process hears no more of it; `lost`: it ended before; `refused`: it lives, and the disk is full. */
  readonly as: 'stored' | 'lost' | 'refused'
}

export type Ending =
  | { readonly kind: 'ended'; readonly emitted: FlowRunEmitted }
  | { readonly kind: 'died' | 'stopped' }

interface BenchOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Of another bench, for a process whose flow is another one. */
  readonly journal?: Journal
  readonly scriptsFor?: (seed: string, server: ScriptServer) => FlowScripts
}

const cutJournal = (journal: Journal, cut: Cut | undefined, die: () => void, isDead: () => boolean): Journal => {
  let writes = 0
  let isFull = false
  const cutting =
    <A extends unknown[], T>(write: (...values: A) => Promise<T>) =>
    async (...values: A): Promise<T> => {
      if (isDead()) return new Promise(() => {})
      writes += 1
      const isHere = writes === cut?.write
      if (isFull || (isHere && cut?.as === 'refused')) {
        isFull = true
        throw new JournalError('full', 'The disk is full')
      }
      if (!isHere) return write(...values)
      if (cut?.as === 'stored') await write(...values)
      die()
      return new Promise(() => {})
    }
  return {
    ...journal,
    append: cutting(journal.append),
    begin: cutting(journal.begin),
    leases: { ...journal.leases, renew: grants => (isDead() ? new Promise(() => {}) : journal.leases.renew(grants)) },
  }
}

export const flowBench = (yaml: string, options: BenchOptions = {}) => {
  const { files = {}, env = {}, scriptsFor = flowScripts } = options
  const clock = manualClock()
  const dead = new Set<number>()
  const journal = options.journal ?? memoryJournal({ alive: ({ pid }) => !dead.has(pid), clock })
  const phone = flowPhone(clock)
  const server: string[] = []
  const secrets = createSecrets()
  const folder = mkdtempSync(join(tmpdir(), 'svc-flow-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const read = readFlow(yaml, MAIN)
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join(' '))
  let processes = 0
  let minted = 0

  const attemptFor = (scripts: FlowScripts): LiveAttempt => ({
    flowRunId: FLOW_RUN,
    testRunId: 'run',
    flowIndex: 0,
    attempt: 1,
    deviceId: 'p1',
    flow: read.flow,
    env,
    outputFolder: join(folder, 'out'),
    directory: '/flows',
    runFolder: folder,
    folder: join(folder, '1-1'),
    phones: phone.phones,
    scripts,
    clock,
    ids: { at: () => `execution-${++minted}`, instance: () => 'instance' },
    library: flowLibrary(memoryFlowFiles({ [MAIN]: yaml, ...files })),
    filesRead: new Map(Object.entries(filesOf(readAttempt(journal, FLOW_RUN)))),
    secrets: secrets.of('run'),
    note: () => {},
    startedAt: 0,
    onProgress: () => {},
    recorded: readAttempt(journal, FLOW_RUN),
    state: newAttemptState(clock.elapsed()),
  })

  const target = { id: flowRunActor(FLOW_RUN), machine: 'flow-run', input: { flowRunId: FLOW_RUN } }

  /** A process that performs the attempt, or goes on with it, until it has ended or the process has. */
  const perform = async ({
    cut,
    death,
  }: {
    cut?: Cut | undefined
    death?: Death | undefined
  } = {}): Promise<Ending> => {
    const pid = ++processes
    let die = () => {}
    const died = new Promise<Ending>(resolve => {
      die = () => {
        dead.add(pid)
        resolve({ kind: 'died' })
      }
    })
    if (death) phone.dieIn(death, die)
    const own = cutJournal(journal, cut, die, () => dead.has(pid))
    const attempts: LiveAttempts = new Map()
    const host = createHost({
      journal: own,
      definitions: CATALOGUE,
      ports: { 'flow-run': { stage: stagePort(attempts) } },
      clock,
      holder: { pid, started: `start-${pid}`, instance: `instance-${pid}` },
    })
    const living = async (): Promise<Ending> => {
      await host.recover({ machine: 'flow-run' })
      const scripts = scriptsFor(FLOW_RUN, server)
      onTestFinished(() => scripts.end())
      const attempt = attemptFor(scripts)
      attempts.set(FLOW_RUN, attempt)
      const begun = attempt.recorded.requested
        ? { type: 'flow.resumed', requestId: `resumed-${pid}` }
        : {
            type: 'flow.requested',
            flowRunId: FLOW_RUN,
            testRunId: 'run',
            flow: 0,
            file: MAIN,
            deviceId: 'p1',
            attempt: 1,
            digest: 'digest',
          }
      const asked = await host.ask<FlowRunEmitted>(target, begun, {
        matches: emitted => emitted.type === 'flow.ended',
        until: clock.now() + LONG_MS,
      })
      return asked.kind === 'answered' ? { kind: 'ended', emitted: asked.emitted } : { kind: 'stopped' }
    }
    cancel = () => host.tell(target, { type: 'flow.cancelled', reason: 'test' })
    return Promise.race([living(), died])
  }
  let cancel: () => Promise<unknown> = async () => {}

  return {
    clock,
    journal,
    phone,
    server,
    secrets,
    folder,
    perform,
    cancel: () => cancel(),
    events: () => journal.records({ actor: target.id }).map(({ event }) => event as unknown as FlowRunEvent),
    recorded: () => readAttempt(journal, FLOW_RUN),
    state: () => journal.last(target.id)?.to,
    /** Without what differs from run to run. */
    touches: () => phone.touches.map(({ type, params }) => ({ type, params })),
  }
}

export type FlowBench = ReturnType<typeof flowBench>
