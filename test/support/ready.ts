/** Waits until a program says `ready`, as the first line of its output. */
import type { ChildProcess } from 'node:child_process'

export const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', chunk => {
      said += String(chunk)
      if (said.startsWith('ready\n')) resolve()
    })
    child.on('close', code => reject(new Error(`ended with ${code} before it was ready`)))
  })
