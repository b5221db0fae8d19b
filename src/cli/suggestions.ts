/** Section For people, suggestions: what users of adb, Maestro, Appium and scrcpy write, and what svc calls it. */

export const SUGGESTED_COMMANDS: Readonly<Record<string, string>> = {
  tap: 'click',
  touch: 'click',
  tapOn: 'click',
  'input tap': 'click',
  longpress: 'click --long',
  'long-press': 'click --long',
  longPressOn: 'click --long',
  input: 'type',
  text: 'type',
  fill: 'type',
  inputText: 'type',
  sendkeys: 'type',
  'send-keys': 'type',
  key: 'press',
  keyevent: 'press',
  pressKey: 'press',
  'input keyevent': 'press',
  home: 'press home',
  recents: 'press recents',
  enter: 'press enter',
  'input swipe': 'swipe',
  scrollUntilVisible: 'scroll-until',
  launch: 'open',
  launchApp: 'open',
  openLink: 'open',
  start: 'open',
  am: 'open',
  'am start': 'open',
  'am force-stop': 'close',
  kill: 'close',
  stop: 'close',
  stopApp: 'close',
  killApp: 'close',
  'force-stop': 'close',
  terminate: 'close',
  screencap: 'screenshot',
  takeScreenshot: 'screenshot',
  capture: 'screenshot',
  dump: 'snapshot',
  hierarchy: 'snapshot',
  source: 'snapshot',
  tree: 'snapshot',
  uiautomator: 'snapshot',
  assertVisible: 'wait',
  find: 'wait',
  'wait-for': 'wait',
  waitFor: 'wait',
  'get-text': 'read',
  getText: 'read',
  run: 'exec',
  execute: 'exec',
  ls: 'devices',
  list: 'devices',
  'list-devices': 'devices',
  phones: 'devices',
  info: 'device info',
  avd: 'emulators list',
  emulator: 'emulators list',
  'start-device': 'emulators start',
  demo: 'simulate',
  simulator: 'simulate',
  history: 'executions list',
  receipts: 'executions list',
  receipt: 'executions show',
  cancel: 'executions cancel',
  resume: 'executions resume',
  timeline: 'executions timeline',
  trace: 'executions trace',
  events: 'watch',
  server: 'serve',
  mirror: 'inspect',
  scrcpy: 'inspect',
  studio: 'inspect',
  viewer: 'inspect',
  'kill-server': 'daemon stop',
  'start-server': 'daemon start',
  check: 'doctor',
  health: 'doctor',
  init: 'install',
  setup: 'install',
  update: 'upgrade check',
  version: '--version',
}

/** The second word of a group, each with what it is called in one group or another. */
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  ls: ['list'],
  rm: ['delete', 'uninstall', 'forget'],
  remove: ['delete', 'uninstall', 'forget'],
  get: ['show'],
  show: ['get', 'status'],
  info: ['show', 'get', 'status'],
  add: ['create', 'new'],
  create: ['new'],
  new: ['create'],
  kill: ['stop', 'cancel'],
  find: ['search'],
  check: ['validate', 'status'],
}

/** `-v` of a command asks for more on stderr; alone it asks for the version, as in other tools. */
const FLAGS: Readonly<Record<string, string>> = {
  '-s': '--device',
  '-d': '--device',
  '--serial': '--device',
  '--udid': '--device',
  '-o': '--output',
  '--format': '--output',
  '-j': '--json',
  '-t': '--timeout',
  '-v': '--verbose',
  '-V': '--version',
}

const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const folded = new Map(Object.entries(SUGGESTED_COMMANDS).map(([word, command]) => [word.toLowerCase(), command]))

/** By the first two words, else by the first one, in any case. */
export const knownElsewhere = ([first = '', second = '']: readonly string[]): string | undefined =>
  folded.get(`${first} ${second}`.toLowerCase()) ?? folded.get(first.toLowerCase())

/** `known` are the second words of the group. */
export const subcommandElsewhere = (word: string, known: readonly string[]): string | undefined =>
  lookUp(SUBCOMMANDS, word.toLowerCase())?.find(each => known.includes(each))

/** `isAlone` where no command is given. */
export const knownFlagElsewhere = (written: string, isAlone: boolean): string | undefined =>
  isAlone && written === '-v' ? '--version' : lookUp(FLAGS, written)
