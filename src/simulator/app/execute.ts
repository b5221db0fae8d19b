/** Runs the steps of one request over the screen and makes an envelope of how they went. */

import type { UiDriver } from '../../operator/engine/driver.ts'
import { runSteps } from '../../operator/engine/run.ts'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { type AnsweredEnvelope, envelopeOf, refusal } from './envelope.ts'
import type { ReadRequest } from './request.ts'

export interface ExecuteOptions {
  driver: UiDriver
  /** The device's clock. */
  clock: Clock
  timeScale: number
  signal: AbortSignal
  hasAccessibility(): boolean
}

const NO_ACCESSIBILITY = 'The accessibility service of the operator app is switched off.'

export const executeRequest = async (read: ReadRequest, options: ExecuteOptions): Promise<AnsweredEnvelope> => {
  if (!read.ok) return refusal(read.address, 'EXECUTION_VALIDATION_FAILED', read.message)
  const { request } = read
  if (!options.hasAccessibility()) return refusal(request, 'SERVICE_UNAVAILABLE', NO_ACCESSIBILITY)
  const { driver, clock, timeScale, signal } = options
  // A device that lives faster than we do still has all of the caller's time.
  const deadline = clock.now() + request.timeoutMs / Math.min(1, timeScale)
  try {
    return envelopeOf(
      request,
      await runSteps(request.actions, { driver, clock, signal, random: Math.random, deadline }),
    )
  } catch (error) {
    const reason = messageOf(error)
    return refusal(request, 'ACTION_FAILED', `The operator app broke: ${reason}.`)
  }
}
