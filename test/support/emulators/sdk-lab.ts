/** Simulated Android SDKs for tests: each in a folder of its own, and nothing of them runs on after its test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { ToolName } from '../../fixtures/sdk/call-log.ts'
import { type AndroidSdk, createSdk, type SdkOptions } from '../adb/android-sdk.ts'

const LONGEST_MS = 60_000

export interface ToolRun {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface StartedTool {
  child: ChildProcess
  /** What it has written until now. */
  stdout(): string
  stderr(): string
  ended: Promise<ToolRun>
}

export interface ToolRunOptions {
  /** All of stdin; left out, it is empty. */
  stdin?: string
  env?: Readonly<Record<string, string>>
}

export interface LabSdk extends AndroidSdk {
  /** Its stdin stays open until the caller ends it. */
  start(tool: ToolName, args: readonly string[], env?: Readonly<Record<string, string>>): StartedTool
  run(tool: ToolName, args: readonly string[], options?: ToolRunOptions): Promise<ToolRun>
}

export const sdkLab = (): ((options?: Partial<SdkOptions>) => LabSdk) => {
  const open: AndroidSdk[] = []
  afterEach(async () => {
    for (const sdk of open.splice(0)) await sdk.remove()
  })

  return options => {
    const sdk = createSdk({ root: mkdtempSync(join(tmpdir(), 'svc-sdk-')), ...options })
    open.push(sdk)

    const start: LabSdk['start'] = (tool, args, env) => {
      const child = spawn(sdk.paths[tool], args, { env: { ...sdk.env, ...env }, stdio: 'pipe' })
      const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', chunk => {
        stdout += chunk
      })
      child.stderr.setEncoding('utf8').on('data', chunk => {
        stderr += chunk
      })
      child.stdin.on('error', () => {})
      const ended = new Promise<ToolRun>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', (code, signal) => {
          clearTimeout(timer)
          resolve({ code, signal, stdout, stderr })
        })
      })
      return { child, stdout: () => stdout, stderr: () => stderr, ended }
    }

    return {
      ...sdk,
      start,
      run(tool, args, { stdin = '', env } = {}) {
        const { child, ended } = start(tool, args, env)
        child.stdin?.end(stdin)
        return ended
      },
    }
  }
}
