/** A simulated phone: the screen, the log, the files and the operator app of one device, without a debug bridge. */

import { BROADCAST_ACTION } from '../contracts/device/operator.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../contracts/json/literals.ts'
import type { Clock } from '../runtime/clock.ts'
import { createAppEvents } from './app-events.ts'
import { createAppProcesses } from './app-processes.ts'
import { createClipboard } from './clipboard.ts'
import { createFiles } from './files.ts'
import { createHelpers } from './helper/helpers.ts'
import { readScreen } from './helper/read-screen.ts'
import { createLog } from './log.ts'
import { createNetwork } from './network.ts'
import { createNotifications } from './notifications.ts'
import type { Pace } from './operator-app/deliver.ts'
import { countedFaults } from './operator-app/fault-plan.ts'
import { createOperator, type OperatorApp } from './operator-app/operator.ts'
import { createUiDriver } from './operator-app/ui-driver.ts'
import { createPermissions, type PhonePermissions } from './permissions.ts'
import type { Phone } from './phone.ts'
import type { Intent } from './phone-parts.ts'
import { createPower, fingerOf, keysOf } from './power.ts'
import { createProcesses } from './processes.ts'
import { bootIdOf, hasAccessibility, propertiesOf, rotationOf, settingsOf } from './properties.ts'
import { scaledClock } from './scaled-clock.ts'
import type { Fault } from './scenario/fault.ts'
import type { Scenario } from './scenario/scenario.ts'
import { packagesOf } from './scenario-packages.ts'
import { createSharedCaches, type SharedCaches } from './shared-caches.ts'
import { createSystemState } from './system-state.ts'
import { createOverlays, SHORT_TOAST_MS } from './ui/overlays.ts'
import { createUi } from './ui/ui.ts'
import { createWebViews, type Inspectors } from './web/web-views.ts'

export interface SimulatedPhone extends Phone, Pick<OperatorApp, 'executions' | 'arrivals'> {
  /** Lets nothing run on. */
  close(): void
}

export interface PhoneOptions {
  name: string
  serialno: string
  scenario: Scenario
  clock: Clock
  /** Beside those of the scenario. */
  faults?: readonly Fault[]
  pace?: Pace
  /** The chance of its operator app; the system's unless told. */
  random?: () => number
  /** Left out, the phone has everything for itself. */
  shared?: SharedCaches
  /** Installed on it from the beginning. */
  apks?: readonly Uint8Array[]
  inspectors?: Inspectors
  /** The size limit of its log. */
  logBytes?: number
  /** Ends every link to a host, at once. */
  cutLinks?(): void
  /** The same, and takes no new one. */
  vanish?(): void
}

const NOTHING = () => {}

export const createPhone = (options: PhoneOptions): SimulatedPhone => {
  const { name, scenario, clock, serialno, faults = [], cutLinks = NOTHING, vanish = NOTHING } = options
  const { device, timeScale } = scenario
  const { size, operator: facts } = device
  const deviceClock = scaledClock(clock, timeScale)
  const properties = propertiesOf({ serialno, device })
  const settings = settingsOf(device)
  const log = createLog({ clock, ...(options.logBytes === undefined ? {} : { bytes: options.logBytes }) })
  const files = createFiles({ clock })
  const processes = createProcesses(files)
  const overlays = createOverlays(deviceClock)
  const toast = (text: string) => overlays.toast(text, SHORT_TOAST_MS)
  const { layouts, sideways, camera, sidewaysCamera } = options.shared ?? createSharedCaches(scenario)
  const clipboard = createClipboard()
  const turning = { rotation: () => rotationOf(settings), sideways }
  const builtIn = packagesOf(scenario)
  const notifications = createNotifications(clock)
  for (const app of scenario.apps) for (const one of app.notifications) notifications.post(app.package, one)
  const appProcesses = createAppProcesses(builtIn.names)
  const sdk = Number(properties.get('ro.build.version.sdk'))
  const uidOf = (packageName: string) => builtIn.facts(packageName)?.uid
  const tell = createAppEvents({ log, processes: appProcesses, notifications, uidOf, sdk })
  const apps = [...scenario.apps]
  const ui = createUi({
    scenario: { ...scenario, apps },
    clock: deviceClock,
    metrics: size,
    turning,
    layouts,
    clipboard,
    toast,
    tell,
    notifications,
    permissions: () => permissions,
  })
  const power = createPower(ui, device)
  const picture = () => (power.isAwake() ? { scene: ui.scene(), overlays: overlays.shown() } : undefined)
  const eye = () => (ui.metrics() === sideways ? sidewaysCamera : camera)
  const screenshot = () => eye().take(picture())
  const webViews = createWebViews({
    ...{ apps, ui, density: size.density, isAwake: power.isAwake, pidOf: appProcesses.pidOf },
    inspectors: options.inspectors,
  })
  webViews.listIn(files)

  const createApp = () =>
    createOperator({
      packageName: DEFAULT_OPERATOR_PACKAGE,
      version: facts.version,
      capabilities: facts.capabilities,
      driver: createUiDriver({
        ui,
        overlays,
        properties,
        metrics: ui.metrics,
        isAwake: power.isAwake,
        foregroundApp: () => ui.scene().entry.app,
      }),
      log,
      clock,
      deviceClock,
      timeScale,
      faults: [...scenario.faults, ...faults],
      hasAccessibility: () => hasAccessibility(settings),
      random: options.random ?? Math.random,
      cutLinks,
      vanish,
      ...(options.pace ? { pace: options.pace } : {}),
    })
  const operator = facts.ways === 'none' ? undefined : createApp()

  const deadlyTexts = countedFaults([...scenario.faults, ...faults], ['text-dies'])
  const whenAwake = (act: () => void) => {
    if (power.isAwake()) act()
  }
  const key = keysOf(power, ui)
  const tapFaults = countedFaults([...scenario.faults, ...faults], ['touch-cuts-link'])
  const finger = fingerOf({ ui, whenAwake, tapped: () => tapFaults().length > 0 && cutLinks() })
  const helpers = createHelpers({
    packages: builtIn,
    apps,
    closeApp: packageName => ui.stop(packageName),
    apks: options.apks ?? [],
    files,
    settings,
    sdk,
    faults: [...scenario.faults, ...faults],
    waits: deviceClock,
    screen: () => (power.isAwake() ? readScreen(ui) : undefined),
    finger,
    keys: {
      type: text => whenAwake(() => ui.type(text)),
      clear: () => whenAwake(ui.clear),
    },
  })
  const { packages } = helpers
  const permissions: PhonePermissions = createPermissions({
    facts: packages.facts,
    sdk,
    changed: ui.refresh,
  })

  const payloadOf = ({ payload, payloadFile = '' }: Intent['extras']): string =>
    payload ?? Buffer.from(files.read(payloadFile)?.content ?? []).toString('utf8')
  const broadcast = (intent: Intent): number | undefined => {
    const target = intent.packageName ?? intent.component?.split('/')[0]
    if (target !== undefined && !packages.names().includes(target)) return undefined
    if (helpers.keyboards.receive(intent)) return 1
    const isForOperator = (target ?? DEFAULT_OPERATOR_PACKAGE) === DEFAULT_OPERATOR_PACKAGE
    if (!operator || !isForOperator || intent.action !== BROADCAST_ACTION) return 0
    operator.broadcast(payloadOf(intent.extras))
    return 1
  }

  const end = (packageName: string) => {
    helpers.stop(packageName)
    appProcesses.end(packageName)
    notifications.cancel(packageName, 'all')
  }

  files.write('/proc/sys/kernel/random/boot_id', Buffer.from(`${bootIdOf(serialno)}\n`), 0o444)
  log.write('I', 'SvcSim', `${name} is up`)
  return {
    ...power,
    name,
    properties,
    settings,
    log,
    files,
    size,
    screenSize: ui.metrics,
    system: createSystemState(),
    tree: () => (power.isAwake() ? ui.tree() : undefined),
    rotation: ui.rotation,
    foreground: ui.foreground,
    focusedApp: ui.focusedApp,
    windows: ui.windows,
    dumpMs: () => device.durations.dump + ui.settlesIn(),
    ...(device.lastAnr !== undefined && { lastAnr: device.lastAnr }),
    ...(device.clipboard ? { clipboard } : {}),
    textKills: () => deadlyTexts().length > 0,
    setShade: isOpen => whenAwake(() => ui.setShade(isOpen)),
    ...finger,
    key,
    type: text => whenAwake(() => ui.type(text)),
    packages: packages.names,
    appFacts: packages.facts,
    permissions,
    ...{ hasActivity: ui.hasActivity, isExported: ui.isExported, mayStart: ui.mayStart },
    startActivity: ui.start,
    pidOf: appProcesses.pidOf,
    notifications: notifications.list,
    forceStop(packageName) {
      end(packageName)
      ui.stop(packageName)
      permissions.ended(packageName)
    },
    clearData(packageName) {
      end(packageName)
      ui.stop(packageName, { data: true })
      permissions.reset(packageName)
    },
    broadcast,
    screenshot,
    frame() {
      const current = picture()
      return current && eye().frame(current)
    },
    encoder: device.encoder,
    processes,
    connect: name =>
      facts.ways === 'socket' && name === DEFAULT_OPERATOR_PACKAGE ? operator?.connect() : webViews.connect(name),
    network: createNetwork(),
    isRunning: ui.isRunning,
    helpers,
    executions: () => operator?.executions() ?? [],
    arrivals: () => operator?.arrivals() ?? [],
    close() {
      processes.close()
      helpers.snapshot.kill()
      operator?.close()
    },
  }
}
