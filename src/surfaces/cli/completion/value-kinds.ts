/** The kinds of values that fit a flag or an argument; they are looked up when they are asked for. */
import type { Flag } from '../command.ts'

export type ValueKind =
  | 'device'
  | 'execution'
  | 'skill'
  | 'skill-flag'
  | 'avd'
  | 'app'
  | 'label'
  | 'id'
  | 'role'
  | 'ref'
  | 'actor'
  | 'test-run'
  | 'lease'
  | 'machine'
  | 'key'
  | 'direction'

const SELECTORS: Readonly<Record<string, ValueKind>> = {
  text: 'label',
  'text-contains': 'label',
  id: 'id',
  desc: 'label',
  'desc-contains': 'label',
  ref: 'ref',
  role: 'role',
}

/** By the name of the flag, in whichever command. */
export const FLAG_KINDS: Readonly<Record<string, ValueKind>> = {
  ...SELECTORS,
  ...Object.fromEntries(Object.entries(SELECTORS).map(([name, kind]) => [`container-${name}`, kind])),
  label: 'label',
  'label-id': 'id',
  'label-desc': 'label',
  'label-ref': 'ref',
  device: 'device',
  lease: 'lease',
  app: 'app',
  since: 'execution',
  from: 'execution',
  rerun: 'test-run',
  resume: 'test-run',
  'skill-id': 'skill',
  machine: 'machine',
}

/** A ref of git is none of a screen, and a time is no execution. */
const OTHER_VALUES: readonly (string | undefined)[] = ['git-ref', 'time']

export const kindOfFlag = ({ name, value }: Flag): ValueKind | undefined =>
  OTHER_VALUES.includes(value) ? undefined : FLAG_KINDS[name]

/** By the path of the command, one for each argument; null for one that is free text. */
export const ARGUMENT_KINDS: Readonly<Record<string, readonly (ValueKind | null)[]>> = {
  click: ['label'],
  'double-tap': ['label'],
  type: [null, 'label'],
  wait: ['label'],
  'wait-for-nav': ['label'],
  read: ['label'],
  open: ['app'],
  close: ['app'],
  press: ['key'],
  scroll: ['direction'],
  'scroll-until': ['direction'],
  watch: ['actor'],
  lease: ['device'],
  'lease extend': ['lease'],
  'lease end': ['lease'],
  'executions show': ['execution'],
  'executions cancel': ['execution'],
  'executions resume': ['execution'],
  'executions timeline': ['execution'],
  'executions trace': ['execution'],
  'skills get': ['skill'],
  'skills run': ['skill'],
  'skills validate': ['skill'],
  'skills compile-artifact': ['skill'],
  'skills for-app': ['app'],
  'apps info': ['app'],
  'apps uninstall': ['app'],
  'apps clear': ['app'],
  'operator check': ['app'],
  'emulators get': ['avd'],
  'emulators start': ['avd'],
  'emulators stop': ['avd'],
  'emulators delete': ['avd'],
}

/** A selector that is given already leaves no room for a label beside it. */
export const SELECTOR_FLAGS: readonly string[] = [...Object.keys(SELECTORS), 'selector', 'coordinate', 'app']
