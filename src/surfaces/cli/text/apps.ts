/** `svc apps list` and `svc apps info` for people. */
import type { AppInfo, ListedApp } from '../../../contracts/device/apps.ts'
import { bullets, counted, type Fact, facts, lines, paragraph, table } from './layout.ts'
import type { Page } from './page.ts'
import { safe } from './visible.ts'

const numberText = (value: number | undefined): string => (value === undefined ? '' : String(value))

export const appsText = (page: Page, { apps }: { apps: readonly ListedApp[] }): string => {
  if (apps.length === 0) return paragraph(page, 'The device has no such application.')
  return lines(
    table(
      page,
      [
        { title: 'application', cell: ({ applicationId }) => applicationId },
        { title: 'kind', cell: ({ kind }) => kind, leaveOut: 2 },
        { title: 'version code', cell: ({ versionCode }) => numberText(versionCode), leaveOut: 1, align: 'right' },
      ],
      apps,
    ),
    counted(apps.length, 'application'),
  )
}

const STATES = { allow: 'allowed', deny: 'denied', unset: 'not asked' } as const

export const appText = (page: Page, { app }: { app: AppInfo }): string => {
  const { applicationId, versionName = '', versionCode, splits = [], permissions } = app
  const words = permissions.map(({ granted, state = granted ? 'allow' : 'deny' }) => STATES[state])
  const width = Math.max(...words.map(word => word.length))
  const code = versionCode === undefined ? '' : ` (${versionCode})`
  const rows: Fact[] = [
    ['Version', `${versionName}${code}`.trim()],
    ['Kind', `${app.kind}${app.debuggable ? ', debuggable' : ''}${app.enabled ? '' : ', disabled'}`],
    ['Android', app.targetSdk === undefined ? undefined : `API level ${app.minSdk ?? '?'} to ${app.targetSdk}`],
    ['Installed by', app.installer],
    ['Updated', app.lastUpdated],
    ['Splits', splits.join(', ')],
    ['Permissions', permissions.length === 0 ? undefined : counted(permissions.length, 'permission')],
  ]
  return lines(
    page.paint('bold', safe`${applicationId}`),
    facts(page, rows, 2),
    bullets(
      page,
      permissions.map((each, at) => `${words[at]?.padEnd(width)}  ${each.permission}${each.fixed ? ' (fixed)' : ''}`),
      4,
    ),
  )
}
