/** set_on_screen_log and clear_on_screen_log. */
import { parseTemplate } from '../../../contracts/actions/overlay.ts'
import type { ParamsOf, Step } from '../context.ts'
import type { Overlay } from '../driver.ts'
import { overlayOf } from '../overlay.ts'
import { StepFailure } from '../step-failure.ts'

/** A value that holds braces is not read as a template again. */
const render = async (template: string, overlay: Overlay): Promise<string> => {
  const parsed = parseTemplate(template)
  if (!parsed.ok) throw new StepFailure('ON_SCREEN_LOG_TEMPLATE_FAILED', parsed.problem)
  let rendered = ''
  for (const part of parsed.parts) {
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

export const setOnScreenLog: Step<'set_on_screen_log'> = async (params, { driver }) => {
  const overlay = overlayOf(driver)
  const { text: literal, template, ...settings } = params
  const text = template === undefined ? (literal ?? '') : await render(template, overlay)
  const { rendered, truncated } = await overlay.show({ ...settings, text })
  return { visible: 'true', rendered, truncated: String(truncated), ...settingsOf(params) }
}

export const clearOnScreenLog: Step<'clear_on_screen_log'> = async (_params, { driver }) => {
  await overlayOf(driver).clear()
  return { visible: 'false' }
}
