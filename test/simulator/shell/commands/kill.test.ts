/** `kill` ends a command line of the phone by the pid that its shell tells. */
import { describe, expect, test } from 'vitest'
import { captured, runIn, shellOf } from '../../../support/device/shell-run.ts'
import { stubPhone } from '../../../support/device/stub-phone.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { until } from '../../../support/until.ts'

const started = (line: string) => {
  const clock = manualClock()
  const shell = shellOf(stubPhone(clock), clock)
  const { io, stdout } = captured()
  const ended = shell.run(line, io)
  return {
    shell,
    ended,
    async pid() {
      await until(() => stdout().includes('\n'), 'the pid')
      return stdout().toString().trim()
    },
  }
}

describe.each([
  ['a process group', (pid: string) => `kill -9 -${pid}`],
  ['a process', (pid: string) => `kill ${pid}`],
])('%s', (_, kill) => {
  test.each(['sleep 60', 'sleep 60; echo no', "trap '' HUP; sleep 60; echo no"])('with %s', async line => {
    const { shell, ended, pid } = started(`echo $$; exec sh -c "${line}" </dev/null`)
    expect(await runIn(shell, kill(await pid()))).toMatchObject({ code: 0, err: '' })
    expect(await ended).toBe(137)
  })
})

test('each line has a pid of its own, and one that is over cannot be killed', async () => {
  const { shell, ended, pid } = started('echo $$')
  expect(await ended).toBe(0)
  const first = await pid()
  expect((await runIn(shell, 'echo $$')).out.trim()).not.toBe(first)
  expect(await runIn(shell, `kill -9 -${first}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('No such process'),
  })
  expect(await runIn(shell, 'kill')).toMatchObject({ code: 1 })
})
