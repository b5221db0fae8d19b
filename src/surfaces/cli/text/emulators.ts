/** `svc emulators` for people. */
import type { ConfiguredAvd, RunningEmulator } from '../../../contracts/device/avd.ts'
import { type Fact, facts, headline, lines, paragraph, table } from './layout.ts'
import { type Page, SIGNS } from './page.ts'
import { safe } from './visible.ts'

const inWords = (reasons: readonly string[]): string => reasons.map(reason => reason.replaceAll('_', ' ')).join(', ')

interface Support {
  supported: boolean
  unsupportedReasons: readonly string[]
}

const supportOf = ({ supported, unsupportedReasons }: Support): string =>
  supported ? `${SIGNS.ok} yes` : `${SIGNS.failed} ${inWords(unsupportedReasons) || 'no'}`

const supportStyle = ({ supported }: Support) => (supported ? 'green' : 'yellow')

export const avdsText = (page: Page, { avds }: { avds: readonly ConfiguredAvd[] }): string => {
  if (avds.length === 0) return paragraph(page, 'There is no AVD. Make one: svc emulators create')
  return table<ConfiguredAvd>(
    page,
    [
      { title: 'avd', cell: ({ name }) => name },
      {
        title: 'state',
        cell: ({ running }) => (running ? `${SIGNS.ok} running` : 'stopped'),
        style: ({ running }) => (running ? 'green' : undefined),
      },
      { title: 'api', cell: ({ apiLevel }) => String(apiLevel ?? ''), align: 'right', leaveOut: 2 },
      { title: 'abi', cell: ({ abi }) => abi ?? '', leaveOut: 3 },
      { title: 'profile', cell: ({ deviceProfile }) => deviceProfile ?? '', leaveOut: 5 },
      { title: 'play store', cell: ({ playStore }) => yesOrNo(playStore), leaveOut: 4 },
      { title: 'supported', cell: supportOf, style: supportStyle, leaveOut: 1, atLeast: 16 },
    ],
    avds,
  )
}

const yesOrNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no')

export const runningEmulatorsText = (page: Page, { devices }: { devices: readonly RunningEmulator[] }): string => {
  if (devices.length === 0) return paragraph(page, 'No emulator runs. Bring one up: svc emulators provision')
  return table<RunningEmulator>(
    page,
    [
      { title: 'device', cell: ({ serial }) => serial },
      { title: 'avd', cell: ({ avdName }) => avdName },
      {
        title: 'state',
        cell: ({ booted }) => (booted ? `${SIGNS.ok} booted` : `${SIGNS.warning} not booted`),
        style: ({ booted }) => (booted ? 'green' : 'yellow'),
      },
      { title: 'supported', cell: supportOf, style: supportStyle, leaveOut: 1, atLeast: 16 },
    ],
    devices,
  )
}

const avdFacts = (page: Page, avd: ConfiguredAvd): string => {
  const rows: Fact[] = [
    ['API level', avd.apiLevel?.toString()],
    ['ABI', avd.abi ?? undefined],
    ['Play Store', yesOrNo(avd.playStore)],
    ['Profile', avd.deviceProfile ?? undefined],
    ['Image', avd.systemImage ?? undefined],
    ['Supported', avd.supported ? 'yes' : inWords(avd.unsupportedReasons) || 'no'],
  ]
  return facts(page, rows, 2)
}

export const avdText = (page: Page, avd: ConfiguredAvd): string => {
  if (!avd.exists) return headline(page, 'failed', safe`There is no AVD ${avd.name}.`)
  const state = avd.running ? 'is running' : 'is stopped'
  return lines(headline(page, 'ok', safe`The AVD ${avd.name} ${state}.`), avdFacts(page, avd))
}

export const avdCreatedText = (page: Page, avd: ConfiguredAvd): string =>
  lines(
    headline(page, 'ok', safe`Made the AVD ${avd.name}. Start it: svc emulators start ${avd.name}`),
    avdFacts(page, avd),
  )

interface Started {
  avdName: string
  serial: string
  booted: boolean
  created?: boolean
  started?: boolean
}

const readyText = (page: Page, { avdName, serial, booted }: Started, how: string): string =>
  headline(
    page,
    booted ? 'ok' : 'warning',
    safe`${how} ${avdName} as ${serial}${booted ? '' : '; it has not booted yet'}.`,
  )

export const emulatorStartedText = (page: Page, started: Started): string => readyText(page, started, 'Started')

export const emulatorProvisionedText = (page: Page, output: Started): string =>
  readyText(page, output, output.created ? 'Made and started' : output.started ? 'Started' : 'Already running:')

export const emulatorStoppedText = (page: Page, { avdName }: { avdName: string }): string =>
  headline(page, 'ok', safe`Stopped ${avdName}.`)

export const emulatorDeletedText = (page: Page, { avdName }: { avdName: string }): string =>
  headline(page, 'ok', safe`Deleted the AVD ${avdName} and its data.`)
