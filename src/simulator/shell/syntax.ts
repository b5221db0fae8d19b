/** Defines a parsed command line: lists of pipelines of commands, made of words. */

export type Part =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'variable'; name: string; quoted: boolean; instead?: CommandSubstitution }
  /** `$(...)`: what the list prints. */
  | { kind: 'output'; list: List; quoted: boolean }
  /** `$((...))`: the value of what the word becomes. */
  | { kind: 'arithmetic'; expression: Word; quoted: boolean }

export type Word = readonly Part[]

/** `${A-word}` and `${A+word}`: what stands for a variable without a value, or with one. */
export interface CommandSubstitution {
  of: 'none' | 'some'
  /** `:-` and `:+`: an empty value counts as none. */
  emptyIsNone: boolean
  word: Word
}

export interface Redirect {
  fd: number
  /** `text` is a here-document: the target is what stands in it. */
  how: 'read' | 'write' | 'append' | 'copy' | 'text'
  target: Word
}

export interface SimpleCommand {
  kind: 'simple'
  assignments: readonly { name: string; value: Word }[]
  words: readonly Word[]
  redirects: readonly Redirect[]
}

interface Group {
  kind: 'group'
  list: List
  /** `( )`: what it changes stays inside. */
  own: boolean
  redirects: readonly Redirect[]
}

export interface If {
  kind: 'if'
  branches: readonly { test: List; body: List }[]
  otherwise: List | undefined
  redirects: readonly Redirect[]
}

export interface For {
  kind: 'for'
  name: string
  /** Undefined for the arguments of the shell. */
  words: readonly Word[] | undefined
  body: List
  redirects: readonly Redirect[]
}

export interface While {
  kind: 'while'
  /** `until`: goes on as long as the test fails. */
  untilSuccess: boolean
  test: List
  body: List
  redirects: readonly Redirect[]
}

export type Compound = Group | If | For | While
export type ShellCommand = SimpleCommand | Compound

export interface Step {
  when: 'always' | 'success' | 'failure'
  negated: boolean
  /** `&`: the shell goes on at once. */
  isBackground?: boolean
  commands: readonly ShellCommand[]
}

export type List = readonly Step[]

/** All that `&&` and `||` join with the last step goes with it. */
export const moveToBackground = (steps: Step[]): void => {
  const joined = steps.splice(steps.findLastIndex(({ when }) => when === 'always'))
  const [only, ...more] = joined
  if (only && more.length === 0) steps.push({ ...only, isBackground: true })
  else {
    const group = { kind: 'group', list: joined, own: true, redirects: [] } as const
    steps.push({ when: 'always', negated: false, commands: [group], isBackground: true })
  }
}

export class ShellSyntaxError extends Error {
  /** More lines could still make it whole. */
  readonly incomplete: boolean

  constructor(message: string, incomplete = false) {
    super(message)
    this.name = 'ShellSyntaxError'
    this.incomplete = incomplete
  }
}

/** A here-document whose text comes with the lines after this one. */
export interface PendingDocument {
  redirect: Redirect
  end: string
  /** `<<'EOF'`: nothing in it means anything. */
  isPlain: boolean
  /** `<<-`: tabs at the beginning of its lines are not part of it. */
  withoutTabs: boolean
}

/** The position of the parser. */
export interface Cursor {
  readonly text: string
  at: number
  depth: number
  awaited: PendingDocument[]
  /** Inside a here-document, where quotes are letters. */
  isDocument?: boolean
}

export const cursorOver = (text: string, depth = 0): Cursor => ({ text, at: 0, depth, awaited: [] })

/** Deeper nesting than this is refused before it can fill the stack. */
export const NESTING_MAX = 64
