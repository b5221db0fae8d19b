/** An execution in a fleet: the host of its device carries it out, and this command prints what it would print here. */

import { join } from 'node:path'
import type { ExecutionSuccess } from '../../contracts/execution-result.ts'
import { failure } from '../../contracts/failures.ts'
import { skillRunIn } from '../../contracts/ids.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../contracts/literals.ts'
import type { RequestContext } from '../../contracts/request-context.ts'
import { validateExecution } from '../../executions/validate.ts'
import type { FleetClient } from '../../fleet/client.ts'
import type { Progress } from '../../fleet/exchange/request.ts'
import {
  bringPictures,
  type FetchedPicture,
  PICTURE_MS,
  type Pictured,
  pathsProblem,
  withoutPaths,
} from '../../fleet/pictures.ts'
import { screenshotPathProblem, writeScreenshot } from '../../operator/screenshot-file.ts'
import { homeOf } from '../../runtime/home.ts'
import { systemIds } from '../../runtime/ids.ts'
import { type Call, type CommandResult, usage } from '../command.ts'
import { executionOutput } from '../execution-output.ts'
import { namedOperator } from '../operator-package.ts'
import { viewOf } from '../view.ts'
import { isConnectedHere } from './goes-to-fleet.ts'
import { askFleet, hostIn, jsonOf } from './request.ts'
import { inFleet, interruptedEarly, NOBODY_ANSWERS, unreachableError } from './session.ts'
import type { FleetCommand } from './through-fleet.ts'

type Body = Record<string, unknown>
type Prepared = { ok: true; pictured: Pictured } | { ok: false; output: unknown }

const NO_PATHS: ReadonlyMap<string, string> = new Map()

/** Judged here, so that what is wrong is said as ever, and a path is known by whichever name it was given. */
const prepare = async ({ payload, device, path }: FleetCommand, call: Call): Promise<Prepared> => {
  // A rule that nobody reads would look as if it held.
  if (call.text('policy') !== undefined) {
    throw usage('--policy cannot be given in a fleet: the policy of the host of the device decides.')
  }
  if (path !== undefined) return { ok: true, pictured: { body: payload as Body, paths: NO_PATHS } }
  const validation = validateExecution(payload)
  if (!validation.ok) return { ok: false, output: validation.error }
  const stripped = withoutPaths('/execute', { execution: validation.execution }, call.cwd)
  const unwritable = await pathsProblem(stripped, screenshotPathProblem)
  if (unwritable) return { ok: false, output: unwritable }
  const { execution } = stripped.paths.size > 0 ? stripped.body : { execution: payload }
  const body = {
    execution,
    operatorPackage: namedOperator(call) ?? DEFAULT_OPERATOR_PACKAGE,
    ...(device?.trim() ? { deviceId: device } : {}),
    ...viewOf(call),
  }
  return { ok: true, pictured: { ...stripped, body } }
}

const contextOf = (call: Call): Partial<RequestContext> => ({
  skillRunId: skillRunIn(call.env),
  fetchesPictures: true,
  isOperatorUnnamed: namedOperator(call) === undefined,
})

const showProgress = ({ io }: Call) => {
  let told = ''
  return (host: string, { executionId, dispatched }: Progress) => {
    const line = `execution ${executionId ?? ''} ${dispatched ? 'was dispatched' : 'was accepted'} at host ${host}`
    if (line !== told) io.note(line)
    told = line
  }
}

const fetchPicture = async (client: FleetClient, host: string, path: string, call: Call): Promise<FetchedPicture> => {
  const asked = await askFleet(client, { method: 'GET', path, withinMs: PICTURE_MS, first: host }, call)
  if (asked.kind === 'answered' && asked.status === 200) return { ok: true, png: asked.bytes }
  const said = jsonOf(asked)
  return { ok: false, problem: said.ok ? 'no picture came' : said.error.message }
}

/** Undefined when no host took it. */
const perform = async (
  client: FleetClient,
  command: FleetCommand,
  pictured: Pictured,
  call: Call,
): Promise<CommandResult | undefined> => {
  const executionId = systemIds().at(call.clock.now())
  const named = hostIn(client, command.device)
  const asked = await askFleet(
    client,
    {
      method: 'POST',
      path: command.path ?? '/execute',
      context: contextOf(call),
      body: pictured.body,
      executionId,
      first: named?.host,
      onProgress: call.isOn('verbose') ? showProgress(call) : undefined,
    },
    call,
  )
  if (asked.kind === 'untaken') return undefined
  const said = jsonOf(asked)
  if (!said.ok) return { ok: false, output: said.error }
  const { json, host } = said
  if (typeof json.envelope !== 'object' || json.envelope === null) {
    const message = `Host ${host} sent a response that is not a result: the action may have executed.`
    return { ok: false, output: failure('INTERNAL_ERROR', message, { details: { host, executionId } }) }
  }
  const result = await bringPictures(json as unknown as ExecutionSuccess, {
    host,
    executionId,
    pictured,
    folder: join(homeOf(call.env), 'screenshots'),
    fetch: route => fetchPicture(client, host, route, call),
    write: writeScreenshot,
  })
  const { ok, output } = executionOutput(result)
  return { ok, output: { ...(output as object), host } }
}

/** Undefined when the fleet cannot be reached and the device is connected to this machine. */
export const executeInFleet = async (command: FleetCommand, call: Call): Promise<CommandResult | undefined> => {
  const prepared = await prepare(command, call)
  if (!prepared.ok) return { ok: false, output: prepared.output }
  const done = await inFleet(call, client => perform(client, command, prepared.pictured, call))
  if (done.kind === 'interrupted') return { ok: false, output: interruptedEarly() }
  if (done.kind === 'done' && done.value) return done.value
  const why = done.kind === 'unreachable' ? done.why : NOBODY_ANSWERS
  // An execution that is not in this machine's journal cannot be resumed here.
  return command.path === undefined
    ? unreached(why, command.device, call)
    : { ok: false, output: unreachableError(why) }
}

/** A device of this machine is reached without the fleet, too. */
export const unreached = async (
  why: string,
  device: string | undefined,
  call: Call,
): Promise<CommandResult | undefined> => {
  if (device?.trim() && (await isConnectedHere(call, device))) {
    call.log.warn(
      `The fleet cannot be reached: ${why}. Device ${device} is connected to this machine and is used without it.`,
    )
    return undefined
  }
  return { ok: false, output: unreachableError(why) }
}
