/** The flows of an earlier run that a new one repeats: all that did not pass, or the whole request where none was planned. */
import type { TestRun } from '../../contracts/flows/test-run.ts'
import type { FlowsRequest, RecordedRequest } from './request.ts'

export type Rerun =
  | { readonly ok: true; readonly request: FlowsRequest }
  | { readonly ok: false; readonly problem: string }

/** With --shard-all a flow has the name of its phone behind its own. */
export const shardName = (name: string, deviceId: string): string => `${name} on ${deviceId}`

const ownName = ({ name, deviceId }: Pick<TestRun['flows'][number], 'name' | 'deviceId'>): string => {
  const end = deviceId === undefined ? '' : shardName('', deviceId)
  return name.endsWith(end) ? name.slice(0, name.length - end.length) : name
}

/** `run` is that of the request, as it is now. */
export const rerunOf = ({ folder: _, tokens: __, ...request }: RecordedRequest, run: TestRun): Rerun => {
  const { testRunId, state, flows } = run
  if (state === 'planning' || state === 'running')
    return { ok: false, problem: `The run ${testRunId} has not ended: wait for its end, then run its flows again.` }
  // It was refused, cancelled or interrupted before its flows were known.
  if (flows.length === 0) return { ok: true, request }
  const onlyNames = [...new Set(flows.filter(({ verdict }) => verdict !== 'passed').map(ownName))]
  if (onlyNames.length > 0) return { ok: true, request: { ...request, onlyNames } }
  return { ok: false, problem: `Every flow of the run ${testRunId} has passed: there is nothing to run again.` }
}
