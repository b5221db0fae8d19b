/** The steps of the host as actions, the files that they send, and the marks that they leave on a phone. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { once } from '../../../src/runtime/once.ts'
import type { Ask } from '../plan/plan.ts'
import type { HostStep } from '../plan/plan-host-steps.ts'
import { appActionOf, appMarksOf, appWordsOf, linesOf } from './app-steps.ts'
import { fetchedFrom, pullParams, removedAt, removeMark } from './file-steps.ts'

export const PUSHED_FOLDER = '/sdcard/pushed'
export const SHARED_TARGET = `${PUSHED_FOLDER}/shared`
export const WORDS_FILE = '/sdcard/words'
/** More than the sync service takes in one block. */
export const CONTENT_BYTES = 70_000

export const targetOf = (command: string): string => `${PUSHED_FOLDER}/${command}`

const contents = new Map<string, Buffer>()
export const contentOf = (command: string, bytes = CONTENT_BYTES): Buffer => {
  const key = `${command} ${bytes}`
  const known = contents.get(key) ?? linesOf(command, bytes)
  contents.set(key, known)
  return known
}

/** The request whose content it is, as many bytes as it should have; undefined for one that is not whole. */
export const ownerOf = (content: Uint8Array, bytes: readonly number[] = [CONTENT_BYTES]): string | undefined => {
  const [command = ''] = Buffer.from(content.subarray(0, 100)).toString('latin1').split('\n')
  return bytes.includes(content.length) && contentOf(command, content.length).equals(content) ? command : undefined
}

const hostFolder = once(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pushed-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
})
const written = new Set<string>()

const hostFile = (command: string): string => {
  const path = join(hostFolder(), command)
  if (!written.has(command)) writeFileSync(path, contentOf(command))
  written.add(command)
  return path
}

export const HOST_STEP = 'host'

const push = (command: string, to: string) => ({ type: 'push_file', params: { from: hostFile(command), to } })

/** The folder is where files of the phone come on the host. */
const actionsOf = (command: string, step: HostStep, folder: string) => {
  switch (step.kind) {
    case 'setting':
      return [{ type: 'change_setting', params: { setting: step.setting, value: step.value } }]
    case 'push':
      return [push(command, step.to)]
    case 'append':
      return [{ type: 'shell', params: { command: `echo ${command} >> ${WORDS_FILE}` } }]
    case 'restore':
      return [{ type: 'restore_settings' }]
    case 'pull':
      return [{ type: 'pull_file', params: pullParams(fetchedFrom(command, step.isLarge === true), folder, step.name) }]
    case 'remove':
      return [{ type: 'remove_file', params: { path: removedAt(command) } }]
    case 'again':
      return [
        ...step.pushes.map(to => push(command, to)),
        ...step.pulls.map(name => ({
          type: 'pull_file',
          params: pullParams(fetchedFrom(command, false), folder, name),
        })),
      ]
    default:
      return [appActionOf(command, step)]
  }
}

export const hostActionsOf = (command: string, step: HostStep | undefined, folder: string) =>
  step === undefined
    ? []
    : actionsOf(command, step, folder).map((action, at) => ({
        id: at === 0 ? HOST_STEP : `${HOST_STEP}-${at}`,
        ...action,
      }))

type Asked = Pick<Ask, 'command' | 'hostStep'>

/** True for the one command line that does it; for a transfer, which has several, and for a restoring no line is. */
export const isLineOf = ({ command, hostStep }: Asked, line: string): boolean => {
  switch (hostStep?.kind) {
    case 'append':
      return line.includes(`echo ${command} >>`)
    case 'setting':
      return line.includes(`${SETTING_KEYS[hostStep.setting].replace('/', ' ')} ${hostStep.value}`)
    case 'remove':
      return line.startsWith('rm ') && line.endsWith(removedAt(command))
    case 'uninstall':
    case 'clear':
    case 'permission':
    case 'open':
      return appWordsOf(command, hostStep)?.test(line) ?? false
    default:
      return false
  }
}

export const PUTS_BACK = /^(?:settings (?:put|delete) .*(?:font_scale|screen_brightness)|pm (?:grant|revoke))(?: |$)/

const SETTING_KEYS = { font_scale: 'system/font_scale', brightness: 'system/screen_brightness' } as const

export const settingMark = (key: string, value: string): string => `${key} ${value}`
export const pushMark = (command: string): string => `pushed ${command}`
export const appendMark = (command: string): string => `appended ${command}`

/** All that a phone may note of the step, its last effect first. */
export const marksOf = ({ command, hostStep }: Asked): readonly string[] => {
  switch (hostStep?.kind) {
    case 'setting':
      return [settingMark(SETTING_KEYS[hostStep.setting], String(hostStep.value))]
    case 'push':
      return [pushMark(command)]
    case 'append':
      return [appendMark(command)]
    case 'remove':
      return [removeMark(command)]
    case 'install':
    case 'uninstall':
    case 'clear':
    case 'permission':
    case 'open':
      return appMarksOf(command, hostStep)
    default:
      return []
  }
}

const NAME_HEX_CHARS = 16

/** Beside the place of a file that is pushed. */
export const draftOf = (target: string): string => {
  const name = createHash('sha256').update(target).digest('hex').slice(0, NAME_HEX_CHARS)
  return posix.join(posix.dirname(target), `.svc-${name}`)
}
