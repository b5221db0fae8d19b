/** `dumpsys`: the parts of it by which hosts find out whether the screen is on, locked, and what is in front. */
import { boundsText } from '../../../contracts/device/ui-tree.ts'
import type { FocusedApp, PhoneWindow } from '../../phone-parts.ts'
import type { Command, Context } from '../command.ts'
import { fullComponent, objectToken, shortComponent } from '../intent.ts'
import { gfxinfo, meminfo } from './figures.ts'
import { lastAnr } from './last-anr.ts'
import { notificationDump } from './notification-dump.ts'
import { packageDump } from './package-dump.ts'
import { batteryDump, locationDump } from './service-dumps.ts'

type Dump = (context: Context, args: readonly string[]) => readonly string[]

const componentOf = ({ packageName, activity }: FocusedApp) => fullComponent(packageName, activity)

/** `at` tells two windows of one activity apart: the activity itself and its dialog. */
const windowName = (window: PhoneWindow, at: number): string => {
  const title = 'app' in window ? componentOf(window.app) : window.title
  return `Window{${objectToken(`window ${title} ${at}`)} u0 ${title}}`
}

/** From the one on top down, each with its name. */
const named = ({ phone }: Context) => {
  const windows = phone.windows()
  return windows.map((window, at) => ({ window, name: windowName(window, windows.length - at) }))
}

const front = ({ phone }: Context) => {
  const { packageName, activity } = phone.focusedApp()
  const name = shortComponent(packageName, activity)
  return { record: `ActivityRecord{${objectToken(`record ${name}`)} u0 ${name} t1}`, packageName, name }
}

const keyboardOf = (context: Context) =>
  named(context).find(({ window }) => 'title' in window && window.title === 'InputMethod')

const power: Dump = ({ phone }) => [
  'POWER MANAGER (dumpsys power)',
  '',
  'Power Manager State:',
  '  mDirty=0x0',
  `  mWakefulness=${phone.isAwake() ? 'Awake' : 'Asleep'}`,
  '  mWakefulnessChanging=false',
  '  mIsPowered=true',
  '  mPlugType=2',
  `  mBatteryLevel=${phone.system.battery.level}`,
  `  mHoldingDisplaySuspendBlocker=${phone.isAwake()}`,
  '',
  `Display Power: state=${phone.isAwake() ? 'ON' : 'OFF'}`,
]

const focus = (context: Context): string[] => {
  const focused = context.phone.isAwake() ? named(context).find(({ window }) => window.hasFocus)?.name : undefined
  return [`  mCurrentFocus=${focused ?? 'null'}`, `  mFocusedApp=${front(context).record}`]
}

const inputMethod: Dump = context => {
  const keyboard = keyboardOf(context)
  const isShown = keyboard !== undefined
  const method = context.phone.settings.get('secure/default_input_method') ?? 'null'
  return [
    'Input method service state (dumpsys input_method)',
    'Current Input Method Manager state:',
    `  mCurMethodId=${method}`,
    `  mCurId=${method} mHaveConnection=true mBoundToMethod=true`,
    `  mShowRequested=${isShown} mShowExplicitlyRequested=${isShown} mShowForced=false mInputShown=${isShown}`,
    `  mImeWindowVis=${isShown ? 3 : 0}`,
    '  mSystemReady=true mInteractive=true',
    '',
    'Input method client state:',
    `  mFullscreenMode=false mActive=${isShown}`,
    '',
    'Input method service state:',
    `  mWindowCreated=true mDecorViewVisible=${isShown} mWindowVisible=${isShown}`,
    `  mShowInputRequested=${isShown} mIsInputViewShown=${isShown}`,
  ]
}

const policy: Dump = ({ phone }) => {
  const [awake, locked] = [phone.isAwake(), phone.isLocked()]
  return [
    'WINDOW MANAGER POLICY STATE (dumpsys window policy)',
    `    mAwake=${awake}`,
    `    mScreenOnEarly=${awake} mScreenOnFully=${awake}`,
    `    mDreamingLockscreen=false mShowingLockscreen=${locked}`,
    `    isKeyguardShowing=${locked}`,
    '    KeyguardServiceDelegate',
    `      showing=${locked}`,
    `      inputRestricted=${locked}`,
    `      screenState=${awake ? 'SCREEN_STATE_ON' : 'SCREEN_STATE_OFF'}`,
    `      interactiveState=${awake ? 'INTERACTIVE_STATE_AWAKE' : 'INTERACTIVE_STATE_SLEEP'}`,
  ]
}

const displays: Dump = context => {
  const { size, screenSize } = context.phone
  const { width, height } = screenSize()
  return [
    'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
    '  Display: mDisplayId=0 (organized)',
    `    init=${size.width}x${size.height} ${size.density}dpi cur=${width}x${height} app=${width}x${height}`,
    `    mCurrentRotation=ROTATION_${context.phone.rotation() * 90}`,
    ...focus(context),
    ...insets(context),
    `    mKeyguardShowing=${context.phone.isLocked()}`,
  ]
}

/** The area that the keyboard takes from the windows below it. */
const insets = (context: Context): string[] => {
  const keyboard = keyboardOf(context)
  const { width, height } = context.phone.screenSize()
  const none = { left: 0, top: height, right: width, bottom: height }
  return [
    '    InsetsState',
    `      InsetsSource id=3 type=ime frame=${boundsText(keyboard?.window.bounds ?? none)} visible=${keyboard !== undefined}`,
    `    mInputMethodWindow=${keyboard?.name ?? 'null'}`,
  ]
}

const windows: Dump = context => [
  'WINDOW MANAGER WINDOWS (dumpsys window windows)',
  ...named(context).flatMap(({ window, name }, at) => [
    `  Window #${at} ${name}:`,
    `    mDisplayId=0 package=${window.packageName} appop=NONE`,
    `    Frames: frame=${boundsText(window.bounds)}`,
    '    isOnScreen=true isVisible=true',
  ]),
  ...focus(context),
]

const WINDOW_PARTS: Readonly<Record<string, Dump>> = {
  ...{ lastanr: ({ phone }) => lastAnr(phone), policy, p: policy, displays, d: displays, windows, w: windows },
}

const window: Dump = (context, [part]) => {
  if (part === undefined || part === '-a')
    return [...lastAnr(context.phone), ...[policy, displays, windows].flatMap(dump => [...dump(context, []), ''])]
  const dump = Object.hasOwn(WINDOW_PARTS, part) ? WINDOW_PARTS[part] : undefined
  return dump ? dump(context, []) : [`Bad window command, or no windows match: ${part}`]
}

const activity: Dump = (context, [part]) => {
  const { record, name, packageName } = front(context)
  if (part === 'top') {
    return [
      `TASK ${packageName} id=1 userId=0`,
      `  ACTIVITY ${name} ${objectToken(name)} pid=3000`,
      '    mResumed=true',
    ]
  }
  return [
    'ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)',
    'Display #0 (activities from top to bottom):',
    `  * Task{${objectToken(packageName)} #1 type=standard A=10000:${packageName}}`,
    `    mResumedActivity: ${record}`,
    `    topResumedActivity=${record}`,
    '',
    `  ResumedActivity: ${record}`,
    '  KeyguardController:',
    `    mKeyguardShowing=${context.phone.isLocked()}`,
  ]
}

const trust: Dump = ({ phone }) => [
  'Trust manager state:',
  ` User "Owner" (id=0, flags=0x4c13) (current): trusted=0, trustManaged=0, deviceLocked=${Number(phone.isLocked())}, strongAuthRequired=0x0`,
]

/** Android 13 calls the id by what it is. */
const display: Dump = ({ phone }) => {
  const { width, height, density } = phone.screenSize()
  const rotation = phone.rotation()
  return [
    'DISPLAY MANAGER (dumpsys display)',
    `  mScreenState=${phone.isAwake() ? 'ON' : 'OFF'}`,
    `  mCurrentOrientation=${rotation}`,
    `  mOverrideDisplayInfo=DisplayInfo{real ${width} x ${height}, density ${density}, rotation ${rotation}}`,
  ]
}

const accessibility: Dump = ({ phone }) => {
  const held = phone.helpers?.automation.owner() !== undefined
  return [
    'ACCESSIBILITY MANAGER (dumpsys accessibility)',
    'User state[',
    '     attributes:{id=0, touchExplorationEnabled=false}',
    ...(held ? ['     Ui Automation[eventTypes=TYPES_ALL_MASK, notificationTimeout=0]'] : []),
    ']',
  ]
}

const SERVICES: Readonly<Record<string, Dump>> = {
  accessibility,
  activity,
  battery: batteryDump,
  display,
  gfxinfo,
  input_method: inputMethod,
  location: locationDump,
  notification: notificationDump,
  meminfo,
  package: packageDump,
  power,
  trust,
  window,
}

export const dumpsys: Command = async context => {
  const words = context.args.filter((word, at) => word !== '-t' && context.args[at - 1] !== '-t')
  const [name, ...args] = words
  if (name === undefined || name === '-l')
    return context.out(['Currently running services:', ...Object.keys(SERVICES).map(one => `  ${one}`), ''].join('\n'))
  const dump = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined
  if (dump)
    await context.out(
      dump(context, args)
        .map(line => `${line}\n`)
        .join(''),
    )
  else await context.err(`Can't find service: ${name}\n`)
  return 0
}
