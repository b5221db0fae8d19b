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
export type ParsedTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; problem: string }

const isPlaceholder = (name: string): name is TemplatePlaceholder =>
  (TEMPLATE_PLACEHOLDERS as readonly string[]).includes(name)

/** Doubled pairs first: `{{{{` is never read as an opening `{{` and a name that starts with braces. */
const TOKEN = /\{\{\{\{|\}\}\}\}|\{\{|\}\}/g

export const parseTemplate = (template: string): ParsedTemplate => {
  const parts: TemplatePart[] = []
  const token = new RegExp(TOKEN)
  let from = 0
  for (let match = token.exec(template); match; match = token.exec(template)) {
    const [found] = match
    if (match.index > from) parts.push({ literal: template.slice(from, match.index) })
    if (found === '}}')
      return { ok: false, problem: `"}}" at ${match.index} has no matching "{{"; write "}}}}" for a literal "}}"` }
    if (found === '{{') {
      const end = template.indexOf('}}', token.lastIndex)
      if (end < 0)
        return { ok: false, problem: `"{{" at ${match.index} has no matching "}}"; write "{{{{" for a literal "{{"` }
      const placeholder = template.slice(token.lastIndex, end)
      if (!isPlaceholder(placeholder)) return { ok: false, problem: `unknown placeholder "{{${placeholder}}}"` }
      parts.push({ placeholder })
      token.lastIndex = end + 2
    } else {
      parts.push({ literal: found.slice(2) })
    }
    from = token.lastIndex
  }
  if (from < template.length) parts.push({ literal: template.slice(from) })
  return { ok: true, parts }
}

/** Describes the template's problem in words; null when it has none. */
export const templateProblem = (template: string): string | null => {
  const parsed = parseTemplate(template)
  return parsed.ok ? null : parsed.problem
}

export const Template = v.pipe(
  logText(OVERLAY_TEXT_CHARS_MAX),
  v.check(
    template => templateProblem(template) === null,
    issue => templateProblem(issue.input) ?? 'malformed template',
  ),
)

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
      template: v.exactOptional(Template),
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
