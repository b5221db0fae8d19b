/** The parameters of one command by name, each evaluated when it is asked for. */
import type { FlowSelector } from '../../../../contracts/flows/flow-selector.ts'
import { permissionOf } from '../android-names.ts'
import { type Coerced, flagOf, integerOf, permissionStateOf, pointOf } from '../coerce.ts'
import type { Command, FlowPoint, LaunchArguments, PermissionStates } from '../command.ts'
import { resolveName } from '../flow-library.ts'
import { FLOW_ENV_BYTES, tooManyVariables, variableBytes } from '../limits.ts'
import { isDynamic, type TextParam } from '../params.ts'
import { object, type Settling } from './context.ts'
import { settleSelector, settleText, settleValue } from './settle-selector.ts'

export interface Values {
  readonly command: Command
  readonly work: Settling
  readonly has: (name: string) => boolean
  readonly text: (name: string) => Promise<string | undefined>
  readonly value: <T>(name: string, coerce: (text: string) => Coerced<T>) => Promise<T | undefined>
  readonly integer: (name: string) => Promise<number | undefined>
  readonly flag: (name: string) => Promise<boolean | undefined>
  readonly point: (name: string) => Promise<FlowPoint | undefined>
  readonly selector: (name: string) => Promise<FlowSelector | undefined>
  readonly commands: () => readonly Command[]
  readonly env: () => Promise<Readonly<Record<string, string>>>
  /** Absolute paths of the files of a parameter. */
  readonly paths: (name: string) => Promise<readonly { readonly path: string; readonly param: TextParam }[]>
}

export const valuesOf = (command: Command, work: Settling): Values => {
  const { params } = command
  const textParam = (name: string): TextParam | undefined => {
    const param = params[name]
    return param?.kind === 'text' ? param : undefined
  }
  const text = async (name: string) => {
    const param = textParam(name)
    return param && settleText(work, param)
  }
  const value = <T>(name: string, coerce: (written: string) => Coerced<T>) =>
    settleValue(work, textParam(name), name, coerce)
  return {
    command,
    work,
    has: name => params[name] !== undefined,
    text,
    value,
    integer: name => value(name, integerOf),
    flag: name => value(name, flagOf),
    point: name => value(name, pointOf),
    selector: async name => {
      const param = params[name]
      return param?.kind === 'selector' ? settleSelector(work, param.selector) : undefined
    },
    commands: () => (params.commands?.kind === 'commands' ? params.commands.commands : []),
    env: async () => {
      const entries = params.env?.kind === 'env' ? Object.entries(params.env.values) : []
      const settled: [string, string][] = []
      let bytes = 0
      for (const [name, written] of entries) {
        const text = isDynamic(written) ? await work.context.interpolate(written) : written
        bytes += variableBytes(name, text)
        if (bytes > FLOW_ENV_BYTES) {
          object(work, command.place, tooManyVariables(bytes))
          break
        }
        settled.push([name, text])
      }
      return Object.fromEntries(settled)
    },
    paths: async name => {
      const param = params[name]
      const names = param?.kind === 'texts' ? param.texts : param?.kind === 'text' ? [param] : []
      const paths: { path: string; param: TextParam }[] = []
      for (const one of names) {
        const written = await settleText(work, one)
        paths.push({ path: resolveName(written, one.place.file, work.context.directory), param: one })
      }
      return paths
    },
  }
}

/** The application of the command, else that of the header. */
export const appIdOf = async ({ text, work, command }: Values): Promise<string> => {
  const { appId, interpolate } = { ...work.context }
  const ownId = (await text('appId')) ?? (await text('url'))
  const found = ownId ?? (appId !== undefined && isDynamic(appId) ? await interpolate(appId) : appId)
  if (found !== undefined && found.trim() !== '') return found
  object(work, command.place, `${command.key} needs an application.`, 'Give it an appId, here or in the header.')
  return ''
}

export const permissionsOf = async ({ command, work }: Values): Promise<PermissionStates | undefined> => {
  const { permissions } = command.params
  if (permissions?.kind !== 'permissions') return undefined
  const states: [string, PermissionStates[string]][] = []
  for (const { name: written, state } of permissions.states) {
    const word = isDynamic(written) ? await work.context.interpolate(written) : written
    const permission = permissionOf(word)
    if (!permission.ok) {
      object(work, state.place, `The permission ${word} must be ${permission.expected}.`, permission.hint)
    }
    const settled = await settleValue(work, state, `The permission ${word}`, permissionStateOf)
    if (permission.ok && permission.name !== undefined && settled !== undefined) states.push([permission.name, settled])
  }
  return Object.fromEntries(states)
}

export const argumentsOf = async ({ command, work }: Values): Promise<LaunchArguments> => {
  const param = command.params.arguments
  const settled: [string, LaunchArguments[string]][] = []
  for (const [name, value] of param?.kind === 'arguments' ? Object.entries(param.values) : []) {
    const key = isDynamic(name) ? await work.context.interpolate(name) : name
    settled.push([key, typeof value === 'string' && isDynamic(value) ? await work.context.interpolate(value) : value])
  }
  return Object.fromEntries(settled)
}
