/** An HTTP server in a process of its own, so that it can be killed. */
import type { ChildProcess } from 'node:child_process'
import { startProgram } from '../run-program.ts'
import { until } from '../until.ts'

export interface HttpProcessOptions {
  home: string
  serial: string
  /** Its owner, who ends it; known before it listens. */
  children: ChildProcess[]
}

/** Resolves when it listens. */
export const startHttpProcess = async ({ home, serial, children }: HttpProcessOptions) => {
  const { child, ended } = startProgram('http-serve', [home, serial])
  children.push(child)
  let said = ''
  child.stdout?.on('data', chunk => {
    said += String(chunk)
  })
  await until(() => /ready\n\d+\n/.test(said), 'the server to listen')
  return { child, ended, url: `http://127.0.0.1:${/\d+/.exec(said)?.[0]}` }
}
