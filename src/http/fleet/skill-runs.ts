/** Skill runs for callers that come by no route of their own (MCP): on whichever host of the fleet the device is. */
import type { ErrorObject } from '../../contracts/error.ts'
import { SKILL_RUN_HEADER } from '../../contracts/headers.ts'
import type { SkillRunResponse } from '../../contracts/skill-run.ts'
import type { FleetFront, FleetRow } from '../../fleet/front.ts'
import { withinOf } from '../../fleet/patience.ts'
import { mayGoElsewhere } from '../../fleet/refusals.ts'
import type { FinishedRun } from '../../skills/run/finished-run.ts'
import type { SkillRunRequest } from '../../skills/run/request.ts'
import { runOfAnswer } from '../../skills/run/run-answer.ts'
import type { Skills } from '../../skills/skills.ts'
import type { HttpDeps } from '../deps.ts'
import { onFirstFree } from './candidates.ts'
import { contextOf } from './executions.ts'
import { forward } from './forward.ts'
import { placeDevice } from './place-device.ts'

/** The run id is empty: no run is known to have begun. */
const notRun = ({ skillId }: SkillRunRequest, error: ErrorObject): FinishedRun => ({
  runId: '',
  skillId,
  status: 'failed',
  error,
  durationMs: 0,
  skillResult: null,
})

const elsewhere = async (row: FleetRow, request: SkillRunRequest, fleet: FleetFront): Promise<FinishedRun> => {
  const { skillId, deviceId, args, timeoutMs, expectContains, cancel: signal } = request
  const path = `/skills/${encodeURIComponent(skillId)}/run`
  const body = {
    args,
    // A skill is told which device it runs on only if its caller named one.
    ...(deviceId?.trim() ? { deviceId: row.serial } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(expectContains === undefined ? {} : { expectContains }),
  }
  const out = { method: 'POST', path, body, withinMs: withinOf(path, body), epoch: row.epoch, signal }
  const context = contextOf({ caller: request.caller, confirmed: request.confirmed })
  request.onForwarded?.(row.host)
  const outcome = await forward(row.host, out, { fleet, context })
  if (outcome.kind === 'refused') return notRun(request, outcome.error)
  const runId = outcome.response.headers.get(SKILL_RUN_HEADER) ?? ''
  return runOfAnswer((await outcome.response.json()) as SkillRunResponse, { runId, skillId })
}

/** The host of the device runs its own skill of that id, which goes on when the caller leaves. */
export const fleetSkills = ({ skills, listDevices }: HttpDeps, fleet: FleetFront): Skills => ({
  load: () => skills.load(),
  async run(request) {
    const isNamed = Boolean(request.deviceId?.trim())
    const placing = await placeDevice(request.deviceId, { fleet, listDevices })
    if (placing.kind === 'refused') return notRun(request, placing.error)
    const here = (serial: string | undefined) =>
      skills.run(isNamed && serial !== undefined ? { ...request, deviceId: serial } : request)
    if (placing.kind === 'here') return here(placing.serial)
    return onFirstFree(placing.candidates, {
      sending: fleet.sending,
      run: row => (row.host === fleet.host ? here(row.serial) : elsewhere(row, request, fleet)),
      // A run that has begun ends with a code of its skill.
      mayGoOn: ({ error }) => error !== undefined && mayGoElsewhere(error, undefined),
    })
  },
})
