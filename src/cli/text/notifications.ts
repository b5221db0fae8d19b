/** `svc notifications` for people. */
import type { Notification } from '../../contracts/notifications.ts'
import { counted, lines, paragraph } from './layout.ts'
import type { Page } from './page.ts'
import { safe, visibleLines } from './visible.ts'

const headOf = (page: Page, { applicationId, title = '', ongoing, at }: Notification): string => {
  const when = at === undefined ? '' : `, ${page.ago(at)}`
  return `${page.paint('bold', safe`${title === '' ? '(no title)' : title}`)}  ${safe`${applicationId}`}${when}${ongoing ? ', ongoing' : ''}`
}

const bodyOf = ({ text, bigText = text }: Notification): string[] =>
  bigText === undefined
    ? []
    : visibleLines(bigText)
        .split('\n')
        .map(line => `  ${line}`)

export const notificationsText = (
  page: Page,
  { notifications }: { notifications: readonly Notification[] },
): string => {
  if (notifications.length === 0) return paragraph(page, 'The device has no notifications.')
  return lines(
    ...notifications.flatMap(one => [headOf(page, one), ...bodyOf(one)]),
    counted(notifications.length, 'notification'),
  )
}
