/** Reads templates of the on-screen log: what a device fills in, and what it shows as it stands. */
import { TEMPLATE_PLACEHOLDERS, type TemplatePlaceholder } from '../../contracts/actions/overlay-template.ts'

export type TemplatePart = { literal: string } | { placeholder: TemplatePlaceholder }

interface ParsedTemplate {
  parts: TemplatePart[]
  /** Names, in words, each part that looks like a placeholder and that the device shows as it stands. */
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
