/** Waits until an application that was opened is in front. */
import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { StepContext } from '../screen/context.ts'
import { poll } from '../screen/retry.ts'
import { StepFailure } from '../screen/step-failure.ts'

type Wait = Pick<ParamsOf['open_app'], 'applicationId' | 'skipNavigationWait' | 'navigationTimeoutMs'>
type Look = Pick<StepContext, 'clock' | 'signal' | 'deadline'> & {
  driver: Pick<StepContext['driver'], 'foregroundPackage'>
}

/** Done when the package is in front; what it shows by then is not looked at. */
export const waitForApp = async (
  { applicationId, skipNavigationWait, navigationTimeoutMs }: Wait,
  { driver, clock, signal, deadline }: Look,
): Promise<{ application_id: string }> => {
  if (skipNavigationWait) return { application_id: applicationId }
  const until = Math.min(clock.now() + navigationTimeoutMs, deadline)
  let front = ''
  const isInFront = async () => {
    front = await driver.foregroundPackage(until)
    return front === applicationId || undefined
  }
  if (await poll(isInFront, { clock, signal, until })) return { application_id: applicationId }
  throw new StepFailure(
    'NAVIGATION_TIMEOUT',
    `${applicationId} did not come to the front; ${front || 'nothing'} is in front`,
  )
}

export const noSuchApp = (applicationId: string) =>
  new StepFailure('APP_NOT_FOUND', `no application ${applicationId} can be opened`)
