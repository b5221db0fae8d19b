/** Runs another build of `svc` to its end. */
import { spawn } from 'node:child_process'
import { KEPT_CODE } from './run-cli.ts'

export interface OtherEnded {
  code: number | null
  stdout: string
  stderr: string
}

export const spawnOther = (cli: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<OtherEnded> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], {
      env: { PATH: '', ...KEPT_CODE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', chunk => {
        said[stream] += chunk
      })
    }
    child.on('error', reject)
    child.on('close', code => resolve({ code, ...said }))
  })
