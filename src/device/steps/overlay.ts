/** show_toast, cancel_toast, set_on_screen_log and clear_on_screen_log: the steps that draw over the screen. */
import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { Step } from '../screen/context.ts'
import type { Overlay, UiDriver } from '../screen/driver.ts'
import { parseTemplate } from '../screen/overlay-template.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { Performers } from './performer.ts'

const overlayOf = ({ overlay }: UiDriver): Overlay => {
  if (overlay) return overlay
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'this operator cannot draw over the screen', {
    hint: 'Toasts and the on-screen log need an operator app: install one as com.svc.operator, or name it with `operatorPackage`; svc.shell and svc.uiautomator draw nothing.',
  })
}

const showToast: Step<'show_toast'> = async ({ text, duration }, { driver }) => {
  if (await overlayOf(driver).showToast(text, duration)) return { submitted: 'true', duration }
  throw new StepFailure('SERVICE_UNAVAILABLE', 'the device does not show the toast')
}

const cancelToast: Step<'cancel_toast'> = async (_params, { driver }) => {
  await overlayOf(driver).cancelToast()
  return { submitted: 'true' }
}

/** A value that holds braces is not read as a template again. */
const render = async (template: string, overlay: Overlay): Promise<string> => {
  let rendered = ''
  for (const part of parseTemplate(template).parts) {
    rendered += 'literal' in part ? part.literal : await overlay.placeholder(part.placeholder)
  }
  return rendered
}

const settingsOf = (params: ParamsOf['set_on_screen_log']): Record<string, string> => ({
  anchor: params.anchor,
  text_align: params.textAlign,
  top_offset_dp: String(params.topOffsetDp),
  edge_offset_dp: String(params.edgeOffsetDp),
  width_dp: String(params.widthDp),
  font_size_sp: String(params.fontSizeSp),
  text_color: params.textColor,
  background_color: params.backgroundColor,
  ttl_ms: String(params.ttlMs),
})

const setOnScreenLog: Step<'set_on_screen_log'> = async (params, { driver }) => {
  const overlay = overlayOf(driver)
  const { text: literal, template, ...settings } = params
  const text = template === undefined ? (literal ?? '') : await render(template, overlay)
  const { rendered, truncated } = await overlay.show({ ...settings, text })
  return { visible: 'true', rendered, truncated: String(truncated), ...settingsOf(params) }
}

const clearOnScreenLog: Step<'clear_on_screen_log'> = async (_params, { driver }) => {
  await overlayOf(driver).clear()
  return { visible: 'false' }
}

export const OVERLAY_STEPS = {
  show_toast: { screen: showToast },
  cancel_toast: { screen: cancelToast },
  set_on_screen_log: { screen: setOnScreenLog },
  clear_on_screen_log: { screen: clearOnScreenLog },
} as const satisfies Partial<Performers>
