/** Text that goes into a shell script: as one word, or as the patterns of a `case`. */

export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const wordList = (words: readonly string[]): string => singleQuoted(words.join(' '))

/** Each word quoted, for they may hold what a pattern gives a meaning to. */
export const casePattern = (words: readonly string[]): string => words.map(singleQuoted).join('|')

export const indented = (lines: readonly string[], by: number): string =>
  lines.map(line => `${' '.repeat(by)}${line}`).join('\n')
