/** Counts on a simulated phone which steps of a host it has done, spoils files that arrive, and loses answers. */
import type { SimulatedPhone } from '../../../src/simulator/device.ts'
import type { Shell } from '../../../src/simulator/shell/shell.ts'
import type { Ask } from '../plan/plan.ts'
import { type AppDeeds, watchApps } from './app-deeds.ts'
import { filesFor, REMOVED_FOLDER, removeMark } from './file-steps.ts'
import {
  appendMark,
  contentOf,
  isLineOf,
  marksOf,
  ownerOf,
  PUSHED_FOLDER,
  PUTS_BACK,
  pushMark,
  settingMark,
  WORDS_FILE,
} from './host-steps.ts'

export interface PushedFile {
  path: string
  /** The request whose content it has; undefined for one that is not whole. */
  command: string | undefined
}

/** What the steps of hosts have made of a phone. */
export interface Deeds {
  /** By their marks. */
  readonly counts: Readonly<Record<string, number>>
  /** Files that were not whole when they came to their place. */
  readonly damaged: readonly string[]
  readonly files: readonly PushedFile[]
  /** Those that have another value than in the beginning. */
  readonly changedSettings: readonly string[]
  readonly apps: AppDeeds
  /** Where shell users keep what nobody is to see. */
  readonly temporary: readonly string[]
}

export interface DeedWatch {
  shell: Shell
  deeds(): Deeds
  /** The transfers that have left something beside their place. */
  drafts(): readonly string[]
  /** Nothing is lost from now on. */
  calmDown(): void
}

const UNHEARD_CODE = 255
const DRAFT = /\/\.svc-[^/]*$/

const spoilt = (content: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(content)
  copy[copy.length - 1] = 0
  return copy
}

interface WatchOptions {
  phone: SimulatedPhone
  shell: Shell
  asks: readonly Ask[]
  /** The request that does unfinished transfers again. */
  again: string
  /** Ends its links. */
  cut(why: string): void
}

const TEMPORARY = '/data/local/tmp'

export const watchDeeds = ({ phone, shell, asks, again, cut }: WatchOptions): DeedWatch => {
  const { files, settings } = phone
  const counts: Record<string, number> = {}
  const damaged: string[] = []
  const before = new Map(settings)
  for (const { path, content } of filesFor(asks, again, contentOf)) files.write(path, content)
  const losing = new Set(asks.flatMap(ask => (ask.hostStep?.loses === 'answer' ? marksOf(ask).slice(0, 1) : [])))
  const isSpoilt = (command: string | undefined) =>
    asks.some(({ command: of, hostStep }) => of === command && hostStep?.kind === 'push' && hostStep.isSpoilt)
  const unheard = asks.filter(({ hostStep }) => hostStep?.loses === 'request')
  /** Each is lost once. */
  const isUnheard = (line: string): boolean => {
    const isOf = (ask: Ask) => isLineOf(ask, line)
    const isRestoring = PUTS_BACK.test(line) && !asks.some(isOf)
    const at = unheard.findIndex(ask => (ask.hostStep?.kind === 'restore' ? isRestoring : isOf(ask)))
    return at >= 0 && unheard.splice(at, 1).length > 0
  }
  let isAnswerLost = false
  const done = (mark: string) => {
    counts[mark] = (counts[mark] ?? 0) + 1
    if (losing.delete(mark)) isAnswerLost = true
  }

  const apps = watchApps({ phone, asks, done })
  const arrived = (path: string) => {
    const command = ownerOf(files.read(path)?.content ?? new Uint8Array())
    if (command === undefined) damaged.push(path)
    else done(pushMark(command))
  }

  const { write, rename, removeTree } = files
  files.write = (path, content, ...more) => {
    const bytesBefore = files.read(path)?.content.length ?? 0
    const isDamaged = DRAFT.test(path) && isSpoilt(ownerOf(content))
    write(path, isDamaged ? spoilt(content) : content, ...more)
    if (path.startsWith(PUSHED_FOLDER) && !DRAFT.test(path) && content.length > 0) arrived(path)
    apps.written(path, content)
    if (path !== WORDS_FILE || content.length <= bytesBefore) return
    const word = Buffer.from(content).toString().trimEnd().split('\n').at(-1)
    if (word) done(appendMark(word))
  }
  files.rename = (from, to) => {
    rename(from, to)
    if (to.startsWith(PUSHED_FOLDER)) arrived(to)
  }
  files.removeTree = path => {
    const isRemoved = removeTree(path)
    if (isRemoved && path.startsWith(REMOVED_FOLDER)) done(removeMark(path.slice(REMOVED_FOLDER.length + 1)))
    return isRemoved
  }
  const set = settings.set.bind(settings)
  settings.set = (key, value) => {
    done(settingMark(key, value))
    return set(key, value)
  }

  const pushed = () => files.list(PUSHED_FOLDER) ?? []
  const fileAt = (name: string): PushedFile => {
    const path = `${PUSHED_FOLDER}/${name}`
    return { path, command: ownerOf(files.read(path)?.content ?? new Uint8Array()) }
  }
  return {
    shell: {
      ...shell,
      async run(line, io) {
        if (isUnheard(line)) {
          cut('the link ends before the command')
          return UNHEARD_CODE
        }
        const code = await shell.run(line, io)
        if (isAnswerLost) cut('the link ends before the answer')
        isAnswerLost = false
        return code
      },
    },
    calmDown: () => void unheard.splice(0),
    deeds: () => ({
      counts,
      damaged,
      files: pushed().map(({ name }) => fileAt(name)),
      changedSettings: [...new Set([...before.keys(), ...settings.keys()])].filter(
        key => before.get(key) !== settings.get(key),
      ),
      apps: apps.deeds(),
      temporary: (files.list(TEMPORARY) ?? []).map(({ name }) => name),
    }),
    drafts: () => pushed().flatMap(({ name }) => (DRAFT.test(`/${name}`) ? [`${PUSHED_FOLDER}/${name}`] : [])),
  }
}
