/** A QR code as text: two rows of cells in each line. */

/** Readers need a margin of this many cells. */
const QUIET = 4
const DARK_ON_LIGHT = '\x1b[38;5;16;48;5;231m'
const RESET = '\x1b[0m'

/** By the upper and the lower cell, where the ink is dark. */
const INK = { dark: { dark: '█', light: '▀' }, light: { dark: '▄', light: ' ' } } as const
type Cell = 'dark' | 'light'

const opposite = (cell: Cell): Cell => (cell === 'dark' ? 'light' : 'dark')

/** Without colours the ink is light: most terminals have a dark ground. */
export const qrText = (code: readonly (readonly boolean[])[], { hasColours }: { hasColours: boolean }): string => {
  const cellAt = (row: number, column: number): Cell => {
    const cell = code[row]?.[column] ? 'dark' : 'light'
    return hasColours ? cell : opposite(cell)
  }
  const lines: string[] = []
  for (let row = -QUIET; row < code.length + QUIET; row += 2) {
    let line = ''
    for (let column = -QUIET; column < code.length + QUIET; column++) {
      line += INK[cellAt(row, column)][cellAt(row + 1, column)]
    }
    lines.push(hasColours ? `${DARK_ON_LIGHT}${line}${RESET}` : line)
  }
  return lines.join('\n')
}
