/** Runs the steps of a recorded skill on the scenario that was made with it, in memory: a scenario that they do not fit is not written. */
import type { Action } from '../../contracts/executions/action.ts'
import { runSteps } from '../../device/screen/run.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createUiDriver } from '../operator-app/ui-driver.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { createLayouts } from '../ui/layout-cache.ts'
import { createOverlays } from '../ui/overlays.ts'
import { createUi } from '../ui/ui.ts'

/** Nothing on these screens comes by itself. */
const WAIT_MS = 500

const hurried = (action: Action): Action => {
  switch (action.type) {
    case 'wait_for_node':
    case 'wait_for_navigation':
      return { ...action, params: { ...action.params, timeoutMs: WAIT_MS } } as Action
    case 'sleep':
      return { ...action, params: { durationMs: 0 } }
    case 'scroll':
    case 'scroll_until':
    case 'scroll_and_click':
      return { ...action, params: { ...action.params, settleDelayMs: 0 } } as Action
    default:
      return action
  }
}

/** Performs the actions and returns the failure and its step; undefined when all of them succeed. */
export const tryScenario = async (
  scenario: Scenario,
  actions: readonly Action[],
  clock: Clock,
  signal: AbortSignal,
) => {
  const { device } = scenario
  const ui = createUi({ scenario, clock, metrics: device.size, layouts: createLayouts(), toast: () => {} })
  const driver = createUiDriver({
    ui,
    overlays: createOverlays(clock),
    properties: new Map(),
    metrics: () => device.size,
    isAwake: () => true,
    foregroundApp: () => ui.scene().entry.app,
  })
  for (const action of actions) {
    if (action.type === 'take_screenshot') continue
    if (action.type === 'close_app') {
      ui.stop(action.params.applicationId)
      continue
    }
    const { error } = await runSteps([hurried(action)], { driver, clock, signal, random: Math.random })
    if (error) return { step: action.id, problem: error.message }
  }
  return undefined
}
