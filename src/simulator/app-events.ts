/** Carries out what the apps of a simulated phone tell it: writes the log as Android does, and keeps their notifications. */
import type { AppProcesses } from './app-processes.ts'
import type { Notifications } from './notifications.ts'
import type { LogLevel, PhoneLog } from './phone-parts.ts'
import type { ScenarioApp } from './scenario/app.ts'
import type { AnrWord, CancelWord, CrashWord, LogWord, NotificationWord } from './scenario/app-words.ts'

/** The activity is the one on top when the app failed. */
export type AppEvent = { app: ScenarioApp } & (
  | { kind: 'log'; line: LogWord }
  | { kind: 'notify'; notification: NotificationWord }
  | { kind: 'cancel'; id: CancelWord }
  | { kind: 'crash'; crash: CrashWord; activity: string }
  | { kind: 'anr'; anr: AnrWord; activity: string }
  | { kind: 'ended' }
)

interface AppEventsOptions {
  log: PhoneLog
  processes: AppProcesses
  notifications: Notifications
  uidOf(packageName: string): number | undefined
  sdk: number
}

const LETTERS: Readonly<Record<string, LogLevel>> = {
  ...{ verbose: 'V', debug: 'D', info: 'I', warn: 'W', error: 'E', fatal: 'F' },
}
const SYSTEM_SERVER = { pid: 1_000, tid: 1_014, uid: 1_000 }
/** Writes the tombstone of a process that died of a signal. */
const CRASH_DUMP_PID = 9_990
const FIRST_APP_UID = 10_000
/** From Android 10 on, activities have a manager of their own. */
const TASK_MANAGER_SDK = 29
const EXCEPTION = 'java.lang.IllegalStateException'
const REASON = 'Input dispatching timed out (Waited 5000ms for MotionEvent)'

const javaStack = (activity: string) => {
  const simple = activity.slice(activity.lastIndexOf('.') + 1)
  return [
    `\tat ${activity}.onClick(${simple}.java:42)`,
    '\tat android.view.View.performClick(View.java:7448)',
    '\tat android.os.Handler.handleCallback(Handler.java:942)',
    '\tat com.android.internal.os.ZygoteInit.main(ZygoteInit.java:856)',
  ]
}

export const createAppEvents = ({ log, processes, notifications, uidOf, sdk }: AppEventsOptions) => {
  const taskManager = sdk < TASK_MANAGER_SDK ? 'ActivityManager' : 'ActivityTaskManager'
  const system = (level: LogLevel, tag: string, message: string) =>
    log.write(level, tag, message, { ...SYSTEM_SERVER, buffer: 'system' })
  const event = (tag: string, values: readonly (string | number)[]) =>
    log.write('I', tag, `[${values.join(',')}]`, { ...SYSTEM_SERVER, buffer: 'events' })
  const processOf = ({ package: name }: ScenarioApp) => {
    const pid = processes.pidOf(name)
    return { pid, tid: pid, uid: uidOf(name) ?? FIRST_APP_UID }
  }

  const say = (app: ScenarioApp, word: LogWord) => {
    const { message, tag = app.label, level = 'info' } = typeof word === 'string' ? { message: word } : word
    log.write(LETTERS[level] ?? 'I', tag, message, processOf(app))
  }

  const dieOfSignal = ({ package: name }: ScenarioApp, { pid, uid }: ReturnType<typeof processOf>) => {
    const signal = 'signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0'
    const inTid = `in tid ${pid} (${name.slice(-15)}), pid ${pid} (${name.slice(-15)})`
    log.write('F', 'libc', `Fatal ${signal} ${inTid}`, { pid, tid: pid, uid, buffer: 'crash' })
    const tombstone = [
      '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***',
      `pid: ${pid}, tid: ${pid}, name: ${name.slice(-15)}  >>> ${name} <<<`,
      `uid: ${uid}`,
      signal,
      'backtrace:',
      '      #00 pc 0000000000012345  /data/app/lib/arm64/libnative.so (crash_here+16)',
      '      #01 pc 0000000000023456  /data/app/lib/arm64/libnative.so (Java_nativeCall+52)',
    ]
    const from = { pid: CRASH_DUMP_PID, tid: CRASH_DUMP_PID, uid, buffer: 'crash' } as const
    for (const line of tombstone) log.write('F', 'DEBUG', line, from)
  }

  const crash = (app: ScenarioApp, word: CrashWord, activity: string) => {
    const { exception = EXCEPTION, message = '', native = false } = word === true ? {} : word
    const process = processOf(app)
    const { package: name } = app
    const { pid } = process
    if (native) dieOfSignal(app, process)
    else {
      const thrown = message === '' ? exception : `${exception}: ${message}`
      const head = ['FATAL EXCEPTION: main', `Process: ${name}, PID: ${pid}`, thrown]
      log.write('E', 'AndroidRuntime', [...head, ...javaStack(activity)].join('\n'), { ...process, buffer: 'crash' })
    }
    const kind = native ? 'Native crash' : exception
    event('am_crash', [pid, 0, name, 0, kind, native ? 'Segmentation fault' : message || 'NULL', 'unknown', 0])
    system('W', taskManager, `  Force finishing activity ${name}/${activity.replace(name, '')}`)
    system('I', 'ActivityManager', `Process ${name} (pid ${pid}) has died: fg  TOP `)
  }

  const stopResponding = (app: ScenarioApp, word: AnrWord, activity: string) => {
    const { package: name } = app
    const { pid } = processOf(app)
    const reason = word === true ? REASON : word.reason
    const component = `${name}/${activity.replace(name, '')}`
    event('am_anr', [0, pid, name, 0, reason])
    const lines = [`ANR in ${name} (${component})`, `PID: ${pid}`, `Reason: ${reason}`, `Parent: ${component}`]
    system('E', 'ActivityManager', lines.join('\n'))
  }

  /** The log names a process when it is started. */
  const begin = ({ package: name }: ScenarioApp) => {
    if (processes.isTold(name)) return
    const user = `u0a${(uidOf(name) ?? FIRST_APP_UID) - FIRST_APP_UID}`
    system('I', 'ActivityManager', `Start proc ${processes.pidOf(name)}:${name}/${user} for next-top-activity`)
    processes.tell(name)
  }

  return (appEvent: AppEvent): void => {
    const { app } = appEvent
    const { package: name } = app
    switch (appEvent.kind) {
      case 'ended':
        processes.end(name)
        break
      case 'cancel':
        notifications.cancel(name, appEvent.id)
        break
      case 'notify':
        notifications.post(name, appEvent.notification)
        break
      case 'log':
        begin(app)
        say(app, appEvent.line)
        break
      case 'anr':
        begin(app)
        stopResponding(app, appEvent.anr, appEvent.activity)
        break
      case 'crash':
        begin(app)
        crash(app, appEvent.crash, appEvent.activity)
        processes.end(name)
    }
  }
}
