/** Starts a program of test/programs, built beforehand, and owns it until it has ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

const LONGEST_MS = 30_000

/** Seen from the sources, and from a bundle in dist/dev. */
const PLACES = ['../../dist/test/', '../test/']

export const programPath = (name: string): string => {
  const paths = PLACES.map(place => fileURLToPath(new URL(`${place}${name}.js`, import.meta.url)))
  return paths.find(existsSync) ?? paths[0] ?? ''
}

/** The environment without what slows every Node start down or changes its output. */
export const plainEnv = (): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  return env
}

export const startProgram = (
  name: string,
  args: readonly string[],
  env = plainEnv(),
): { child: ChildProcess; ended: Promise<Ended> } => {
  const child = spawn(process.execPath, [programPath(name), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stdout, stderr })
    })
  })
  return { child, ended }
}

export const runProgram = (name: string, args: readonly string[]): Promise<Ended> => startProgram(name, args).ended
