/** Quoting for a POSIX shell: the one way a value may get into a command line of the device. */

/** A single word for `sh`, whatever is in the value. A NUL cannot be passed to any command and is refused. */
export const quote = (value: string): string => {
  if (value.includes('\0')) throw new RangeError('a NUL character cannot be passed to a shell')
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

export const commandLine = (...words: readonly string[]): string => words.map(quote).join(' ')
