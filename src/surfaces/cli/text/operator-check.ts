/** `svc operator check` for people: a tick for each rule, what to do about those that are broken, and what was left out. */
import { blocks, bullets, counted, headline, lines } from './layout.ts'
import { type Page, sign } from './page.ts'
import { safe, visible } from './visible.ts'

interface CheckedOperator {
  ok: boolean
  deviceId: string
  operatorPackage: string
  checks: readonly { id: string; held: boolean; detail: string }[]
  held: number
  all: number
  leftOut: readonly { id: string; reason: string }[]
}

const checkText = (page: Page, { id, held, detail }: CheckedOperator['checks'][number]): string =>
  lines(`${sign(page, held ? 'ok' : 'failed')} ${visible(id)}`, held ? undefined : bullets(page, [detail], 4))

/** One line for each reason: a missing socket leaves many checks out. */
const leftOutText = (page: Page, leftOut: CheckedOperator['leftOut']): string => {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return lines(
    ...reasons.map(reason => {
      const ids = leftOut.filter(one => one.reason === reason).map(({ id }) => id)
      return lines(headline(page, 'warning', safe`Left out: ${ids.join(', ')}.`), bullets(page, [reason], 4))
    }),
  )
}

export const operatorCheckedText = (page: Page, output: CheckedOperator): string => {
  const { ok, deviceId, operatorPackage, checks, held, all, leftOut } = output
  const end = ok
    ? safe`${operatorPackage} on ${deviceId} keeps all ${counted(all, 'rule')} that were checked.`
    : safe`${operatorPackage} on ${deviceId} breaks ${all - held} of ${counted(all, 'rule')} that were checked.`
  return blocks(
    lines(...checks.map(check => checkText(page, check))),
    leftOutText(page, leftOut),
    headline(page, ok ? 'ok' : 'failed', end),
  )
}
