/** A transfer that fails before the command that changes its target: how far it was, and that nothing is changed there. */

import type { Clock } from '../../runtime/clock.ts'
import { LinkError } from '../link/link.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { byteWords } from './transfer.ts'

export interface TransferCourse {
  verb: 'sent' | 'fetched'
  target: string
  total: number
  done(): number
  /** The command that changes the target has left, or may have. */
  isChanging: boolean
}

const MORE_TIME = 'Give the execution a longer `timeoutMs`, or use a faster connection.'
const AGAIN = 'Look at the connection of the device, then ask for the same again.'

const farWords = ({ verb, total, done }: TransferCourse): string =>
  done() === 0 ? `before anything was ${verb}` : `when ${byteWords(done())} of ${byteWords(total)} were ${verb}`

/**
 * Performs a transfer. A link that fails, or a time that is over, is a failed step until the target is being changed;
 * whatever else is thrown stays as it is. A cancelled execution is answered by whoever cancelled it.
 */
export const followTransfer = async <T>(
  { verb, target }: Pick<TransferCourse, 'verb' | 'target'>,
  { clock, deadline, signal }: { clock: Clock; deadline: number; signal: AbortSignal },
  work: (course: TransferCourse) => Promise<T>,
): Promise<T> => {
  const course: TransferCourse = { verb, target, total: 0, done: () => 0, isChanging: false }
  try {
    return await work(course)
  } catch (error) {
    const isProof = error instanceof LinkError && error.code !== 'LINK_CANCELLED' && !signal.aborted
    if (!isProof || course.isChanging) throw error
    const isOver = error.code === 'LINK_TIMEOUT' && clock.now() >= deadline
    const why = isOver ? 'the time of the execution was over' : error.message.replace(/\.$/, '')
    throw new StepFailure('FILE_REFUSED', `${why} ${farWords(course)}; nothing was changed at ${course.target}`, {
      hint: isOver ? MORE_TIME : AGAIN,
    })
  }
}
