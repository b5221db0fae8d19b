/** The XML of a screen that `GET source` answers. */
import type { UiNode, UiTree } from '../../../contracts/device/ui-tree.ts'
import { withReferences } from '../../../runtime/text/xml-text.ts'
import {
  ROOT_TAG,
  rootAttributes,
  type SourceAttribute,
  type SourceScreen,
  sourceAttributes,
  tagOf,
} from './source-node.ts'

const written = (attributes: readonly SourceAttribute[]): string =>
  attributes.map(([name, value]) => ` ${name}="${withReferences(value, /[&<>"\n\r\t]/g)}"`).join('')

type Job = { node: UiNode; index: number; level: number } | { closing: string }

const INDENT = '  '
/** Deeper nodes are not moved further to the right: blanks would be most of the text. */
const INDENTS_MAX = 50

const indentOf = (level: number): string => INDENT.repeat(Math.min(level, INDENTS_MAX))

export const pageSource = (tree: UiTree, screen: SourceScreen): string => {
  const head = `${ROOT_TAG}${written(rootAttributes(tree, screen))}`
  const lines = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"]
  if (tree.roots.length === 0) return [...lines, `<${head} />`].join('\n')
  lines.push(`<${head}>`)
  const jobs: Job[] = tree.roots.map((node, index) => ({ node, index, level: 1 })).reverse()
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    if ('closing' in job) {
      lines.push(job.closing)
      continue
    }
    const { node, index, level } = job
    const tag = tagOf(node.className)
    const isLeaf = node.children.length === 0
    lines.push(`${indentOf(level)}<${tag}${written(sourceAttributes(node, index))}${isLeaf ? ' />' : '>'}`)
    if (isLeaf) continue
    jobs.push({ closing: `${indentOf(level)}</${tag}>` })
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) jobs.push({ node: child, index: at, level: level + 1 })
    }
  }
  return [...lines, `</${ROOT_TAG}>`].join('\n')
}
