/** Keeps what shows a failure: the screen as a picture and as text, and the last lines of the log. */
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { withoutChosenIds } from '../../../contracts/chosen-step-ids.ts'
import type { FlowError } from '../../../contracts/flows/test-run.ts'
import { HOME_MODE, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { isLostPhone } from '../phones.ts'
import type { LiveAttempt } from './attempt.ts'

const PICTURE_MS = 20_000

export interface Evidence {
  /** Paths below the folder of the run. */
  readonly files: readonly string[]
  /** The execution that looked at the screen. */
  readonly executionId?: string
}

/** A phone that is gone shows nothing, and what cannot be had is left out with a warning. */
export const gatherEvidence = async (
  attempt: LiveAttempt,
  error: FlowError,
  signal: AbortSignal,
): Promise<Evidence> => {
  const { phones, deviceId, flowRunId, runFolder, folder, ids, clock, secrets, note } = attempt
  if (isLostPhone(error.code) || signal.aborted) return { files: [] }
  const files: string[] = []
  let looked: Pick<Evidence, 'executionId'> = {}
  const warn = (what: string, problem: unknown) => note(`${what} of the failure: ${messageOf(problem)}`)
  try {
    makeFolder(folder, HOME_MODE)
    const path = join(folder, 'failure.png')
    const executionId = ids.at(clock.now())
    const answer = await phones.perform({
      deviceId,
      flowRunId,
      executionId,
      steps: [{ type: 'snapshot' }, { type: 'take_screenshot', params: { path } }],
      timeoutMs: PICTURE_MS,
      observe: false,
      signal,
    })
    if (answer.kind === 'unperformed') warn('the screen', answer.error.message)
    else {
      looked = { executionId }
      const tree = answer.steps.find(({ actionType }) => actionType === 'snapshot')?.data.text
      if (tree !== undefined) {
        await writeFile(join(folder, 'failure.xml'), secrets.conceal(tree), { mode: STATE_FILE_MODE })
        files.push(join(folder, 'failure.xml'))
      }
      if (answer.error) warn('the screen', withoutChosenIds(answer.error.message))
      else files.unshift(path)
    }
    const lines = await phones.logLines(deviceId, attempt.startedAt, signal)
    if (lines.length > 0) {
      await writeFile(join(folder, 'log.txt'), `${lines.map(secrets.conceal).join('\n')}\n`, { mode: STATE_FILE_MODE })
      files.push(join(folder, 'log.txt'))
    }
  } catch (problem) {
    warn('evidence', problem)
  }
  return { files: files.map(file => relative(runFolder, file)), ...looked }
}
