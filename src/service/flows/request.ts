/**
 * The request for a run of flows, as its process holds it and as the journal keeps it, and as a later run repeats it:
 * all that did not pass, or the whole request where none was planned.
 */

import type { RequestContext } from '../../contracts/doors/request-context.ts'
import type { TestRun } from '../../contracts/flows/test-run.ts'
import type { TestRunRequest } from '../../contracts/flows/test-run-request.ts'
import type { Secrets } from '../../runtime/secrets.ts'

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

export interface FlowsRequest extends TestRunRequest {
  /** Relative paths begin here; the flows of a report are named from here. */
  readonly cwd: string
  /** The workspace configuration, where the caller names one. */
  readonly config?: string | undefined
  /** Where screenshots and videos go that flows name, whatever the configuration says. */
  readonly outputFolder?: string | undefined
  /** Takes the place of the folder of the run where neither the caller nor the configuration says where files go. */
  readonly defaultOutputFolder?: string | undefined
  /** No more phones than these take flows. */
  readonly phonesMax?: number | undefined
  readonly recordVideo?: boolean | undefined
  /** Only these flows of the plan run, by their names: those of an earlier run that did not pass. */
  readonly onlyNames?: readonly string[] | undefined
  /** The door that the run was asked through, for the policy. */
  readonly caller: RequestContext['caller']
  /** The reservation that the executions of the run belong to. */
  readonly leaseId?: string | undefined
  /** The folders below which files may be read and written; absent for a caller who may name any. */
  readonly fileRoots?: readonly string[] | undefined
}

/** The body of `run.requested`: secrets by name alone. */
export interface RecordedRequest extends FlowsRequest {
  /** Holds what the run keeps. */
  readonly folder: string
  /** The tokens of the secrets, by their names; earlier versions did not record them. */
  readonly tokens?: Readonly<Record<string, string>> | undefined
}

type TokenOf = Secrets['tokenOf']

export const recordedRequest = (request: FlowsRequest, folder: string, tokenOf: TokenOf): RecordedRequest => {
  const { env = {}, secrets = [] } = request
  const open = Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)))
  const tokens = Object.fromEntries(secrets.map(name => [name, tokenOf(name, env[name] ?? '')]))
  return { ...request, env: open, folder, tokens }
}

type Values = Readonly<Record<string, string>>

/** Why a run cannot go on with these values of its variables; undefined where they are those that it began with. */
export const otherValues = (
  { env: before = {}, secrets = [], tokens = {} }: RecordedRequest,
  env: Values,
  tokenOf: TokenOf,
): string | undefined => {
  const missing = secrets.filter(name => env[name] === undefined)
  if (missing.length > 0) return `give the values of ${missing.join(', ')} again, with -e`
  const unknown = Object.keys(env).filter(name => !secrets.includes(name) && before[name] === undefined)
  if (unknown.length > 0) return `it began without the variables ${unknown.join(', ')}`
  const isOther = ([name, value]: [string, string]) => {
    if (!secrets.includes(name)) return value !== before[name]
    return tokens[name] !== undefined && tokens[name] !== tokenOf(name, value)
  }
  const others = Object.entries(env).filter(isOther)
  if (others.length === 0) return undefined
  return `it began with another value of ${others.map(([name]) => name).join(', ')}; give the same one, or run the flows again`
}
