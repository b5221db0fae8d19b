/** One call from its arguments to its exit code: what is printed, where, and how it ends. */
import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  type CommandResult,
} from '../../../src/surfaces/cli/command.ts'
import type { RunOptions } from '../../../src/surfaces/cli/run.ts'
import { callCli } from '../../support/cli/call-cli.ts'

const commandOf = (run: (call: CommandContext) => Promise<CommandResult>): Command[] => [
  { path: ['do'], summary: 'does it', examples: ['svc do'], run },
]
const doing = (run: (call: CommandContext) => Promise<CommandResult>, argv: string[] = [], more = {}) =>
  callCli(['do', ...argv], { commands: commandOf(run), ...more })

describe('output', () => {
  test('is one line of JSON', async () => {
    const { code, printed } = await doing(async () => ({ ok: true, output: { a: [1, { b: 2 }] } }))
    expect({ code, printed }).toEqual({ code: 0, printed: ['{"a":[1,{"b":2}]}'] })
  })

  test.each([['--output', 'pretty'], ['--output=pretty']])('is indented with %s %s', async (...argv) => {
    const { printed } = await doing(async () => ({ ok: true, output: { a: 1 } }), argv)
    expect(printed).toEqual(['{\n  "a": 1\n}'])
  })

  test('is one line again with --json', async () => {
    const { printed } = await doing(async () => ({ ok: true, output: { a: 1 } }), ['--json', '--output', 'pretty'])
    expect(printed).toEqual(['{"a":1}'])
  })

  test('of a usage error is indented, too', async () => {
    const { printed } = await doing(async () => ({ ok: true }), ['--output', 'pretty', 'surplus'])
    expect(printed[0]).toContain('{\n  "code": "USAGE"')
  })

  test('is out before what a command does afterwards, which happens without it, too', async () => {
    const seen: string[][] = []
    const printed: string[] = []
    const io = { print: async (text: string) => printed.push(text) > 0 }
    await doing(async call => {
      const { print } = call.io
      call.io.print = async text => (await io.print(text)) && print(text)
      return { ok: true, output: { a: 1 }, afterwards: async () => void seen.push([...printed]) }
    })
    expect(seen).toEqual([['{"a":1}']])
    const failing = await doing(async call => {
      call.io.print = async text => {
        printed.push(text)
        throw new Error('the disk is full')
      }
      return { ok: true, output: {}, afterwards: async () => void seen.push(['after the failure']) }
    })
    expect([failing.code, seen.at(-1)]).toEqual([1, ['after the failure']])
  })

  test('is nothing when a command has printed all itself', async () => {
    const { code, printed } = await doing(async ({ io }) => {
      await io.print('a line')
      return { ok: true }
    })
    expect({ code, printed }).toEqual({ code: 0, printed: ['a line'] })
  })

  test('that is not ok makes the exit code 1', async () => {
    expect(await doing(async () => ({ ok: false, output: {} }))).toMatchObject({ code: 1, printed: ['{}'] })
  })
})

describe('a command that throws', () => {
  const table: [string, unknown, object][] = [
    [
      'a failure of its own',
      new CommandError('EXECUTION_NOT_FOUND', 'no such', { details: { a: 1 }, hint: 'look.' }),
      { code: 'EXECUTION_NOT_FOUND', message: 'no such', details: { a: 1 }, hint: 'look.', retriable: false },
    ],
    [
      'a link error of the contract',
      new LinkError('ADB_SERVER_FAILED', 'it is deaf'),
      { code: 'ADB_SERVER_FAILED', message: 'it is deaf', retriable: true },
    ],
    [
      'a link error that is none of the contract',
      new LinkError('LINK_TIMEOUT', 'too slow'),
      { code: 'INTERNAL_ERROR', message: 'too slow', retriable: false },
    ],
    [
      'a journal error',
      new JournalError('busy', 'held'),
      {
        code: 'JOURNAL_UNAVAILABLE',
        message: 'held',
        details: { reason: 'busy' },
        hint: 'Another process holds the journal for writing: try again.',
        retriable: false,
      },
    ],
    ['an error', new Error('oh'), { code: 'INTERNAL_ERROR', message: 'oh', retriable: false }],
    ['a text', 'oh', { code: 'INTERNAL_ERROR', message: 'oh', retriable: false }],
  ]
  test.each(table)('%s', async (_, thrown, expected) => {
    const { code, json } = await doing(() => Promise.reject(thrown))
    expect(code).toBe(1)
    expect(json()).toEqual({ hint: expect.stringMatching(/^[A-Z].*\.$/), ...expected })
  })
})

describe('services', () => {
  const openingWith = (log: string[], close = async () => void log.push('closed')) =>
    (async () => {
      log.push('loaded')
      return { home: '/home', close }
    }) as unknown as RunOptions['openServices']

  test('are not loaded for a command that does not ask for them', async () => {
    const log: string[] = []
    await doing(async () => ({ ok: true }), [], { openServices: openingWith(log) })
    expect(log).toEqual([])
  })

  test('are opened once and closed once, also when the command closes them itself', async () => {
    const log: string[] = []
    const work = async ({ services }: CommandContext) => {
      const [first, second] = await Promise.all([services(), services()])
      log.push(String(first === second))
      await first.close()
      return { ok: true }
    }
    await doing(work, [], { openServices: openingWith(log) })
    expect(log).toEqual(['loaded', 'true', 'closed'])
  })

  test('are closed after a failure', async () => {
    const log: string[] = []
    const work = async ({ services }: CommandContext) => {
      await services()
      throw new Error('oh')
    }
    expect(await doing(work, [], { openServices: openingWith(log) })).toMatchObject({ code: 1 })
    expect(log).toEqual(['loaded', 'closed'])
  })

  test('that cannot be closed change nothing about the answer', async () => {
    const close = () => Promise.reject(new Error('stuck'))
    const work = async ({ services }: CommandContext) => {
      await services()
      return { ok: true, output: 1 }
    }
    const called = await doing(work, [], { openServices: openingWith([], close) })
    expect(called).toMatchObject({ code: 0, printed: ['1'], notes: ['closing: stuck'] })
  })

  test('that cannot be opened are the failure', async () => {
    const openServices = () => Promise.reject(new JournalError('newer-schema', 'too new'))
    const called = await doing(async ({ services }) => ({ ok: true, output: await services() }), [], { openServices })
    expect(called.json()).toMatchObject({ code: 'JOURNAL_UNAVAILABLE' })
  })
})

describe('--log-level', () => {
  const work = async ({ log }: CommandContext) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level)
    return { ok: true }
  }
  test.each([
    [[], ['warn', 'error']],
    [
      ['--log-level', 'debug'],
      ['debug', 'info', 'warn', 'error'],
    ],
    [['--log-level', 'error'], ['error']],
  ])('%j says %j', async (argv, notes) => {
    expect((await doing(work, argv)).notes).toEqual(notes)
  })
})

describe('--version and --help', () => {
  test.each([['--version'], ['do --version'], ['--output pretty --version']])('svc %s', async line => {
    const { code, printed } = await callCli(line.split(' '), { commands: commandOf(async () => ({ ok: false })) })
    expect({ code, printed }).toEqual({ code: 0, printed: ['1.2.3'] })
  })

  test.each([['--help'], ['-h'], [''], ['do --help'], ['do -h surplus --unknown']])('svc %s', async line => {
    const argv = line.split(' ').filter(word => word !== '')
    const { code, printed } = await callCli(argv, { commands: commandOf(async () => ({ ok: false })) })
    expect(code).toBe(0)
    expect(printed.join()).toContain('svc do')
  })
})
