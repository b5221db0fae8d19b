/** A flow file as typed commands, or every fault of it. */

import type { Flow, Place } from '../command.ts'
import { FLOW_FILE_BYTES } from '../limits.ts'
import { boundedProblems, type Problem } from '../problem.ts'
import type { YamlNode } from '../yaml/node.ts'
import { readDocuments } from '../yaml/read-documents.ts'
import { readCommands } from './read-commands.ts'
import { readHeader } from './read-header.ts'
import { complain, complainOfKind, type Report } from './report.ts'

/** The text of a flow or a script: UTF-8 of at most 1 MiB, with or without a byte order mark. */
type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }

const BYTE_ORDER_MARK = '\uFEFF'

const isUtf16 = (bytes: Uint8Array) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

export const decodeText = (source: string | Uint8Array): Decoded => {
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength
  if (size > FLOW_FILE_BYTES) {
    return { ok: false, message: `The file has more than ${FLOW_FILE_BYTES} bytes.` }
  }
  if (typeof source === 'string') {
    return { ok: true, text: source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source }
  }
  if (isUtf16(source)) return { ok: false, message: 'The file is UTF-16; save it as UTF-8.' }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(source) }
  } catch {
    return { ok: false, message: 'The file is not UTF-8 text; save it as UTF-8.' }
  }
}

export type ReadFlow =
  | { readonly ok: true; readonly flow: Flow; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const SHAPE = 'A flow is a header such as appId: com.example.app, a line ---, and a list of commands.'

const isEmpty = (node: YamlNode | undefined): boolean => node === undefined || node.kind === 'empty'

const readParts = (report: Report, documents: readonly YamlNode[], start: Place): Flow => {
  const [header, commands, ...others] = documents
  const config = readHeader(
    header?.kind === 'map' ? report : { ...report, problems: [] },
    header?.kind === 'map' ? header : { kind: 'map', entries: [], place: start },
  )
  if (header === undefined || header.kind === 'empty') complain(report, start, 'The header is missing.', SHAPE)
  else if (header.kind === 'list') complain(report, header.place, 'The commands stand without a header.', SHAPE)
  else if (header.kind === 'text') complainOfKind(report, header, 'The header', 'a map of keys such as appId')
  else if (isEmpty(commands)) complain(report, commands?.place ?? start, 'The list of commands is missing.', SHAPE)
  for (const other of others.filter(node => !isEmpty(node))) {
    complain(
      report,
      other.place,
      'A flow has one list of commands; what follows a second line --- would not run.',
      SHAPE,
    )
  }
  const list = commands === undefined || commands.kind === 'empty' ? [] : readCommands(report, commands, 'A flow')
  return { file: start.file, config, commands: list }
}

/** `file` is an absolute path; of a flow that was given as text, a name in angle brackets. */
export const readFlow = (source: string | Uint8Array, file: string): ReadFlow => {
  const start: Place = { file, line: 1, column: 1 }
  const decoded = decodeText(source)
  if (!decoded.ok) return { ok: false, problems: [{ ...start, message: decoded.message }] }
  const read = readDocuments(decoded.text, file)
  if (!read.ok) return { ok: false, problems: boundedProblems(read.problems) }
  if (read.documents.every(isEmpty)) {
    return { ok: false, problems: [{ ...start, message: 'The file is empty.', hint: SHAPE }] }
  }
  const report: Report = { problems: [], warnings: [], lines: decoded.text.split(/\r?\n/) }
  const flow = readParts(report, read.documents, start)
  return report.problems.length === 0
    ? { ok: true, flow, warnings: boundedProblems(report.warnings) }
    : { ok: false, problems: boundedProblems(report.problems) }
}
