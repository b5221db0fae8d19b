/** Follows what is known of executions while a trial runs, and what phones had done at that moment. */
import type { ReceiptOutcome, StepOutcome } from '../../../src/contracts/executions/evidence.ts'
import { outcomeOf } from '../../../src/contracts/executions/outcome-of.ts'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import { wireIdOf } from '../../../src/device/operators/app/segment-request.ts'
import type { Journal, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { toldSteps } from '../../../src/service/executions/completed-steps.ts'
import type { Dispatch } from '../../../src/service/executions/dispatch.ts'
import { type RecordedExecution, recordedExecution } from '../../../src/service/executions/recorded.ts'
import { EPOCH } from '../clock.ts'
import type { Look } from '../host/clients.ts'
import type { Disk } from '../host/disk.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { Plan } from '../plan/plan.ts'

/** A step that taps, as somebody tells it. */
export interface ToldTap {
  row: string
  outcome: StepOutcome
  /** The phone had done it by then. */
  isTapped: boolean
}

/** A word on an execution, by the journal or to a caller. Virtual time. */
export interface Telling {
  executionId: string
  host: string
  by: 'record' | 'receipt' | 'look'
  began: number
  at: number
  word: ReceiptOutcome
  /** The steps, as the record or the answer has them. */
  taps: readonly ToldTap[]
  /** The evidence that decides, where the receipt has it. */
  decidedAt?: number | undefined
  /** The operator app was still at work on what was sent last. */
  isAtWork: boolean
  /** Its record has a step as ended before the waits up to that step can have been over. */
  isEarly: boolean
}

/** A receipt as it is at one moment. */
export interface Known {
  executionId: string
  command: string
  host: string
  word: ReceiptOutcome
  taps: readonly ToldTap[]
  /** The phone has its result for whoever asks: in its app, or in its log. */
  heldBy: 'app' | 'log' | undefined
}

/** An execution that goes on with another one, when it was recorded. */
export interface Resumed {
  /** The other one, and what was told of the steps of it that are in the order of this one. */
  executionId: string
  at: number
  /** Its caller has chosen the step with which it begins. */
  isChosen: boolean
  /** `count`: so often the phone had done it by then. */
  taps: readonly (ToldTap & { count: number })[]
}

export interface EvidenceOfWorld {
  resumed: readonly Resumed[]
  tellings: readonly Telling[]
  /** Before anybody looked in the calm, and in the end. */
  swept: readonly Known[]
  ended: readonly Known[]
  powerCuts: readonly { host: string; at: number }[]
  isClockSet: boolean
  /** Phones that say of each list if it still runs. */
  answering: readonly number[]
  /** When something may have kept one from saying so. */
  disturbed: readonly { from: number; until: number }[]
}

interface WatchOptions {
  plan: Plan
  disks: readonly Disk[]
  phones: readonly PhoneHost[]
  now(): number
}

type Ends = readonly { step: number; success: boolean }[]

const isTap = ({ actionType }: { actionType: string }): boolean => actionType === 'click'

/** All others may keep a phone from answering, and its answer from the disk. */
const QUIET: readonly string[] = ['kill', 'kill-at-use']

export const watchEvidence = ({ plan, disks, phones, now }: WatchOptions) => {
  const tellings: Telling[] = []
  const resumed: Resumed[] = []
  const places = disks.map(disk => ({ disk, store: disk.store(), after: 0, words: new Map<string, string>() }))

  const phoneOf = ({ deviceId }: StoredReceipt) => phones.findIndex(({ serials }) => serials.includes(deviceId))
  const rowOf = (id: string, command: string) => (id === 'tap' ? command : id)
  const tapped = (receipt: StoredReceipt, told: readonly { id: string; outcome: StepOutcome }[]): ToldTap[] => {
    const taps = phones[phoneOf(receipt)]?.taps() ?? {}
    return told.map(({ id, outcome }) => {
      const row = rowOf(id, receipt.commandId)
      return { row, outcome, isTapped: (taps[row] ?? 0) > 0 }
    })
  }
  /** The last request of it that an operator app had. */
  const seen = (receipt: StoredReceipt, { lastSegment, nonce }: RecordedExecution) =>
    nonce === undefined || lastSegment === undefined
      ? undefined
      : phones[phoneOf(receipt)]?.phone
          .executions()
          .find(({ wireId }) => wireId === wireIdOf(receipt.executionId, lastSegment))
  const isAtWork = (receipt: StoredReceipt, recorded: RecordedExecution | undefined): boolean => {
    const request = recorded && seen(receipt, recorded)
    return request !== undefined && request.finishedAt === undefined
  }

  /** From the arrival of the request, the waits of all its steps up to that one have to pass. */
  const isEarly = (receipt: StoredReceipt, execution: RecordedExecution, steps: Ends): boolean => {
    const request = seen(receipt, execution)
    const { lastStep = 0, dispatch } = execution
    const last = Math.max(-1, ...steps.flatMap(({ step, success }) => (success ? [step] : [])))
    if (!request || last < lastStep) return false
    const waits = dispatch.execution.actions
      .slice(lastStep, last + 1)
      .map(({ type, params }) => (type === 'sleep' ? params.durationMs : 0))
    return EPOCH + now() < request.at + waits.reduce((sum, ms) => sum + ms, 0)
  }

  /** Evidence, at the moment it is recorded. */
  const recorded = (host: number, receipt: StoredReceipt, steps: Ends) => {
    const place = places[host]
    const execution = place && recordedExecution(place.disk.store(), receipt)
    const actions = execution?.dispatch.execution.actions ?? []
    const told = steps.flatMap(({ step, success }) => {
      const action = actions[step]
      return action?.type === 'click'
        ? [{ id: action.id, outcome: success ? ('done' as const) : ('failed' as const) }]
        : []
    })
    return {
      taps: tapped(receipt, told),
      isAtWork: isAtWork(receipt, execution),
      isEarly: execution !== undefined && isEarly(receipt, execution, steps),
    }
  }

  const resumes = (store: Journal, record: JournalRecord) => {
    const { resumes } = record.event
    const original = typeof resumes === 'string' ? store.receipt(resumes) : undefined
    const { execution } = (store.body(record) ?? {}) as Partial<Dispatch>
    if (!original || !execution) return
    const { executionId, commandId } = original
    const again = (toldSteps(() => store, original).steps ?? []).filter(step =>
      execution.actions.some(({ id }) => isTap(step) && id === step.id),
    )
    const counts = phones[phoneOf(original)]?.taps() ?? {}
    const taps = tapped(original, again).map(tap => ({ ...tap, count: counts[tap.row] ?? 0 }))
    const isChosen = plan.asks.some(({ command, resumeFrom }) => command === commandId && resumeFrom !== undefined)
    resumed.push({ executionId, at: now(), isChosen, taps })
  }

  const written = (host: number) => {
    const place = places[host]
    if (!place) return
    const store = place.disk.store()
    // After a power cut, some of what was written is there no more.
    if (store !== place.store) {
      place.store = store
      place.after = Math.min(place.after, Math.max(0, store.head() - 1))
    }
    for (const record of recordsAfter(store, place.after, {})) {
      const { seq, event } = record
      place.after = seq
      if (event.type === 'execution.requested') resumes(store, record)
      const executionId = typeof event.executionId === 'string' ? event.executionId : undefined
      const receipt = executionId === undefined ? undefined : store.receipt(executionId)
      if (!receipt || executionId === undefined) continue
      const word = outcomeOf(receipt)
      const isEvidence = event.type === 'execution.evidenced'
      const decidedAt = receipt.evidence?.outcome ? receipt.evidence.at : undefined
      const state = `${word} ${decidedAt}`
      if (!isEvidence && place.words.get(executionId) === state) continue
      place.words.set(executionId, state)
      const at = now()
      const facts = isEvidence
        ? recorded(host, receipt, event.steps as Ends)
        : { taps: [], isAtWork: false, isEarly: false }
      tellings.push({
        ...{ executionId, host: `h${host}`, by: isEvidence ? 'record' : 'receipt', began: at, at, word, decidedAt },
        ...facts,
      })
    }
  }
  for (const [host, { disk }] of places.entries()) disk.onWritten(() => written(host))

  const heldBy = (receipt: StoredReceipt, execution: RecordedExecution): Known['heldBy'] => {
    if (seen(receipt, execution)?.finishedAt === undefined) return undefined
    const { ways, capabilities, faults } = plan.phones[phoneOf(receipt)] ?? {}
    if (ways === 'socket') return capabilities?.includes('results') ? 'app' : undefined
    return ways === 'broadcast' && faults?.length === 0 ? 'log' : undefined
  }

  const all = (): Known[] =>
    places.flatMap(({ disk }, host) => {
      const store = disk.store()
      return store.receipts({ limit: 1_000 }).flatMap((receipt): Known[] => {
        const execution = recordedExecution(store, receipt)
        if (!execution) return []
        const { executionId, commandId } = receipt
        const steps = toldSteps(() => store, receipt).steps ?? []
        return [
          {
            ...{ executionId, command: commandId, host: `h${host}`, word: outcomeOf(receipt) },
            taps: tapped(receipt, steps.filter(isTap)),
            heldBy: heldBy(receipt, execution),
          },
        ]
      })
    })

  let swept: Known[] = []
  return {
    looked({ executionId, host, began, answered, outcome, steps = [] }: Look) {
      const receipt = places[Number(host.slice(1))]?.disk.store().receipt(executionId)
      if (!receipt || outcome === undefined) return
      const taps = tapped(receipt, steps.filter(isTap))
      tellings.push({
        executionId,
        host,
        by: 'look',
        began,
        at: answered,
        word: outcome,
        taps,
        isAtWork: false,
        isEarly: false,
      })
    },
    /** Executions in doubt before anybody looks in the calm. */
    sweep(): readonly Known[] {
      swept = all()
      return swept.filter(({ word }) => word === 'unknown')
    },
    ofWorld: (): EvidenceOfWorld => ({
      ...{ tellings, resumed, swept, ended: all() },
      powerCuts: plan.faults.flatMap(fault =>
        fault.kind === 'power-cut' ? [{ host: `h${fault.host}`, at: fault.at }] : [],
      ),
      answering: plan.phones.flatMap(({ ways, capabilities, faults }, phone) =>
        ways === 'socket' && capabilities?.includes('results') && faults.length === 0 ? [phone] : [],
      ),
      disturbed: plan.faults
        .filter(({ kind }) => !QUIET.includes(kind))
        .map(fault => ({ from: fault.at, until: fault.at + ('ms' in fault ? fault.ms : 0) })),
      isClockSet: plan.faults.some(({ kind }) => kind === 'clock-set'),
    }),
  }
}
