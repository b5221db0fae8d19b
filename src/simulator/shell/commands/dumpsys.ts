/** `dumpsys`: the parts of it by which hosts find out whether the screen is on, locked, and what is in front. */
import type { Command, Context } from '../command.ts'
import { fullComponent, launchActivity, objectToken, shortComponent } from '../component.ts'

type Dump = (context: Context, args: readonly string[]) => readonly string[]

const front = ({ phone }: Context) => {
  const { packageName, activity } = phone.foreground()
  const name = shortComponent(packageName, activity)
  return {
    window: `Window{${objectToken(`window ${name}`)} u0 ${fullComponent(packageName, activity)}}`,
    record: `ActivityRecord{${objectToken(`record ${name}`)} u0 ${name} t1}`,
    packageName,
    name,
  }
}

const power: Dump = ({ phone }) => [
  'POWER MANAGER (dumpsys power)',
  '',
  'Power Manager State:',
  '  mDirty=0x0',
  `  mWakefulness=${phone.isAwake() ? 'Awake' : 'Asleep'}`,
  '  mWakefulnessChanging=false',
  '  mIsPowered=true',
  '  mPlugType=2',
  '  mBatteryLevel=87',
  `  mHoldingDisplaySuspendBlocker=${phone.isAwake()}`,
  '',
  `Display Power: state=${phone.isAwake() ? 'ON' : 'OFF'}`,
]

const focus = (context: Context): string[] => {
  const { window, record } = front(context)
  const { phone } = context
  const keyguard = `Window{${objectToken('keyguard')} u0 NotificationShade}`
  const focused = !phone.isAwake() ? 'null' : phone.isLocked() ? keyguard : window
  return [`  mCurrentFocus=${focused}`, `  mFocusedApp=${record}`]
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
  const { width, height, density } = context.phone.size
  return [
    'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
    '  Display: mDisplayId=0 (organized)',
    `    init=${width}x${height} ${density}dpi cur=${width}x${height} app=${width}x${height}`,
    `    mCurrentRotation=ROTATION_${(context.phone.tree()?.rotation ?? 0) * 90}`,
    ...focus(context),
    `    mKeyguardShowing=${context.phone.isLocked()}`,
  ]
}

const windows: Dump = context => [
  'WINDOW MANAGER WINDOWS (dumpsys window windows)',
  `  Window #0 ${front(context).window}:`,
  `    mDisplayId=0 package=${front(context).packageName} appop=NONE`,
  ...focus(context),
]

const WINDOW_PARTS: Readonly<Record<string, Dump>> = { policy, p: policy, displays, d: displays, windows, w: windows }

const window: Dump = (context, [part]) => {
  if (part === undefined || part === '-a')
    return [policy, displays, windows].flatMap(dump => [...dump(context, []), ''])
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

const packageDump: Dump = ({ phone }, args) => {
  const name = args.find(word => !word.startsWith('-')) ?? ''
  if (!phone.packages().includes(name)) return [`Unable to find package: ${name}`]
  const { versionName = '1.0', versionCode = 1 } = phone.appFacts?.(name) ?? {}
  return [
    'Activity Resolver Table:',
    '  Non-Data Actions:',
    '      android.intent.action.MAIN:',
    `        ${objectToken(name)} ${shortComponent(name, launchActivity(phone, name) ?? '')} filter ${objectToken(`filter ${name}`)}`,
    '',
    'Packages:',
    `  Package [${name}] (${objectToken(`package ${name}`)}):`,
    `    codePath=/data/app/${name}`,
    `    versionCode=${versionCode} minSdk=24 targetSdk=35`,
    `    versionName=${versionName}`,
    '    enabled=0 stopped=false installed=true',
  ]
}

const battery: Dump = () => [
  ...['Current Battery Service state:', '  AC powered: false', '  USB powered: true', '  level: 87', '  scale: 100'],
]

const display: Dump = ({ phone }) => [
  'DISPLAY MANAGER (dumpsys display)',
  `  mScreenState=${phone.isAwake() ? 'ON' : 'OFF'}`,
  `  mOverrideDisplayInfo=DisplayInfo{real ${phone.size.width} x ${phone.size.height}, density ${phone.size.density}}`,
]

const SERVICES: Readonly<Record<string, Dump>> = {
  activity,
  battery,
  display,
  package: packageDump,
  power,
  trust,
  window,
}

export const dumpsys: Command = async context => {
  const words = context.args.filter((word, at) => word !== '-t' && context.args[at - 1] !== '-t')
  const [name, ...args] = words
  if (name === undefined || name === '-l') {
    await context.out(['Currently running services:', ...Object.keys(SERVICES).map(one => `  ${one}`), ''].join('\n'))
    return 0
  }
  const dump = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined
  if (dump) await context.out(`${dump(context, args).join('\n')}\n`)
  else await context.err(`Can't find service: ${name}\n`)
  return 0
}
