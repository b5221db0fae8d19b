/** `svc install` and its parts for people: each place and what became of it. */
import type {
  AuthoringHost,
  AuthoringList,
  AuthoringStatus,
  Installed,
  InstallReport,
  UpgradeChecked,
} from '../../../contracts/install.ts'
import { blocks, bullets, counted, facts, headline, lines, paragraph, table } from './layout.ts'
import { type Page, SIGNS } from './page.ts'
import { safe, visible } from './visible.ts'

const DONE = { wrote: 'Wrote', updated: 'Updated', removed: 'Removed' } as const
const PLANNED = { wrote: 'Would write', updated: 'Would update', removed: 'Would remove' } as const

type Report = InstallReport & { dryRun: boolean; message: string }

const placesText = (page: Page, title: string, paths: readonly string[]): string | undefined =>
  paths.length === 0 ? undefined : lines(`${title}:`, bullets(page, paths))

const reportText = (page: Page, report: Report): string => {
  const titles = report.dryRun ? PLANNED : DONE
  return lines(
    placesText(page, titles.wrote, report.wrote),
    placesText(page, titles.updated, report.updated),
    placesText(page, titles.removed, report.removed),
    report.unchanged.length === 0
      ? undefined
      : `Already as it should be: ${counted(report.unchanged.length, 'place')}.`,
    placesText(
      page,
      'Left alone',
      report.skipped.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    placesText(
      page,
      'Could not be written',
      report.refused.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    headline(page, report.refused.length > 0 ? 'failed' : 'ok', visible(report.message)),
  )
}

export const installedText = (page: Page, output: Installed): string =>
  blocks(reportText(page, output), output.next && lines('Next:', bullets(page, output.next)))

const STATES: Record<AuthoringHost['state'], readonly [text: string, style: 'green' | 'yellow' | 'red']> = {
  ok: [`${SIGNS.ok} current`, 'green'],
  missing: [`${SIGNS.warning} missing`, 'yellow'],
  stale: [`${SIGNS.warning} stale`, 'yellow'],
  conflict: [`${SIGNS.failed} conflict`, 'red'],
}

const hostsText = (page: Page, { hosts }: AuthoringStatus): string =>
  table(
    page,
    [
      { title: 'host', cell: ({ host }) => host },
      { title: 'state', cell: ({ state }) => STATES[state][0], style: ({ state }) => STATES[state][1] },
      { title: 'as', cell: ({ representation }) => representation, leaveOut: 2 },
      { title: 'folder', cell: ({ dir }) => dir, leaveOut: 1, atLeast: 16 },
    ],
    hosts,
  )

export const authoringListText = (page: Page, { skills, installedDir }: AuthoringList): string => {
  if (skills.length === 0)
    return paragraph(page, 'No authoring skill is installed. Install them: svc authoring-skills install')
  const listed = table(
    page,
    [
      { title: 'skill', cell: ({ name }) => name },
      { title: 'folder', cell: ({ skillPath }) => skillPath, leaveOut: 1, atLeast: 16 },
    ],
    skills,
  )
  return lines(listed, safe`${counted(skills.length, 'skill')} in ${installedDir}`)
}

export const authoringStatusText = (page: Page, status: AuthoringStatus): string => {
  const { count, installedDir, hosts } = status
  const isBehind = hosts.some(({ state }) => state !== 'ok')
  return lines(
    safe`${counted(count, 'authoring skill')} in ${installedDir}`,
    hostsText(page, status),
    isBehind ? 'Bring them up to date: svc authoring-skills install' : undefined,
  )
}

export const authoringInstalledText = (page: Page, output: AuthoringStatus & Report): string =>
  blocks(reportText(page, output), hostsText(page, output))

export const upgradeText = (page: Page, { state, current, available, message, command }: UpgradeChecked): string =>
  lines(
    headline(page, state === 'newer' || state === 'another-package' ? 'warning' : 'ok', visible(message)),
    facts(
      page,
      [
        ['This version', current],
        ['In npm', available ?? undefined],
        ['To upgrade', command],
      ],
      2,
    ),
  )
