/** The value of one parameter, by its kind. */

import { permissionOf } from '../android-names.ts'
import { COERCIONS, type Coerced, coordinateOf, permissionStateOf } from '../coerce.ts'
import type { LaunchArguments } from '../command.ts'
import type { ParamKind } from '../command-table.ts'
import { isDynamic, type Param, type PermissionSource, type TextParam } from '../params.ts'
import type { MapNode, TextNode, YamlNode } from '../yaml/node.ts'
import { readCondition, readText } from './read-selector.ts'
import { complain, complainOfKind, type Report } from './report.ts'

/** Reads what is no list of commands: those are read where commands are. */
export type ValueKind = Exclude<ParamKind, 'commands' | 'selector'>

const mapOf = (report: Report, node: YamlNode, name: string): MapNode | undefined => {
  if (node.kind === 'map') return node
  if (node.kind !== 'empty') complainOfKind(report, node, name, 'names with values')
  return undefined
}

/** Each name with its one value. */
const namedTexts = (report: Report, node: YamlNode, name: string): { name: string; node: TextNode }[] =>
  (mapOf(report, node, name)?.entries ?? []).flatMap(({ key, place, value }) => {
    if (value.kind === 'text') return [{ name: key, node: value }]
    if (value.kind === 'empty') {
      complain(
        report,
        place,
        `${key} in ${name} has no value.`,
        `Write ${key}: "" for an empty text, or remove the key.`,
      )
    } else complainOfKind(report, value, `${key} in ${name}`, 'one value')
    return []
  })

export const readEnv = (report: Report, node: YamlNode, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(namedTexts(report, node, name).map(({ name: key, node: { text } }) => [key, text]))

const readPermissions = (report: Report, node: YamlNode): readonly PermissionSource[] =>
  namedTexts(report, node, 'permissions').map(({ name, node: value }) => {
    const permission = permissionOf(name)
    if (!permission.ok && !isDynamic(name)) {
      complain(report, value.place, `The permission ${name} must be ${permission.expected}.`, permission.hint)
    }
    const state = readText(report, value, `The permission ${name}`, permissionStateOf)
    return { name, state: state ?? { kind: 'text', text: value.text, place: value.place } }
  })

const PLAIN_NUMBER = /^[+-]?(?:\d[\d_]*|\d*\.\d+|\d+\.\d*)(?:[eE][+-]?\d+)?$/

/** Not quoted, `true` is a boolean and `5` a number, as an application will get them. */
const argumentOf = ({ text, isPlain }: TextNode): string | number | boolean => {
  if (!isPlain) return text
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  const number = Number(text.replaceAll('_', ''))
  const isExact = Number.isSafeInteger(number) || !Number.isInteger(number)
  return PLAIN_NUMBER.test(text) && Number.isFinite(number) && isExact ? number : text
}

const readArguments = (report: Report, node: YamlNode): LaunchArguments =>
  Object.fromEntries(namedTexts(report, node, 'arguments').map(({ name, node: value }) => [name, argumentOf(value)]))

export const readTexts = (
  report: Report,
  node: YamlNode,
  name: string,
  coerce?: (text: string) => Coerced<unknown>,
): readonly TextParam[] => {
  if (node.kind === 'map') complainOfKind(report, node, name, 'a list')
  const items = node.kind === 'list' ? node.items : node.kind === 'text' ? [node] : []
  return items.flatMap(item => {
    if (item.kind === 'empty') complain(report, item.place, `${name} has an empty entry.`)
    return readText(report, item, `An entry of ${name}`, coerce) ?? []
  })
}

export const readValue = (report: Report, kind: ValueKind, node: YamlNode, name: string): Param | undefined => {
  if (node.kind === 'empty') return undefined
  switch (kind) {
    case 'condition': {
      const condition = readCondition(report, node, name)
      return condition && { kind, condition }
    }
    case 'env':
      return { kind, values: readEnv(report, node, name) }
    case 'permissions':
      return { kind, states: readPermissions(report, node) }
    case 'arguments':
      return { kind, values: readArguments(report, node) }
    case 'texts':
      return { kind, texts: readTexts(report, node, name) }
    case 'coordinates':
      return { kind: 'texts', texts: readTexts(report, node, name, coordinateOf) }
    default:
      return readText(report, node, name, COERCIONS[kind])
  }
}
