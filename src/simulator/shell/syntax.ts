/** What a command line means once it is read: lists of pipelines of commands, made of words. */

export type Part =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'variable'; name: string; quoted: boolean; instead?: Instead }
  /** `$(...)`: what the list prints. */
  | { kind: 'output'; list: List; quoted: boolean }

export type Word = readonly Part[]

/** `${A-word}` and `${A+word}`: what stands for a variable without a value, or with one. */
export interface Instead {
  of: 'none' | 'some'
  /** `:-` and `:+`: an empty value counts as none. */
  emptyIsNone: boolean
  word: Word
}

export interface Redirect {
  fd: number
  how: 'read' | 'write' | 'append' | 'copy'
  target: Word
}

export interface SimpleCommand {
  kind: 'simple'
  assignments: readonly { name: string; value: Word }[]
  words: readonly Word[]
  redirects: readonly Redirect[]
}

export interface Group {
  kind: 'group'
  list: List
  /** `( )`: what it changes stays inside. */
  own: boolean
  redirects: readonly Redirect[]
}

export type ShellCommand = SimpleCommand | Group

export interface Step {
  when: 'always' | 'success' | 'failure'
  negated: boolean
  commands: readonly ShellCommand[]
}

export type List = readonly Step[]

export class ShellSyntaxError extends Error {
  /** More lines could still make it whole. */
  readonly incomplete: boolean

  constructor(message: string, incomplete = false) {
    super(message)
    this.name = 'ShellSyntaxError'
    this.incomplete = incomplete
  }
}

/** Where the reading stands. */
export interface Cursor {
  readonly text: string
  at: number
  depth: number
}

/** Deeper nesting than this is refused before it can fill the stack. */
export const NESTING_MAX = 64
