/** A command line for the tests, split by the tables that the commands themselves give. */
import { parseArgs } from 'node:util'
import type { FlatCall, FlatCommand, FlatFlag } from '../../../src/executions/flat/command.ts'
import { FLAT_COMMANDS, flatPayload } from '../../../src/executions/flat.ts'

export const NOW = 1_700_000_000_000

const GLOBAL: readonly FlatFlag[] = [{ name: 'timeout', value: 'ms', summary: '' }]

const commandFor = (words: readonly string[]): FlatCommand => {
  const found = FLAT_COMMANDS.find(({ path }) => path.every((word, index) => words[index] === word))
  if (found === undefined) throw new Error(`no command ${words.join(' ')}`)
  return found
}

const callOf = (command: FlatCommand, words: readonly string[]): FlatCall => {
  const flags = [...GLOBAL, ...(command.flags ?? [])]
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [
      name,
      value === undefined ? ({ type: 'boolean' } as const) : ({ type: 'string', multiple: true } as const),
    ]),
  )
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
  const all = (flag: string) => {
    const value = values[flag]
    return Array.isArray(value) ? value.map(String) : []
  }
  return { args: positionals, all, text: flag => all(flag).at(-1), isOn: flag => values[flag] !== undefined }
}

export const payloadOf = (...words: string[]) => {
  const command = commandFor(words)
  return flatPayload(command, callOf(command, words.slice(command.path.length)), { now: NOW })
}
