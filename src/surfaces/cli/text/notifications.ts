/** `svc notifications` for people. */
import type { Notification } from '../../../contracts/device/notifications.ts'
import { counted, lines, paragraph } from './layout.ts'
import type { Page } from './page.ts'
import { safe, visibleLines } from './visible.ts'

const titleOf = ({ title = '' }: Notification): string => (title === '' ? '(no title)' : title)

const whereOf = (page: Page, { applicationId, ongoing, at }: Notification): string =>
  [safe`${applicationId}`, ...(at === undefined ? [] : [page.ago(at)]), ...(ongoing ? ['ongoing'] : [])].join(', ')

const textOf = (page: Page, { text = '', bigText = text }: Notification): string[] =>
  bigText === ''
    ? []
    : visibleLines(bigText)
        .split('\n')
        .map(line => `  ${paragraph(page, line, 2)}`)

export const notificationsText = (
  page: Page,
  { notifications }: { notifications: readonly Notification[] },
): string => {
  if (notifications.length === 0) return paragraph(page, 'The device has no notifications.')
  const entries = notifications.flatMap(one => [
    paragraph(page, safe`${titleOf(one)}`),
    `  ${paragraph(page, whereOf(page, one), 2)}`,
    ...textOf(page, one),
  ])
  return lines(...entries, counted(notifications.length, 'notification'))
}
