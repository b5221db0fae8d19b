/** Snapshot XML of a tree: header, hierarchy, one node per line. `parseHierarchy` reads it back. */

import { boundsText, type UiNode, type UiTree } from '../../contracts/device/ui-tree.ts'
import { withReferences, writableXml } from '../../runtime/text/xml-text.ts'
import { PIECE, type Sliced, withoutPauses } from '../../runtime/yielding.ts'
import { FLAG_ATTRIBUTES, TEXT_ATTRIBUTES } from './parse-hierarchy.ts'

const XML_HEADER = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
const INDENT = '  '

/** A line feed and a tab stay as they are; a bare carriage return would be read back as a line feed. */
const REFERRED = /[&<>"\r]/g

/** Most texts need nothing done to them, and this is the quickest way to know. */
const PLAIN = /^[ !#-%'-;=?-~]*$/

const escaped = (text: string) => (PLAIN.test(text) ? text : withReferences(writableXml(text), REFERRED))

interface SnapshotOptions {
  /** Writes the drawing order where it is known, as the dumps of newer Androids do; snapshots leave it out. */
  hasDrawingOrder?: boolean
}

const openTag = (node: UiNode, index: number, flagAttributes: typeof FLAG_ATTRIBUTES, options: SnapshotOptions) => {
  const texts = TEXT_ATTRIBUTES.map(([attribute, key]) => ` ${attribute}="${escaped(node[key])}"`).join('')
  const flags = flagAttributes.map(([attribute, key]) => ` ${attribute}="${node[key]}"`).join('')
  const hintText = node.hint ?? node.hintText
  const hint = hintText === undefined ? '' : ` hint="${escaped(hintText)}"`
  const isOrdered = options.hasDrawingOrder && node.drawingOrder !== undefined
  const order = isOrdered ? ` drawing-order="${node.drawingOrder}"` : ''
  return `<node index="${index}"${texts}${flags} bounds="${boundsText(node.bounds)}"${order}${hint}`
}

type Job = { node: UiNode; index: number; depth: number } | { close: string }

const jobsFor = (nodes: readonly UiNode[], depth: number): Job[] =>
  nodes.map((node, index) => ({ node, index, depth })).reverse()

/** Attributes that are not known are left out. */
export const writingSnapshot = function* (tree: UiTree, options: SnapshotOptions = {}): Sliced<string> {
  const { rotation, roots, unknown = [] } = tree
  const flagAttributes = FLAG_ATTRIBUTES.filter(([, key]) => !unknown.some(one => one === key))
  const lines = [XML_HEADER, `<hierarchy rotation="${rotation}">`]
  const jobs = jobsFor(roots, 1)
  let written = 0
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    if ('close' in job) {
      lines.push(job.close)
      continue
    }
    const { node, index, depth } = job
    written += 1
    if (written % PIECE === 0) yield
    const indent = INDENT.repeat(depth)
    const tag = indent + openTag(node, index, flagAttributes, options)
    if (node.children.length === 0) {
      lines.push(`${tag} />`)
    } else {
      lines.push(`${tag}>`)
      jobs.push({ close: `${indent}</node>` })
      for (const inner of jobsFor(node.children, depth + 1)) jobs.push(inner)
    }
  }
  return [...lines, '</hierarchy>'].join('\n')
}

export const snapshotXml = (tree: UiTree, options?: SnapshotOptions): string =>
  withoutPauses(writingSnapshot(tree, options))
