/** The header of a flow: everything above the line of dashes. */
import type { FlowConfig } from '../command.ts'
import { didYouMean } from '../problem.ts'
import type { MapNode, YamlNode } from '../yaml/node.ts'
import { readCommands } from './read-commands.ts'
import { readEnv, readTexts } from './read-param.ts'
import { readText } from './read-selector.ts'
import { complain, type Report, warn } from './report.ts'

/** `ext` is there for other programs. */
const HEADER_KEYS = [
  ...['appId', 'url', 'name', 'tags', 'env', 'onFlowStart', 'onFlowComplete', 'properties'],
  ...['androidWebViewHierarchy', 'jsEngine', 'ext'],
]

/** One application, or one for each platform: then that of Android. */
const readAppId = (report: Report, node: YamlNode): string | undefined => {
  if (node.kind !== 'map') return readText(report, node, 'appId')?.text
  const android = node.entries.find(({ key }) => key === 'android')
  if (android) return readText(report, android.value, 'appId.android')?.text
  complain(report, node.place, 'appId names no application of Android.', 'Add the key android to it.')
  return ''
}

export const readHeader = (report: Report, node: MapNode): FlowConfig => {
  const valueAt = (key: string): YamlNode => {
    const found = node.entries.find(entry => entry.key === key)
    return found?.value ?? { kind: 'empty', place: node.place }
  }
  const textOf = (key: string) => readText(report, valueAt(key), key)?.text
  for (const { key, place } of node.entries) {
    if (HEADER_KEYS.includes(key)) continue
    const suggestion = didYouMean(key, HEADER_KEYS)
    warn(report, place, `The header has no key ${key}: it has no effect.`, suggestion)
  }
  const takesOnly = (key: string, word: string, message: string) => {
    const value = valueAt(key)
    if (value.kind === 'text' && value.text !== word) warn(report, value.place, message)
  }
  takesOnly('jsEngine', 'graaljs', 'jsEngine has no effect: scripts run as JavaScript of today, as with graaljs.')
  takesOnly('androidWebViewHierarchy', 'devtools', 'androidWebViewHierarchy has an effect only with devtools.')
  const appId = readAppId(report, valueAt('appId'))
  const url = textOf('url')
  if (appId === undefined && url === undefined) {
    complain(
      report,
      node.place,
      'The header needs the application: appId.',
      'Write appId: com.example.app above the line ---.',
    )
  }
  return {
    appId,
    url,
    name: textOf('name'),
    tags: readTexts(report, valueAt('tags'), 'tags').map(({ text }) => text),
    env: readEnv(report, valueAt('env'), 'env'),
    onFlowStart: readCommands(report, valueAt('onFlowStart'), 'onFlowStart'),
    onFlowComplete: readCommands(report, valueAt('onFlowComplete'), 'onFlowComplete'),
    properties: readEnv(report, valueAt('properties'), 'properties'),
    usesWebViewHierarchy: textOf('androidWebViewHierarchy') === 'devtools',
  }
}
