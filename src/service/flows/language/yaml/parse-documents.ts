/** The parser of YAML within bounds: nothing is composed that has too many words or is nested too deeply. */
import { Composer, type CST, type Document, Lexer, LineCounter, Parser, type YAMLError } from 'yaml'
import { FLOW_DEPTH_MAX, FLOW_NODES_MAX } from '../limits.ts'

export type ParsedDocuments =
  | { readonly ok: true; readonly documents: readonly Document.Parsed[]; readonly lines: LineCounter }
  | { readonly ok: false; readonly errors: readonly Fault[]; readonly lines: LineCounter }

export interface Fault {
  readonly offset: number
  readonly message: string
  readonly hint?: string | undefined
}

/** A node has at most so many words that are not blanks: its own, an indicator, a colon, a comma, an anchor, a tag. */
const WORDS_PER_NODE = 6
/** Blanks and comments count here too. */
const LEXEMES_MAX = 300_000

const TOO_DEEP = `The values are nested deeper than ${FLOW_DEPTH_MAX} levels.`
/** The document and a word are open beside the lists and maps; what is nested a little too deep is found later. */
const OPEN_MAX = FLOW_DEPTH_MAX + 8

const BLANK = /^[\s#]/

const HINTS: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Indent the keys of one map by the same number of spaces.',
  BAD_ALIAS: 'Put a text that begins with * in quotes.',
  MULTILINE_IMPLICIT_KEY: 'A key is one line that ends with a colon; put a text with a colon in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text that contains a colon and a blank in quotes.',
  BAD_SCALAR_START: 'Put a text that begins with this character in quotes.',
  BAD_DQ_ESCAPE: 'Write \\\\ for a backslash in double quotes, or use single quotes.',
}

const EXPRESSION_HINT = 'Put an expression in quotes where it stands between braces.'

const asSentence = (message: string): string => {
  const line = (message.split('\n')[0] ?? '').trim().replace(/^Missing closing (.)quote$/, 'A quote $1 does not end')
  const sentence = line.charAt(0).toUpperCase() + line.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

const childrenOf = (token: CST.Token | null | undefined): (CST.Token | null | undefined)[] => {
  switch (token?.type) {
    case 'document':
      return [token.value]
    case 'block-map':
    case 'flow-collection':
    case 'block-seq':
      return token.items.flatMap(item => [item.key, item.value])
    default:
      return []
  }
}

/** Without recursion, for the depth is what is in question. */
const tooDeep = (root: CST.Token): CST.Token | undefined => {
  const left: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.depth > FLOW_DEPTH_MAX) return next.token
    for (const token of childrenOf(next.token)) {
      if (token !== null && token !== undefined) left.push({ token, depth: next.depth + 1 })
    }
  }
  return undefined
}

/** The rest of a line that does not parse is unexpected too. */
const withoutEchoes = (errors: readonly YAMLError[], lines: LineCounter): readonly YAMLError[] => {
  const lineOf = ({ pos }: YAMLError) => lines.linePos(pos[0]).line
  return errors.filter((error, at) => {
    const before = at === 0 ? undefined : errors[at - 1]
    return error.code !== 'UNEXPECTED_TOKEN' || before === undefined || lineOf(before) !== lineOf(error)
  })
}

export const parseDocuments = (text: string): ParsedDocuments => {
  const lines = new LineCounter()
  const fault = (offset: number, message: string): ParsedDocuments => ({
    ok: false,
    errors: [{ offset, message }],
    lines,
  })
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  const documents: Document.Parsed[] = []
  let offset = 0
  let words = 0
  let lexemes = 0
  let deep: CST.Token | undefined
  const compose = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) {
      deep ??= tooDeep(token)
      if (deep === undefined) for (const document of composer.next(token)) documents.push(document)
    }
  }
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1
    if (!BLANK.test(lexeme)) words += 1
    offset += lexeme.length
    if (words > WORDS_PER_NODE * FLOW_NODES_MAX || lexemes > LEXEMES_MAX) {
      return fault(
        Math.min(offset, text.length),
        `The file is too long: a flow may have at most ${FLOW_NODES_MAX} values.`,
      )
    }
    compose(parser.next(lexeme))
    // The end of a line closes all that it has opened, one call within the other.
    if (parser.stack.length > OPEN_MAX) return fault(Math.min(offset, text.length), TOO_DEEP)
  }
  compose(parser.end())
  if (deep !== undefined) return fault(deep.offset, TOO_DEEP)
  for (const document of composer.end()) documents.push(document)
  const errors = withoutEchoes(
    documents.flatMap(document => document.errors),
    lines,
  )
  if (errors.length === 0) return { ok: true, documents, lines }
  return {
    ok: false,
    errors: errors.map(({ pos, message, code }) => ({
      offset: pos[0],
      message: asSentence(message),
      hint: text.startsWith('${', pos[0] - 1) ? EXPRESSION_HINT : HINTS[code],
    })),
    lines,
  }
}
