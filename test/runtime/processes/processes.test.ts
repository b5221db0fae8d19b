import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bootId, isAlive, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { until } from '../../support/until.ts'

describe('a process', () => {
  test('is itself, and nobody with another start time or another pid', () => {
    const self = thisProcess()
    expect(self.pid).toBe(process.pid)
    expect(thisProcess()).toBe(self)
    expect(isAlive(self)).toBe(true)
    expect(isAlive({ ...self, started: `${self.started}1` })).toBe(false)
    expect(isAlive({ ...self, pid: process.ppid })).toBe(false)
    expect(isAlive({ pid: 2 ** 22 + 1, started: self.started })).toBe(false)
    expect(bootId()).toBeTruthy()
  })

  test.runIf(process.platform === 'linux')('may call itself what it likes, and is dead as a zombie', async () => {
    // The shell starts a child, then becomes a `sleep` that never asks what became of it.
    const name = 'a) R 1 (b'
    const script = `cp "$(command -v sleep)" "$DIR/${name}" && { "$DIR/${name}" 0.4 & echo $!; exec sleep 20; }`
    const directory = mkdtempSync(join(tmpdir(), 'svc-comm-'))
    const shell = spawn('sh', ['-c', script], {
      env: { ...process.env, DIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [said] = (await once(shell.stdout, 'data')) as [Buffer]
      const pid = Number(String(said))
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8')
      await until(() => stat().includes(`(${name})`), 'the name')
      const started = `${bootId()}:${
        stat()
          .slice(stat().lastIndexOf(')') + 2)
          .split(' ')[19]
      }`
      expect(isAlive({ pid, started })).toBe(true)
      await until(() => stat().includes(') Z '), 'a zombie')
      expect(isAlive({ pid, started })).toBe(false)
    } finally {
      shell.kill('SIGKILL')
      await once(shell, 'close')
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
