/** Daemons, simulated devices, the viewer and the journal for people. */
import type { DaemonReport } from '../../../contracts/daemon.ts'
import { duration } from '../../../contracts/duration.ts'
import { counted, type Fact, facts, headline, lines, paragraph, table } from './layout.ts'
import type { Page, SignName } from './page.ts'
import { safe, visible } from './visible.ts'

const DAEMON: Record<DaemonReport['status'], readonly [sign: SignName, text: string]> = {
  running: ['ok', 'The daemon is running.'],
  started: ['ok', 'Started the daemon.'],
  already_running: ['ok', 'The daemon was running already.'],
  stopped: ['ok', 'Stopped the daemon.'],
  not_running: ['ok', 'The daemon is not running; the next command starts it.'],
  unowned: ['warning', 'A listener that svc did not start has the socket; commands run without a daemon.'],
}

const SECOND = 1_000

const reportText = (page: Page, daemon: DaemonReport): string => {
  const [kind, text] = DAEMON[daemon.status]
  const rows: Fact[] =
    daemon.status === 'running'
      ? [
          ['Process', String(daemon.pid)],
          ['Version', daemon.version],
          ['Runs for', duration(daemon.uptimeSeconds * SECOND)],
          ['Program', daemon.buildIdentity.entryPath ?? undefined],
          ['Socket', daemon.socketPath],
        ]
      : [['Socket', daemon.socketPath]]
  return lines(headline(page, kind, text), facts(page, rows, 2))
}

/** `daemons` are those of `svc daemon stop --all`. */
export const daemonText = (page: Page, output: { daemon: DaemonReport } | { daemons: readonly DaemonReport[] }) => {
  if ('daemon' in output) return reportText(page, output.daemon)
  if (output.daemons.length === 0) return headline(page, 'ok', 'No daemon is running.')
  return lines(...output.daemons.map(daemon => reportText(page, daemon)))
}

interface SimulatedDevices {
  devices: readonly { serial: string; port: number; name: string }[]
}

export const simulatedText = (page: Page, { devices }: SimulatedDevices): string => {
  const them = devices.length === 1 ? 'it' : 'them'
  return lines(
    headline(page, 'ok', `${counted(devices.length, 'simulated device')} ready. Ctrl-C ends ${them}.`),
    table(
      page,
      [
        { title: 'device', cell: ({ serial }) => serial },
        { title: 'name', cell: ({ name }) => name, leaveOut: 1 },
      ],
      devices,
    ),
    safe`To use ${them}: export SVC_TCP_DEVICES=${devices.map(({ serial }) => serial).join(',')}`,
  )
}

interface Scenario {
  written: string
  apps: readonly string[]
  screens: readonly string[]
}

export const scenarioText = (page: Page, { written, apps, screens }: Scenario): string =>
  lines(
    headline(page, 'ok', safe`Wrote the scenario ${written}`),
    facts(
      page,
      [
        ['Apps', apps.join(', ')],
        ['Screens', screens.join(', ')],
      ],
      2,
    ),
  )

export const viewerText = (page: Page, { url, started }: { url: string; started: boolean }): string =>
  lines(
    headline(page, 'ok', safe`The viewer is at ${url}`),
    started ? '  Ctrl-C ends the server that was started for it.' : undefined,
  )

interface Counts {
  records: number
  receipts: number
  checkpoints: number
  skipped: number
}

const countsText = ({ records, receipts, checkpoints, skipped }: Counts): string =>
  [
    counted(records, 'record'),
    counted(receipts, 'receipt'),
    counted(checkpoints, 'checkpoint'),
    ...(skipped > 0 ? [`${skipped} unreadable and left out`] : []),
  ].join(', ')

export const exportedText = (page: Page, output: Counts & { to: string }): string =>
  lines(
    headline(page, output.skipped > 0 ? 'warning' : 'ok', safe`Exported the journal to ${output.to}`),
    `  ${paragraph(page, countsText(output), 2)}`,
  )

interface Repaired {
  repaired: boolean
  path: string
  message: string
  exported?: (Counts & { to: string }) | { error: string }
  aside?: readonly string[]
  receipts?: number
  receiptsLost?: number | null
  hint?: string
}

export const repairedText = (page: Page, output: Repaired): string => {
  const { repaired, path, message, exported, aside, receipts, receiptsLost, hint } = output
  if (!repaired) return lines(headline(page, 'ok', visible(message)), facts(page, [['Journal', path]], 2))
  const rows: Fact[] = [
    ['Journal', path],
    ['Problem', message],
    ['Exported', exported && ('to' in exported ? `${countsText(exported)} to ${exported.to}` : exported.error)],
    ['Set aside', aside?.join(', ')],
    ['Receipts', receipts === undefined ? undefined : `${receipts} kept`],
    ['Lost', receiptsLost === undefined ? undefined : `${receiptsLost ?? 'an unknown number of'} receipts`],
    ['Hint', hint],
  ]
  return lines(headline(page, 'ok', 'Replaced the damaged journal with a new one.'), facts(page, rows, 2))
}
