/** Screenshots of a phone of another machine: fetched by this command, and written where its caller wants them. */
import { join } from 'node:path'
import type { ExecutionSuccess } from '../../contracts/execution-result.ts'
import type { FleetClient } from '../../fleet/client.ts'
import { PICTURE_MS, type Pictured, pictureRoute, picturesIn } from '../../fleet/pictures.ts'
import { failed } from '../../operator/engine/run.ts'
import { StepFailure } from '../../operator/engine/step-failure.ts'
import { writeScreenshot } from '../../operator/screenshot-file.ts'
import { homeOf } from '../../runtime/home.ts'
import { makeFolder } from '../../runtime/make-folder.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Call } from '../command.ts'
import { askFleet, jsonOf } from './request.ts'

const FOLDER_MODE = 0o700

interface FetchOptions {
  client: FleetClient
  /** That has the execution. */
  host: string
  executionId: string
  pictured: Pictured
}

const fetched = async (
  stepId: string,
  { client, host, executionId }: FetchOptions,
  call: Call,
): Promise<Uint8Array> => {
  const path = pictureRoute(executionId, stepId)
  const asked = await askFleet(client, { method: 'GET', path, withinMs: PICTURE_MS, first: host }, call)
  if (asked.kind === 'answered' && asked.status === 200) return asked.bytes
  const said = jsonOf(asked)
  throw new Error(
    `the picture cannot be fetched from host ${host}: ${said.ok ? 'no picture came' : said.error.message}`,
  )
}

const bring = async (stepId: string, fileName: string, options: FetchOptions, call: Call): Promise<string> => {
  const png = await fetched(stepId, options, call)
  const folder = join(homeOf(call.env), 'screenshots')
  const named = options.pictured.paths.get(stepId)
  if (named === undefined) makeFolder(folder, FOLDER_MODE)
  const written = await writeScreenshot({ path: named ?? join(folder, fileName), png })
  if (!written.ok) throw new Error(written.problem)
  return written.path
}

/** A picture that does not get here fails its step, as one does that cannot be written on the machine of its phone. */
export const bringPictures = async (
  result: ExecutionSuccess,
  options: FetchOptions,
  call: Call,
): Promise<ExecutionSuccess> => {
  const taken = new Set(picturesIn(result).map(({ id }) => id))
  const { envelope } = result
  let error = envelope.error
  let { status } = envelope
  const stepResults = []
  for (const [index, step] of envelope.stepResults.entries()) {
    if (!taken.has(step.id)) {
      stepResults.push(step)
      continue
    }
    try {
      const path = await bring(step.id, `${options.executionId}.${index}.png`, options, call)
      stepResults.push({ ...step, data: { ...step.data, path } })
    } catch (thrown) {
      const problem = new StepFailure('EVIDENCE_CAPTURE_FAILED', messageOf(thrown))
      const outcome = failed({ id: step.id, type: 'take_screenshot' }, problem)
      stepResults.push(...outcome.stepResults)
      error ??= outcome.error
      status = 'failed'
    }
  }
  return { ...result, envelope: { ...envelope, status, error, stepResults } }
}
