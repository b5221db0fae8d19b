/** The action shell: its output, what is kept of it, and how it is ended. */
import { describe, expect, test } from 'vitest'
import { SHELL_OUTPUT_BYTES_MAX } from '../../../../src/contracts/limits/shell-limits.ts'
import { type Link, LinkError, type ShellOptions } from '../../../../src/device/link/link.ts'
import { runCallerCommand } from '../../../../src/device/operators/shell/caller-command.ts'
import { runHostStep } from '../../../../src/device/steps/run-host-step.ts'
import { manualClock } from '../../../support/manual-clock.ts'

type Pieces = readonly (readonly ['stdout' | 'stderr', string | Uint8Array])[]

/** Says these pieces, then ends as told; other command lines end with 0. */
const saying = (pieces: Pieces, end: number | Error = 0) => {
  const commands: string[] = []
  const clock = manualClock()
  const shell = async (command: string, { onOutput }: ShellOptions) => {
    commands.push(command)
    if (!command.startsWith('echo $$')) return { exitCode: 0, stdout: '', stderr: '' }
    for (const [stream, piece] of pieces) onOutput?.(stream, Buffer.from(piece))
    if (end instanceof Error) throw end
    return { exitCode: end, stdout: '', stderr: '' }
  }
  const options = {
    link: { shell } as unknown as Link,
    clock,
    deadline: clock.now() + 30_000,
    signal: new AbortController().signal,
    screenshotPath: () => '',
  }
  return { commands, options, run: (command = 'id') => runCallerCommand(command, options) }
}

test('its output without the line that tells the pid, and its exit code', async () => {
  const { run, commands } = saying(
    [
      ['stdout', '47'],
      ['stdout', '11\nuid=2000\n'],
      ['stderr', 'warning\n'],
    ],
    3,
  )
  expect(await run("echo 'a'; exit 3")).toEqual({ stdout: 'uid=2000\n', stderr: 'warning\n', exit_code: '3' })
  expect(commands).toEqual(["echo $$; exec sh -c 'echo '\\''a'\\''; exit 3' </dev/null"])
})

test('a number that the command prints first stays', async () => {
  expect(await saying([['stdout', '4711\n12\n']]).run()).toMatchObject({ stdout: '12\n' })
})

test.each([
  ['a shell that does not start', [['stderr', "error: exec '/system/bin/sh' failed\n"]] as Pieces, 126],
  [
    'characters in pieces',
    [
      ['stdout', '1\n'],
      ['stdout', Uint8Array.of(0xc3)],
      ['stdout', Uint8Array.of(0xa9)],
    ] as Pieces,
    0,
  ],
])('%s', async (_, pieces, exitCode) => {
  const { stdout, exit_code } = await saying(pieces, exitCode).run()
  expect({ stdout, exit_code }).toEqual({ stdout: exitCode === 0 ? 'é' : '', exit_code: String(exitCode) })
})

test('only the beginning of a long stream is kept, in whole characters, and its length is told', async () => {
  const long = `x${'é'.repeat(SHELL_OUTPUT_BYTES_MAX)}`
  const data = await saying([
    ['stdout', '4711\n'],
    ['stdout', long],
    ['stderr', 'y'.repeat(10)],
  ]).run()
  const kept = Buffer.byteLength(data.stdout ?? '')
  expect(kept).toBeLessThanOrEqual(SHELL_OUTPUT_BYTES_MAX + 11)
  expect(kept).toBeGreaterThan(SHELL_OUTPUT_BYTES_MAX - 2)
  expect(data.stdout?.endsWith('é')).toBe(true)
  expect(data).toMatchObject({
    truncated: 'true',
    stdout_bytes: String(2 * SHELL_OUTPUT_BYTES_MAX + 1),
    stderr_bytes: '10',
    exit_code: '0',
  })
})

describe('a command that does not end in time', () => {
  const late = new LinkError('LINK_TIMEOUT', 'too late')

  test('is ended on the phone with what it started, and its output so far is told', async () => {
    const { options, commands } = saying([['stdout', '4712\nfirst\n']], late)
    const action = { id: 'a', type: 'shell', params: { command: 'sleep 60' } } as const
    const { error, stepResults } = await runHostStep(action, options)
    expect(commands[1]).toBe('kill -9 -4712 2>/dev/null || kill -9 4712 2>/dev/null')
    expect(error).toMatchObject({ code: 'ACTION_FAILED', hint: expect.stringContaining('timeoutMs') })
    expect(stepResults).toMatchObject([{ success: false, data: { stdout: 'first\n', error: 'ACTION_FAILED' } }])
  })

  test('is ended when its caller cancels, and nothing is answered for it', async () => {
    const cancelled = new LinkError('LINK_CANCELLED', 'cancelled')
    const { run, commands } = saying([['stdout', '4712\n']], cancelled)
    await expect(run()).rejects.toBe(cancelled)
    expect(commands[1]).toContain('kill -9 -4712')
  })

  test('cannot be ended before it has told its pid, or once the link is lost', async () => {
    const early = saying([], late)
    await expect(early.run()).rejects.toMatchObject({ code: 'ACTION_FAILED' })
    const lost = saying([['stdout', '4712\n']], new LinkError('DEVICE_LINK_LOST', 'lost'))
    await expect(lost.run()).rejects.toMatchObject({ code: 'DEVICE_LINK_LOST' })
    expect([early.commands.length, lost.commands.length]).toEqual([1, 1])
  })
})
