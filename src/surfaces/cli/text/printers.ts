/** The printers of --output text; a command names its own by the key. */
import { appsText, appText } from './apps.ts'
import {
  connectedText,
  disconnectedText,
  discoveredText,
  pairedText,
  portAddedText,
  portRemovedText,
  portsText,
} from './connections.ts'
import { devicesText, deviceText } from './devices.ts'
import { doctorText } from './doctor.ts'
import {
  avdCreatedText,
  avdsText,
  avdText,
  emulatorDeletedText,
  emulatorProvisionedText,
  emulatorStartedText,
  emulatorStoppedText,
  runningEmulatorsText,
} from './emulators.ts'
import { executionText } from './execution.ts'
import { filesText } from './files.ts'
import { fleetHostText, fleetText } from './fleet.ts'
import {
  authoringInstalledText,
  authoringListText,
  authoringStatusText,
  installedText,
  upgradeText,
} from './install.ts'
import { leaseEndedText, leasesText, leaseText } from './leases.ts'
import { notificationsText } from './notifications.ts'
import { operatorInstalledText, operatorReportText, operatorStatusText, operatorUninstalledText } from './operator.ts'
import { operatorCheckedText } from './operator-check.ts'
import type { Page } from './page.ts'
import { framesText, memoryText, startupText } from './perf.ts'
import type { PrinterName } from './printer-name.ts'
import { daemonText, exportedText, repairedText, scenarioText, simulatedText, viewerText } from './processes.ts'
import { cancelText, receiptsText, receiptText, traceText } from './receipts.ts'
import { recordingText } from './recording.ts'
import { settingsText } from './settings.ts'
import { skillRunText } from './skill-run.ts'
import { compiledText, createdText, recordedText, skillsText, skillText, syncedText, validatedText } from './skills.ts'
import { testRunOutputText } from './test-run.ts'

/** Each knows the shape of its own command. */
type Printer = (page: Page, output: never) => string

export const PRINTERS = {
  testRun: testRunOutputText,
  app: appText,
  apps: appsText,
  authoringInstalled: authoringInstalledText,
  authoringList: authoringListText,
  authoringStatus: authoringStatusText,
  avd: avdText,
  avdCreated: avdCreatedText,
  avds: avdsText,
  cancelled: cancelText,
  compiled: compiledText,
  connected: connectedText,
  created: createdText,
  daemon: daemonText,
  device: deviceText,
  devices: devicesText,
  disconnected: disconnectedText,
  discovered: discoveredText,
  doctor: doctorText,
  emulatorDeleted: emulatorDeletedText,
  emulatorProvisioned: emulatorProvisionedText,
  emulatorStarted: emulatorStartedText,
  emulatorStopped: emulatorStoppedText,
  emulators: runningEmulatorsText,
  execution: executionText,
  exported: exportedText,
  files: filesText,
  fleet: fleetText,
  fleetHost: fleetHostText,
  frames: framesText,
  installed: installedText,
  lease: leaseText,
  leaseEnded: leaseEndedText,
  leases: leasesText,
  notifications: notificationsText,
  memory: memoryText,
  operatorInstalled: operatorInstalledText,
  operatorChecked: operatorCheckedText,
  operatorReport: operatorReportText,
  operatorStatus: operatorStatusText,
  operatorUninstalled: operatorUninstalledText,
  paired: pairedText,
  portAdded: portAddedText,
  portRemoved: portRemovedText,
  ports: portsText,
  receipt: receiptText,
  receipts: receiptsText,
  recorded: recordedText,
  recording: recordingText,
  repaired: repairedText,
  scenario: scenarioText,
  settings: settingsText,
  simulated: simulatedText,
  skill: skillText,
  skillRun: skillRunText,
  skills: skillsText,
  startup: startupText,
  synced: syncedText,
  trace: traceText,
  upgrade: upgradeText,
  validated: validatedText,
  viewer: viewerText,
} as const satisfies Record<PrinterName, Printer>
