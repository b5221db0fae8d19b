/** A copy of the program at another path: what is at another path counts as another build. */
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLI } from '../../support/cli/run-cli.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

let folder: string | undefined

/** Made when it is first asked for. */
export const otherBuild = (): string => {
  if (folder === undefined) {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-other-')))
    const made = folder
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    cpSync(dirname(CLI), join(made, 'dist'), { recursive: true })
    symlinkSync(MODULES, join(made, 'node_modules'))
  }
  return join(folder, 'dist', 'svc.cjs')
}
