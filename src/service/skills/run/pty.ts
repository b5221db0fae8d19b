/** The little of node-pty that is used, loaded when the first agent-driven skill runs: it is a native package. */

export interface PtyProcess {
  readonly pid: number
  /** The device file of the terminal, as the child has it open. */
  readonly ptsName: string
  /** Buffers, because the encoding is null. */
  onData(listener: (data: string | Buffer) => void): unknown
  onExit(listener: (exit: { exitCode: number; signal?: number | undefined }) => void): unknown
}

interface PtyOptions {
  name: string
  cols: number
  rows: number
  cwd: string
  env: Record<string, string>
  encoding: null
}

export interface Pty {
  spawn(file: string, args: string[], options: PtyOptions): PtyProcess
}

export type OpenPty = () => Promise<Pty>

const isPty = (module: unknown): module is Pty =>
  typeof module === 'object' && module !== null && 'spawn' in module && typeof module.spawn === 'function'

/** By a name that bundlers do not follow: the package stays where it was installed. */
export const openPtyFrom =
  (specifier: string): OpenPty =>
  async () => {
    const found: unknown = await import(specifier)
    if (isPty(found)) return found
    const inner = typeof found === 'object' && found !== null && 'default' in found ? found.default : undefined
    if (isPty(inner)) return inner
    throw new Error(`${specifier} opens no pseudo-terminals`)
  }

export const openPty: OpenPty = openPtyFrom('node-pty')
