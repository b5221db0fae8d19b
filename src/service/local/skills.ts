/** The skills of this host's registry: listed by the plain filter, looked up, and run. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { SKILL_TIMEOUT_MS } from '../../contracts/limits/limits.ts'
import type { SkillsResponse } from '../../contracts/skills/registry.ts'
import { WAY_BACK_MS } from '../deadline.ts'
import { namedDevice } from '../executions.ts'
import type { Parts } from '../parts.ts'
import { failed, success } from '../service.ts'
import { getSkill } from '../skills/registry/find.ts'
import type { Loaded, Registry } from '../skills/registry/load.ts'
import { filterSkills } from '../skills/search.ts'
import type { Requests } from './groups.ts'
import { deadlineProblem } from './run.ts'

/** Turns a value other than a string into its JSON text. */
const argumentOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The reason of the abort lets the run say who ended it. */
const cancelledBy = (signal: AbortSignal, who: string): AbortSignal => {
  const cancel = new AbortController()
  const abort = () => cancel.abort(who)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return cancel.signal
}

export const requests = ({ skills, reservations, operatorPackage, fleetHost: host }: Parts): Requests<'skills'> => {
  /** The whole list of one registry: made again when the file has changed, and not for every caller. */
  let whole: { registry: Registry; list: SkillsResponse } | undefined
  const wholeList = (registry: Registry): SkillsResponse => {
    if (whole?.registry !== registry) whole = { registry, list: { ok: true, ...filterSkills(registry, {}) } }
    return whole.list
  }

  /** One look at the file does for all requests of a turn of the event loop: they were sent before it. */
  let looked: Loaded | undefined
  const load = (): Loaded => {
    if (looked === undefined) {
      looked = skills().load()
      setImmediate(() => {
        looked = undefined
      })
    }
    return looked
  }

  /** In a fleet a failure names the host whose registry and whose device it is about. */
  const located = (error: ErrorObject): ErrorObject =>
    host === undefined ? error : { ...error, details: { host, ...error.details } }

  return {
    async 'skills.list'(query) {
      const loaded = load()
      if (!loaded.ok) return failed(loaded.error)
      const isWhole = Object.keys(query).length === 0
      return success(isWhole ? wholeList(loaded.registry) : { ok: true, ...filterSkills(loaded.registry, query) })
    },
    async 'skills.get'({ skillId }) {
      const loaded = load()
      if (!loaded.ok) return failed(loaded.error)
      const found = getSkill(loaded.registry, skillId)
      return found.ok ? success({ ok: true, ...found.output }) : failed(found.error)
    },
    async 'skills.run'(input, { context, signal, onProgress }) {
      const { skillId, deviceId, args = [], timeoutMs, expectContains } = input
      const { answerWithinMs, caller, confirmed, skillRunId, leaseId } = context
      const unfit = deadlineProblem(timeoutMs ?? SKILL_TIMEOUT_MS, context)
      if (unfit) return failed(unfit)
      const held = leaseId === undefined ? undefined : reservations().check(leaseId)
      if (held?.ok === false) return failed(located(held.error))
      const boundMs = answerWithinMs === undefined ? Number.POSITIVE_INFINITY : answerWithinMs - WAY_BACK_MS
      const isBound = boundMs < (timeoutMs ?? SKILL_TIMEOUT_MS)
      const finished = await skills().run({
        skillId,
        deviceId: namedDevice(deviceId) ?? held?.lease.deviceId,
        ...(leaseId === undefined ? {} : { leaseId }),
        args: args.map(argumentOf),
        timeoutMs: isBound ? Math.max(1, Math.floor(boundMs)) : timeoutMs,
        expectContains,
        operatorPackage,
        caller,
        confirmed,
        ...(skillRunId === undefined || context.isStranger ? {} : { askedBy: skillRunId }),
        ...(signal === undefined ? {} : { cancel: cancelledBy(signal, `the ${caller.toUpperCase()} client`) }),
        ...(onProgress === undefined
          ? {}
          : { onRun: (runId: string) => onProgress({ kind: 'begun', actor: `skill-run:${runId}` }) }),
      })
      if (finished.error === undefined) return success(finished)
      const error = located(finished.error)
      // Without an id no run has begun.
      return finished.runId === '' ? failed(error) : success({ ...finished, error })
    },
  }
}
