/** `svc skills run` for people: how it ended, what it found out, and the checkpoints on the way. */

import { duration } from '../../../contracts/duration.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { SKILL_RESULT_MARKER, type SkillResult } from '../../../contracts/skills/skill-result.ts'
import type { SkillRunOutcome } from '../../../contracts/skills/skill-run.ts'
import { failureText } from './failure.ts'
import { type Fact, facts, headline, lines, table } from './layout.ts'
import { type Page, SIGNS } from './page.ts'
import { safe, visibleLines } from './visible.ts'

const CHECKPOINTS = {
  ok: [SIGNS.ok, 'green'],
  failed: [SIGNS.failed, 'red'],
  skipped: ['-', 'dim'],
} as const

type ResultValue = SkillResult['result'] | undefined

const valueText = (value: ResultValue): string | undefined => {
  if (!value) return undefined
  if (value.kind === 'text') return value.text
  return value.kind === 'json' ? JSON.stringify(value.value) : undefined
}

const checkpointsText = (page: Page, { checkpoints }: SkillResult): string | undefined =>
  checkpoints.length === 0
    ? undefined
    : table(
        page,
        [
          { title: '', cell: ({ status }) => CHECKPOINTS[status][0], style: ({ status }) => CHECKPOINTS[status][1] },
          { title: 'checkpoint', cell: ({ id }) => id, atLeast: 12 },
          { title: 'status', cell: ({ status }) => status },
          {
            title: 'note',
            cell: ({ note, evidence }) => note || (valueText(evidence ?? null) ?? ''),
            leaveOut: 1,
            atLeast: 16,
          },
        ],
        checkpoints,
      )

const verificationText = ({ status, note }: NonNullable<SkillResult['terminalVerification']>): string =>
  [status.replace('_', ' '), ...(note ? [note] : [])].join(': ')

/** A result that the message of the failure holds already is not said again. */
const resultText = (page: Page, result: SkillResult | null | undefined, message = ''): string | undefined => {
  if (!result) return undefined
  const { terminalVerification: verification, diagnostics } = result
  const more = (texts: readonly string[] | null | undefined) =>
    texts?.filter(text => !message.includes(text)).join('; ') || undefined
  const rows: Fact[] = [
    ['Result', valueText(result.result)],
    ['Verified', verification ? verificationText(verification) : undefined],
    ['Expected', valueText(verification?.expected)],
    ['Observed', valueText(verification?.observed)],
    ['Warnings', more(diagnostics?.warnings)],
    ['Hints', more(diagnostics?.hints)],
  ]
  return lines(checkpointsText(page, result), facts(page, rows, 2))
}

const tookOf = (page: Page, output: SkillRunOutcome): string =>
  duration('durationMs' in output && typeof output.durationMs === 'number' ? output.durationMs : page.tookMs)

/** The line where the result begins, which is for programs. */
const FRAME = new RegExp(`^${SKILL_RESULT_MARKER.replace(/[[\]]/g, '\\$&')}\\r?$`, 'm')

/** The script wrote this to stdout before it failed; its result is shown by itself. */
const printedText = (stdout = '', hasResult: boolean): string | undefined => {
  const frame = hasResult ? stdout.search(FRAME) : -1
  const printed = frame < 0 ? stdout : stdout.slice(0, frame)
  return printed.trim() === '' ? undefined : `  Output:\n${visibleLines(printed).trimEnd().replace(/^/gm, '    ')}`
}

export const skillRunText = (page: Page, output: SkillRunOutcome): string => {
  if (output.status === 'success') {
    const [skillId] = page.given.args
    const head = headline(page, 'ok', safe`${skillId} succeeded in ${tookOf(page, output)}.`)
    const printed = 'output' in output ? visibleLines(output.output).trimEnd() : undefined
    return lines(printed, head, resultText(page, output.skillResult))
  }
  if (output.status === 'indeterminate') {
    const head = headline(page, 'unknown', safe`${output.code}: ${output.message}`)
    return lines(head, resultText(page, output.skillResult))
  }
  const { code, message, details, hint, exitCode, stdout } = output
  const exit = exitCode === undefined ? undefined : exitCode === null ? 'ended by a signal' : String(exitCode)
  const error = { code, message, ...(details ? { details } : {}), ...(hint ? { hint } : {}) }
  const result = isObject(output.skillResult) ? resultText(page, output.skillResult, message) : undefined
  return lines(
    failureText(page, error, { facts: [['Exit code', exit]] }),
    printedText(stdout, result !== undefined),
    result,
  )
}
