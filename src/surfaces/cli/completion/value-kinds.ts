/** The kinds of values that fit a flag; they are looked up when they are asked for. */
import type { Flag, ValueKind } from '../command.ts'

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

/** A selector that is given already leaves no room for a label beside it. */
export const SELECTOR_FLAGS: readonly string[] = [...Object.keys(SELECTORS), 'selector', 'coordinate', 'app']
