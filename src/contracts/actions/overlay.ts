/**
 * Actions that show something over the screen, and templates of the on-screen log: the device fills in the `{{name}}`
 * placeholders, the text travels unchanged.
 */
import * as v from 'valibot'
import {
  OVERLAY_FONT_SP,
  OVERLAY_OFFSET_DP,
  OVERLAY_TEXT_CHARS_MAX,
  OVERLAY_TTL_MS,
  OVERLAY_WIDTH_DP,
} from '../limits.ts'
import { closedObject } from '../objects.ts'
import { integer, logText, visibleText } from '../scalars.ts'
import { action, NoParams } from './shape.ts'

export const TEMPLATE_PLACEHOLDERS = [
  'foreground_app.icon',
  'foreground_app.package_name',
  'foreground_app.version_code',
  'foreground_app.version_name',
  'device.manufacturer',
  'device.model',
  'system.language_code',
  'system.language_tag',
  'system.language_name',
] as const
export type TemplatePlaceholder = (typeof TEMPLATE_PLACEHOLDERS)[number]

export type TemplatePart = { literal: string } | { placeholder: TemplatePlaceholder }

interface ParsedTemplate {
  parts: TemplatePart[]
  /** What the device shows as it stands although it looks like a placeholder; in words. */
  problems: string[]
}

const isPlaceholder = (name: string): name is TemplatePlaceholder =>
  (TEMPLATE_PLACEHOLDERS as readonly string[]).includes(name)

/** Doubled pairs first: `{{{{` is never read as an opening `{{` and a name that starts with braces. */
const TOKEN = /\{\{\{\{|\}\}\}\}|\{\{|\}\}/g

/** Every text is a template: what is no placeholder stands for itself. */
export const parseTemplate = (template: string): ParsedTemplate => {
  const parts: TemplatePart[] = []
  const problems: string[] = []
  const token = new RegExp(TOKEN)
  let from = 0
  for (let match = token.exec(template); match; match = token.exec(template)) {
    const [found] = match
    const end = found === '{{' ? template.indexOf('}}', token.lastIndex) : -1
    const name = end < 0 ? undefined : template.slice(token.lastIndex, end)
    if (match.index > from) parts.push({ literal: template.slice(from, match.index) })
    if (name !== undefined) token.lastIndex = end + 2
    if (name !== undefined && isPlaceholder(name)) parts.push({ placeholder: name })
    else parts.push({ literal: name === undefined ? found.slice(0, 2) : `{{${name}}}` })
    if (name !== undefined && !isPlaceholder(name)) problems.push(`unknown placeholder "{{${name}}}"`)
    else if (found === '}}')
      problems.push(`"}}" at ${match.index} has no matching "{{"; write "}}}}" for a literal "}}"`)
    else if (found === '{{' && name === undefined)
      problems.push(`"{{" at ${match.index} has no matching "}}"; write "{{{{" for a literal "{{"`)
    from = token.lastIndex
  }
  if (from < template.length) parts.push({ literal: template.slice(from) })
  return { parts, problems }
}

export const ShowToast = action(
  'show_toast',
  closedObject({
    text: visibleText(OVERLAY_TEXT_CHARS_MAX),
    duration: v.exactOptional(v.picklist(['short', 'long']), 'short'),
  }),
)

export const CancelToast = action('cancel_toast', v.exactOptional(NoParams))

const Side = v.picklist(['left', 'right'])

export const Colour = v.pipe(
  v.string(),
  v.regex(/^#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/, 'must be a colour as #RRGGBB or #AARRGGBB'),
)

export const SetOnScreenLog = action(
  'set_on_screen_log',
  v.pipe(
    closedObject({
      text: v.exactOptional(logText(OVERLAY_TEXT_CHARS_MAX)),
      template: v.exactOptional(logText(OVERLAY_TEXT_CHARS_MAX)),
      anchor: v.exactOptional(Side, 'left'),
      textAlign: v.exactOptional(Side, 'left'),
      topOffsetDp: v.exactOptional(integer(OVERLAY_OFFSET_DP), OVERLAY_OFFSET_DP.default),
      edgeOffsetDp: v.exactOptional(integer(OVERLAY_OFFSET_DP), OVERLAY_OFFSET_DP.default),
      widthDp: v.exactOptional(integer(OVERLAY_WIDTH_DP), OVERLAY_WIDTH_DP.default),
      fontSizeSp: v.exactOptional(integer(OVERLAY_FONT_SP), OVERLAY_FONT_SP.default),
      textColor: v.exactOptional(Colour, '#FFFFFFFF'),
      backgroundColor: v.exactOptional(Colour, '#B3000000'),
      ttlMs: v.exactOptional(integer(OVERLAY_TTL_MS), OVERLAY_TTL_MS.default),
    }),
    v.check(
      params => (params.text === undefined) !== (params.template === undefined),
      'exactly one of text and template is needed',
    ),
    v.metadata({ oneOf: [{ required: ['text'] }, { required: ['template'] }] }),
  ),
)

export const ClearOnScreenLog = action('clear_on_screen_log', v.exactOptional(NoParams))
