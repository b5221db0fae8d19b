/** Templates of the on-screen log: the device fills in the `{{name}}` placeholders, the text travels unchanged. */
import * as v from 'valibot'
import { OVERLAY_TEXT_CHARS_MAX } from './limits.ts'
import { logText } from './text.ts'

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
export type Template = v.InferOutput<typeof Template>
