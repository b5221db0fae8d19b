/** The steps of the host as actions, the files that they send, and the marks that they leave on a phone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from '../../src/runtime/once.ts'
import type { Ask } from './plan.ts'

export const PUSHED_FOLDER = '/sdcard/pushed'
export const SHARED_TARGET = `${PUSHED_FOLDER}/shared`
export const WORDS_FILE = '/sdcard/words'
/** More than the sync service takes in one block. */
const CONTENT_BYTES = 70_000

export const targetOf = (command: string): string => `${PUSHED_FOLDER}/${command}`

const contents = new Map<string, Buffer>()
export const contentOf = (command: string): Buffer => {
  const known = contents.get(command) ?? Buffer.alloc(CONTENT_BYTES, `${command}\n`)
  contents.set(command, known)
  return known
}

/** The request whose content it is; undefined for one that is not whole. */
export const ownerOf = (content: Uint8Array): string | undefined => {
  const [command = ''] = Buffer.from(content.subarray(0, 100)).toString('latin1').split('\n')
  return contentOf(command).equals(content) ? command : undefined
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

export const hostActionOf = (command: string, hostStep: Ask['hostStep'] | undefined) => {
  const id = HOST_STEP
  switch (hostStep?.kind) {
    case undefined:
      return []
    case 'setting': {
      const { setting, value } = hostStep
      return [{ id, type: 'change_setting', params: { setting, value } }]
    }
    case 'push':
      return [{ id, type: 'push_file', params: { from: hostFile(command), to: hostStep.to } }]
    case 'append':
      return [{ id, type: 'shell', params: { command: `echo ${command} >> ${WORDS_FILE}` } }]
    case 'restore':
      return [{ id, type: 'restore_settings' }]
  }
}

/** In the one command line that does it; undefined for a transfer, which has several, and for a restoring. */
export const wordsOf = ({ command, hostStep }: Pick<Ask, 'command' | 'hostStep'>): string | undefined => {
  if (hostStep?.kind === 'append') return `echo ${command} >>`
  if (hostStep?.kind !== 'setting') return undefined
  const { setting, value } = hostStep
  return `${SETTING_KEYS[setting].replace('/', ' ')} ${value}`
}

export const WRITES_SETTING = /^settings (?:put|delete) .*(?:font_scale|screen_brightness)(?: |$)/

const SETTING_KEYS = { font_scale: 'system/font_scale', brightness: 'system/screen_brightness' } as const

export const settingMark = (key: string, value: string): string => `${key} ${value}`
export const pushMark = (command: string): string => `pushed ${command}`
export const appendMark = (command: string): string => `appended ${command}`

/** What a phone notes once it has done the step; undefined where there is no such thing. */
export const markOf = ({ command, hostStep }: Pick<Ask, 'command' | 'hostStep'>): string | undefined => {
  switch (hostStep?.kind) {
    case 'setting':
      return settingMark(SETTING_KEYS[hostStep.setting], String(hostStep.value))
    case 'push':
      return pushMark(command)
    case 'append':
      return appendMark(command)
    default:
      return undefined
  }
}
