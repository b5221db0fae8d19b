/** Files that processes of a simulated world have open: those of one that died are closed when its trial is over. */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Answers what closes them. One trial at a time. */
export const followOpenFiles = (): (() => Promise<void>) => {
  const { open } = fs
  const opened: fs.FileHandle[] = []
  fs.open = async (...args) => {
    const file = await open(...args)
    opened.push(file)
    return file
  }
  syncBuiltinESMExports()
  return async () => {
    fs.open = open
    syncBuiltinESMExports()
    await Promise.all(opened.map(file => (file.fd < 0 ? undefined : file.close())))
  }
}
