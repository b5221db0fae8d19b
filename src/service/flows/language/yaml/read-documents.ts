/** A text as YAML documents: aliases put in, places kept, everything that flows do not have named as a problem. */
import { isAlias, isMap, isNode, isScalar, isSeq, type LineCounter, type Node, Scalar } from 'yaml'
import type { Place } from '../command.ts'
import { FLOW_DEPTH_MAX, FLOW_NODES_MAX } from '../limits.ts'
import type { Problem } from '../problem.ts'
import type { MapEntry, YamlNode } from './node.ts'
import { parseDocuments } from './parse-documents.ts'

export type ReadDocuments =
  | { readonly ok: true; readonly documents: readonly YamlNode[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const EMPTY_WORDS = new Set(['', '~', 'null', 'Null', 'NULL'])
const STANDARD_TAG = 'tag:yaml.org,2002:'

const placeAt = (lines: LineCounter, file: string, offset: number): Place => {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(1, line), column: Math.max(1, col) }
}

interface Reading {
  readonly problems: Problem[]
  readonly placeOf: (node: Node | null | undefined) => Place
  readonly anchors: Map<string, Node>
  nodes: number
  tooMany: boolean
}

const add = ({ problems }: Reading, place: Place, message: string, hint?: string) =>
  problems.push({ ...place, message, ...(hint === undefined ? {} : { hint }) })

const keyOf = (reading: Reading, node: unknown, seen: ReadonlySet<string>): string | undefined => {
  if (!isNode(node)) return undefined
  const place = reading.placeOf(node)
  if (!isScalar(node)) {
    add(reading, place, 'A key must be a word.', 'Put a text that begins with {, [ or * in quotes.')
    return undefined
  }
  const key = String(node.value)
  if (key === '<<') {
    add(reading, place, 'Flows have no merge keys (<<).', 'Repeat the keys, or name the whole value with an alias.')
  } else if (seen.has(key)) {
    add(reading, place, `The key ${key} stands here a second time.`, 'Remove one of the two.')
  } else return key
  return undefined
}

const readNode = (reading: Reading, node: Node | null | undefined, depth: number): YamlNode => {
  const place = reading.placeOf(node)
  const empty: YamlNode = { kind: 'empty', place }
  reading.nodes += 1
  if (reading.nodes > FLOW_NODES_MAX || depth > FLOW_DEPTH_MAX) {
    if (!reading.tooMany) {
      const bound = depth > FLOW_DEPTH_MAX ? `${FLOW_DEPTH_MAX} levels` : `${FLOW_NODES_MAX} values`
      add(reading, place, `A flow may have at most ${bound}, with each alias counted as what it stands for.`)
    }
    reading.tooMany = true
  }
  if (reading.tooMany || node === null || node === undefined) return empty
  if (isAlias(node)) {
    const target = reading.anchors.get(node.source)
    if (target !== undefined) return readNode(reading, target, depth + 1)
    add(
      reading,
      place,
      `No anchor &${node.source} stands before *${node.source}.`,
      'Put a text that begins with * in quotes.',
    )
    return empty
  }
  if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
    reading.anchors.set(node.anchor, node)
  if (node.tag !== undefined && node.tag !== '!' && !node.tag.startsWith(STANDARD_TAG)) {
    add(reading, place, `Flows have no tags such as ${node.tag}.`, 'Put a text that begins with ! in quotes.')
  }
  if (isScalar(node)) {
    const text = String(node.value)
    const isPlain = node.type === undefined || node.type === Scalar.PLAIN
    return isPlain && EMPTY_WORDS.has(text) ? empty : { kind: 'text', text, isPlain, place }
  }
  if (isSeq(node)) {
    const items = node.items.map(item => readNode(reading, isNode(item) ? item : undefined, depth + 1))
    return { kind: 'list', items, place }
  }
  if (!isMap(node)) return empty
  const seen = new Set<string>()
  const entries = node.items.flatMap(({ key: keyNode, value }): MapEntry[] => {
    const key = keyOf(reading, keyNode, seen)
    const read = readNode(reading, isNode(value) ? value : undefined, depth + 1)
    if (key === undefined) return []
    seen.add(key)
    const keyPlace = isNode(keyNode) ? reading.placeOf(keyNode) : place
    return [{ key, place: keyPlace, value: read.kind === 'empty' ? { kind: 'empty', place: keyPlace } : read }]
  })
  return { kind: 'map', entries, place }
}

export const readDocuments = (text: string, file: string): ReadDocuments => {
  const parsed = parseDocuments(text)
  if (!parsed.ok) {
    const problems = parsed.errors.map(({ offset, message, hint }) => ({
      ...placeAt(parsed.lines, file, offset),
      message,
      ...(hint === undefined ? {} : { hint }),
    }))
    return { ok: false, problems }
  }
  const problems: Problem[] = []
  let start = 0
  const placeOf = (node: Node | null | undefined) => placeAt(parsed.lines, file, node?.range?.[0] ?? start)
  const reading: Reading = { problems, placeOf, anchors: new Map(), nodes: 0, tooMany: false }
  const documents = parsed.documents.map(document => {
    start = document.contents?.range?.[0] ?? document.range[0]
    reading.anchors.clear()
    return readNode(reading, document.contents, 0)
  })
  return problems.length === 0 ? { ok: true, documents } : { ok: false, problems }
}
