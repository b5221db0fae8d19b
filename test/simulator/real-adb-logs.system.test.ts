/** `svc logs` beside the real `adb logcat`, on the same simulated device: the same lines by the same writers. */
import { describe, expect, test } from 'vitest'
import type { LogLine } from '../../src/contracts/device/logs.ts'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { needs } from '../support/needs.ts'

const LEVELS = ['V', 'D', 'I', 'W', 'E', 'F'] as const

describe.skipIf(!needs('adb'))('a real adb', () => {
  const { adb, attached } = realAdbDevices()

  test('prints what svc prints', async () => {
    const { phone, serial, run } = await attached()
    for (let at = 0; at < 200; at++) {
      const source = {
        pid: 3_000 + at,
        tid: 4_000 + at,
        uid: 10_000 + (at % 7),
        buffer: at % 3 ? 'main' : 'system',
      } as const
      phone.log.write(
        LEVELS[at % LEVELS.length] ?? 'I',
        `Tag${at % 5}`,
        at % 10 ? `line ${at}` : `line ${at}\n  more`,
        source,
      )
    }
    const { stdout } = await run('logcat', '-d', '-v', 'epoch,usec,uid')
    const byAdb = stdout.split('\n').filter(line => line !== '' && !line.startsWith('---------'))
    const env = { HOME: adb.home, SVC_TCP_DEVICES: serial, PATH: '' }
    const printed = await runCliHere(['logs', '--device', serial], { env })
    const lines = printed.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as LogLine)
    const bySvc = lines.flatMap(({ time, uid, pid, tid, level, tag, message }) => {
      const seconds = Math.floor(Date.parse(time) / 1_000)
      const micros = time.slice(-'123456Z'.length, -1)
      const [user = '', process = '', thread = ''] = [uid, pid, tid].map(number => String(number).padStart(5))
      const head = `${String(seconds).padStart(19)}.${micros} ${user} ${process} ${thread} ${level[0]?.toUpperCase()} ${tag.padEnd(8)}: `
      return message.split('\n').map(line => head + line)
    })
    expect(bySvc).toEqual(byAdb)
    expect(lines.length).toBeGreaterThanOrEqual(200)
  })
})
