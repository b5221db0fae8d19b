/** `svc doctor` for people: a line for each check with a sign, and what to do where something is wrong. */
import type { Check } from '../doctor/check.ts'
import { displayWidth, padded } from './display-width.ts'
import { counted, lines, paragraph } from './layout.ts'
import { type Page, SIGNS, type SignName, sign } from './page.ts'
import { isolated, safe, visible } from './visible.ts'

interface DoctorReport {
  ok: boolean
  version: string
  checks: readonly Check[]
}

const checkText = (page: Page, { name, status, message, hint }: Check, width: number): string => {
  const indent = 2 + width + 2
  const word = status === 'ok' ? '' : `${status}: `
  const text = paragraph(page, isolated(visible(`${word}${message}`)), indent)
  const advice =
    hint === undefined
      ? undefined
      : `${' '.repeat(indent)}${paragraph(page, `-> ${isolated(visible(hint))}`, indent + 3)}`
  return lines(`${sign(page, status)} ${padded(visible(name), width)}  ${text}`, advice)
}

const countOf = (checks: readonly Check[], status: SignName): number =>
  checks.filter(check => check.status === status).length

/** Long names of devices do not push all others to the right. */
const NAME_WIDTH_MAX = 24

export const doctorText = (page: Page, { ok, version, checks }: DoctorReport): string => {
  const width = Math.min(NAME_WIDTH_MAX, Math.max(0, ...checks.map(({ name }) => displayWidth(visible(name)))))
  const [failed, warnings] = [countOf(checks, 'failed'), countOf(checks, 'warning')]
  const found = [
    ...(failed > 0 ? [counted(failed, 'check failed', 'checks failed')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  const summary =
    found.length === 0 ? 'Everything is in order.' : `${found.join(', ')} of ${counted(checks.length, 'check')}.`
  return lines(
    ...checks.map(check => checkText(page, check, width)),
    `${ok ? SIGNS.ok : SIGNS.failed} ${safe`svc ${version}: ${summary}`}`,
  )
}
