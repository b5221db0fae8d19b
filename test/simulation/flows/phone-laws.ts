/** The laws of phones with two serials: one attempt at a time acts on a phone, and it counts once among the phones of a run. */
import { flowRunActor } from '../../../src/service/flows/run/command-log.ts'
import type { Violation } from '../../laws/laws.ts'
import { phoneOf } from './plan.ts'
import type { FlowWorld } from './trial.ts'

/** Law 4: between two calls of an attempt no other one calls the same phone, until somebody resumes the attempt. */
const onePhoneEach = ({ testRuns, records, begun }: FlowWorld): Violation[] => {
  /** A call that was refused before an execution of it began has asked nothing of the phone. */
  const executions = new Set(begun.map(({ executionId }) => executionId))
  const attempts = testRuns.flatMap(({ flows }) => flows.flatMap(flow => flow.attempts))
  const phones = new Map(attempts.map(({ flowRunId, deviceId }) => [flowRunActor(flowRunId), phoneOf(deviceId)]))
  const acting = new Map<number, string>()
  /** Attempts on whose phone another one has acted since their last call. */
  const overtaken = new Map<string, string>()
  return records.flatMap(({ actor, event }): Violation[] => {
    const phone = phones.get(actor)
    if (phone === undefined) return []
    if (event.type === 'flow.resumed') overtaken.delete(actor)
    if (event.type !== 'call.begun' || !executions.has(String(event.executionId))) return []
    const before = acting.get(phone)
    if (before !== undefined && before !== actor) overtaken.set(before, actor)
    acting.set(phone, actor)
    const other = overtaken.get(actor)
    return other === undefined
      ? []
      : [{ law: 4, about: actor, says: `it acts on phone ${phone} in turns with ${other}` }]
  })
}

interface PlannedShard {
  readonly file: string
  readonly deviceId: string | null
}

/** Law 1: a flow is planned once for a phone, by however many serials that is listed. */
const onceForEachPhone = ({ records }: FlowWorld): Violation[] =>
  records
    .filter(({ event }) => event.type === 'run.planned')
    .flatMap(({ actor, event }) => {
      const flows = event.flows as readonly PlannedShard[]
      const shards = flows.flatMap(({ file, deviceId }) =>
        deviceId === null ? [] : [`${file} on ${phoneOf(deviceId)}`],
      )
      const repeated = shards.filter((shard, index) => shards.indexOf(shard) !== index)
      return repeated.map((shard): Violation => ({ law: 1, about: actor, says: `${shard} is planned more than once` }))
    })

export const judgePhones = (world: FlowWorld): Violation[] => [...onePhoneEach(world), ...onceForEachPhone(world)]
