/** Defects that are put into the product one at a time, by replacing one line: each must break its law. */
import type { Violation } from '../../laws/laws.ts'
import type { ProfileName } from '../plan/profiles.ts'

/** In this file `from` must occur exactly once. */
export interface Replacement {
  file: string
  from: string
  to: string
}

export interface Planted extends Replacement {
  law: Violation['law']
  name: string
  /** The profile of the simulated world that finds it: the core unless told. */
  profile?: ProfileName
  /** It was found with this seed; it must be with one of the SEEDS_TRIED from there on. */
  seed: number
}

export const SEEDS_TRIED = 400

export const PLANTED_IN_PRODUCT: readonly Planted[] = [
  {
    law: 1,
    name: 'bytes leave without waiting for the record',
    file: 'src/service/executions/run/dispatch-gate.ts',
    from: 'if (!(await unlessAborted(commit, halt))) {',
    to: 'if (commit.catch(() => {}) === undefined) {',
    seed: 71,
  },
  {
    law: 1,
    name: 'the record of a dispatch is not synced',
    file: 'src/runtime/port.ts',
    from: '          await actor.synced()',
    to: '',
    seed: 1,
  },
  {
    law: 1,
    name: 'a dispatch that was recorded with its request is not waited for',
    file: 'src/runtime/port.ts',
    from: '          if (isRecorded(event) ? left.aborted : !(await send(event))) return false',
    to: '          if (isRecorded(event)) return !left.aborted\n          if (!(await send(event))) return false',
    seed: 121,
  },
  {
    law: 1,
    name: 'a chosen id takes no key',
    file: 'src/service/executions/caller-ids.ts',
    from: 'execute({ ...request, idempotency: idKey(executionId, callerRequest) })',
    to: 'execute(request)',
    seed: 13,
  },
  {
    law: 1,
    name: 'a broadcast is sent again when its answer fails',
    file: 'src/device/operators/app/send-segment.ts',
    from: 'const answer = link.shell(command.line, { ...control.acting(), maxBytes: OUTPUT_BYTES_MAX.report })',
    to: 'const answer = link.shell(command.line, { ...control.acting(), maxBytes: OUTPUT_BYTES_MAX.report }).catch(() => session.link(control.acting()).then(other => other.shell(command.line, { ...control.acting(), maxBytes: OUTPUT_BYTES_MAX.report })))',
    seed: 5,
  },
  {
    law: 1,
    name: 'a resumption repeats what may have run',
    file: 'src/service/executions/resume.ts',
    from: 'if (fromStep === undefined && doubtful.length > 0) return inDoubt(resumable, proven, doubtful)',
    to: '',
    seed: 20,
  },
  {
    law: 1,
    name: 'a resumption doubts nothing',
    file: 'src/service/executions/proven.ts',
    from: 'actions.filter(({ type }) => !isSafeToRepeat(type))',
    to: 'actions.slice(0, 0)',
    seed: 20,
  },
  {
    law: 2,
    name: 'a lost answer is told as nothing executed',
    file: 'src/device/operators/segment-outcome.ts',
    from: "{ kind: 'unknown', code: code === 'DEVICE_OUTPUT_TOO_LARGE' ? code : 'DEVICE_LINK_LOST', reason }",
    to: "{ kind: 'not sent', code: 'DEVICE_LINK_LOST', message: reason }",
    seed: 151,
  },
  {
    law: 2,
    name: 'a cancelled execution goes on sending',
    file: 'src/service/executions/run/dispatch-gate.ts',
    from: '    if (overdue) stop()',
    to: '    if (overdue) stop()\n    return',
    seed: 127,
  },
  {
    law: 2,
    name: 'a cancellation before acceptance is not on record',
    file: 'src/service/executions/cancel-requests.ts',
    from: '    await log.append(',
    to: '    void (',
    seed: 18,
  },
  {
    law: 2,
    name: 'a cancellation is not synced',
    file: 'src/service/executions/cancel-requests.ts',
    from: '    await journal.synced()',
    to: '',
    seed: 148,
  },
  {
    law: 2,
    name: 'a cancellation of what was accepted is not synced',
    file: 'src/service/executions/executions.ts',
    from: '    await journal.synced()',
    to: '',
    seed: 156,
  },
  {
    law: 2,
    name: 'the machine forgets that it has dispatched',
    file: 'machines/device/device-setup.ts',
    from: 'dispatchedAt: current.dispatchedAt ?? event.at,',
    to: 'dispatchedAt: null,',
    seed: 1,
  },
  {
    law: 3,
    name: 'what a dead owner left in flight goes on',
    file: 'src/runtime/actor-history.ts',
    from: 'if (isInFlight(folded.snapshot)) await record(stepTo(definition.interrupted(snapshot(), now(), bootId())))',
    to: '',
    seed: 15,
  },
  {
    law: 3,
    name: 'a writer that is behind is not refused',
    file: 'src/runtime/journal/memory.ts',
    from: 'refuseWrongPosition(place.actor, place.n, (newest.get(place.actor)?.n ?? -1) + 1)',
    to: '',
    seed: 5,
  },
  {
    law: 3,
    name: 'a receipt stays as it was accepted',
    file: 'src/runtime/journal/memory.ts',
    from: '    if (receipt) {',
    to: "    if (receipt?.state === 'accepted') {",
    seed: 1,
  },
  {
    law: 4,
    name: 'the lease of a living holder is granted',
    file: 'src/runtime/ownership/ownership.ts',
    from: 'if (present && !replaces?.(present)) return',
    to: 'if (false) return',
    seed: 2,
  },
  {
    law: 4,
    name: 'a cancelled execution frees its phone at once',
    file: 'machines/device/device.ts',
    from: 'ms: context.current?.timeoutMs ?? 0,',
    to: 'ms: 0,',
    seed: 144,
  },
  {
    law: 5,
    name: 'listeners hear the last record of a batch only',
    file: 'src/runtime/journal/subscriptions.ts',
    from: 'reader.listener(records)',
    to: 'reader.listener(records.slice(-1))',
    seed: 1,
  },
  {
    law: 5,
    name: 'listeners hear a record again',
    file: 'src/runtime/journal/subscriptions.ts',
    from: 'reader.after = records.at(-1)?.seq ?? reader.after',
    to: 'reader.after = records[0]?.seq ?? reader.after',
    seed: 1,
  },
  {
    law: 6,
    name: 'a used key is not refused',
    file: 'src/runtime/journal/memory.ts',
    from: 'refuseUsedKey(receipt, byKey(key)?.receipt, receipts.get(receipt.executionId)?.receipt)',
    to: '',
    seed: 10,
  },
  {
    law: 7,
    name: 'an event that was not recorded counts as recorded',
    file: 'src/runtime/port.ts',
    from: '            actor.onLost(error, event)\n            return false',
    to: '            return true',
    seed: 272,
  },
  {
    law: 7,
    name: 'the lease of what has ended is kept',
    file: 'src/runtime/actor-history.ts',
    from: 'const release = lease !== undefined && was && !is',
    to: 'const release = false',
    seed: 1,
  },
  {
    law: 7,
    name: 'deadlines never pass',
    file: 'src/runtime/port.ts',
    from: "void send({ type: 'deadline.passed' })",
    to: '{}',
    seed: 1,
  },
  {
    law: 7,
    name: 'a dead holder keeps its lease',
    file: 'src/runtime/ownership/ownership.ts',
    from: 'alive(holder) ?? Math.abs(now - renewedAt) < LEASE_EXPIRES_MS',
    to: 'true',
    seed: 1,
  },
  {
    law: 8,
    name: 'the journal does not take a lease back',
    file: 'src/runtime/journal/memory.ts',
    from: 'if (lease && release) leases.release(lease)',
    to: '',
    seed: 1,
  },
  {
    law: 8,
    name: 'the timer of a wait outlives its answer',
    file: 'src/runtime/pending-asks.ts',
    from: '          timer.cancel()',
    to: '',
    seed: 1,
  },
  {
    law: 8,
    name: 'links stay open',
    file: 'src/device/link/link-slot.ts',
    from: 'await current?.transport.close()',
    to: '',
    seed: 1,
  },
]
