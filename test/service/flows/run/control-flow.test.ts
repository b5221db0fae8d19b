// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
import { describe, expect, test } from 'vitest'
import { flowBench } from '../../../support/flows/flow-bench.ts'

const flow = (...lines: readonly string[]) => `appId: com.example\n---\n${lines.join('\n')}\n`

const performed = async (yaml: string, files: Record<string, string> = {}, env: Record<string, string> = {}) => {
  const bench = flowBench(yaml, { files, env })
  const ending = await bench.perform()
  if (ending.kind !== 'ended') throw new Error(`the process ${ending.kind}`)
  const { verdict, failure } = ending.emitted
  const commands = bench
    .recorded()
    .commands.map(({ begun: { name, depth }, ended }) => `${depth} ${name} ${ended?.verdict}`)
  const taps = bench.phone.touches.flatMap(({ type, params }) =>
    type === 'click' ? (params as { matcher: { flow: { text: string } } }).matcher.flow.text : [],
  )
  const typed = bench.phone.touches.flatMap(({ type, params }) =>
    type === 'enter_text' ? (params as { text: string }).text : [],
  )
  return { bench, verdict, failure, commands, taps, typed }
}

describe('runFlow', () => {
  test('its commands run where its condition holds', async () => {
    const { taps, commands } = await performed(
      flow(
        '- runFlow: { when: { visible: here }, commands: [tapOn: yes] }',
        '- runFlow: { when: { visible: missing }, commands: [tapOn: no] }',
        '- runFlow: { when: { notVisible: missing, platform: Android, true: "${1 === 1}" }, commands: [tapOn: all] }',
        '- runFlow: { when: { platform: iOS }, commands: [tapOn: other] }',
      ),
    )
    expect(taps).toEqual(['yes', 'all'])
    expect(commands).toEqual([
      '0 runFlow passed',
      '1 when passed',
      '1 tapOn passed',
      '0 runFlow skipped',
      '1 when skipped',
      '0 runFlow passed',
      '1 when passed',
      '1 tapOn passed',
      '0 runFlow skipped',
      '1 when skipped',
    ])
  })

  test('a file runs with its hooks, the last one also behind a failure', async () => {
    const sub = `appId: a\nonFlowStart: [tapOn: first]\nonFlowComplete: [tapOn: last]\n---\n- tapOn: missing\n- tapOn: never\n`
    const { taps, verdict, failure, bench } = await performed(flow('- runFlow: sub.yaml', '- tapOn: after'), {
      '/flows/sub.yaml': sub,
    })
    expect(taps).toEqual(['first', 'last'])
    expect({ verdict, failure }).toEqual({ verdict: 'failed', failure: { code: 'NODE_NOT_FOUND', index: 2 } })
    expect(bench.recorded().stages[1]?.body.error).toMatchObject({ file: '/flows/sub.yaml', line: 5 })
  })

  test('a condition that cannot be judged fails its command, and has an end of its own', async () => {
    const { verdict, commands } = await performed(
      flow('- runFlow: { when: { true: "${nothing.x}" }, commands: [back] }'),
    )
    expect(verdict).toBe('failed')
    expect(commands).toEqual(['0 runFlow failed', '1 when failed'])
  })
})

describe('repeat', () => {
  test('so many times', async () => {
    expect((await performed(flow('- repeat: { times: 3, commands: [tapOn: a] }'))).taps).toEqual(['a', 'a', 'a'])
  })

  test('as long as its condition holds, which is asked before each round', async () => {
    const { taps, commands } = await performed(flow('- repeat: { while: { visible: until 2 }, commands: [tapOn: a] }'))
    expect(taps).toEqual(['a', 'a'])
    expect(commands.filter(each => each.includes('while'))).toEqual([
      '1 while passed',
      '1 while passed',
      '1 while skipped',
    ])
  })

  test('the first of both ends it', async () => {
    const both = (times: number) =>
      flow(`- repeat: { times: ${times}, while: { visible: until 2 }, commands: [tapOn: a] }`)
    expect((await performed(both(1))).taps).toHaveLength(1)
    expect((await performed(both(9))).taps).toHaveLength(2)
  })

  test('without a round it is skipped', async () => {
    const { commands } = await performed(flow('- repeat: { while: { visible: missing }, commands: [tapOn: a] }'))
    expect(commands[0]).toBe('0 repeat skipped')
  })

  test('a failure inside ends it', async () => {
    const { taps, verdict } = await performed(
      flow('- repeat: { times: 3, commands: [tapOn: a, assertVisible: missing] }'),
    )
    expect({ taps, verdict }).toEqual({ taps: ['a'], verdict: 'failed' })
  })
})

describe('retry', () => {
  test('from its first command, until it passes', async () => {
    const { taps, verdict, commands } = await performed(
      flow('- retry: { maxRetries: 3, commands: [tapOn: a, assertVisible: after 2] }'),
    )
    expect({ taps, verdict }).toEqual({ taps: ['a', 'a'], verdict: 'passed' })
    expect(commands[0]).toBe('0 retry passed')
  })

  test('not more often than it says', async () => {
    const { taps, failure } = await performed(
      flow('- retry: { maxRetries: 2, commands: [tapOn: a, assertVisible: missing] }'),
    )
    expect(taps).toEqual(['a', 'a', 'a'])
    expect(failure?.code).toBe('NODE_NOT_FOUND')
  })
})

describe('optional', () => {
  test('the flow goes on behind it', async () => {
    const { verdict, commands } = await performed(flow('- tapOn: { text: missing, optional: true }', '- tapOn: a'))
    expect(verdict).toBe('passed')
    expect(commands).toEqual(['0 tapOn ignored', '0 tapOn passed'])
  })

  test('a block that is optional ends at its first failure', async () => {
    const { taps, verdict } = await performed(
      flow('- runFlow: { optional: true, commands: [tapOn: a, tapOn: missing, tapOn: b] }', '- tapOn: c'),
    )
    expect({ taps, verdict }).toEqual({ taps: ['a', 'c'], verdict: 'passed' })
  })
})

test('labels are what people see of a command', async () => {
  const { bench } = await performed(flow('- tapOn: { text: a, label: Open the cart }', '- tapOn: b'))
  const texts = bench.recorded().commands.map(({ begun }) => begun.text)
  expect(texts[0]).toBe('Open the cart')
  expect(texts[1]).toContain('b')
})

describe('hooks of the flow', () => {
  const hooked = (main: string, start = 'tapOn: start', complete = 'tapOn: complete') =>
    `appId: a\nonFlowStart:\n  - ${start}\nonFlowComplete:\n  - ${complete}\n---\n- ${main}\n`

  test('around its commands', async () => {
    expect((await performed(hooked('tapOn: main'))).taps).toEqual(['start', 'main', 'complete'])
  })

  test('the last one also runs behind a failure', async () => {
    const { taps, verdict } = await performed(hooked('tapOn: missing'))
    expect({ taps, verdict }).toEqual({ taps: ['start', 'complete'], verdict: 'failed' })
  })

  test('a first one that fails leaves the commands out', async () => {
    const { taps, failure } = await performed(hooked('tapOn: main', 'assertVisible: missing start'))
    expect(taps).toEqual(['complete'])
    expect(failure).toEqual({ code: 'NODE_NOT_FOUND', index: 0 })
  })

  test('a last one that fails fails the flow', async () => {
    const { verdict } = await performed(hooked('tapOn: main', 'back', 'assertVisible: missing'))
    expect(verdict).toBe('failed')
  })
})

describe('variables', () => {
  const typing = (name: string) => `- inputText: "\${typeof ${name} === 'undefined' ? 'none' : ${name}}"`

  test('those of the header come before those of the command line', async () => {
    const yaml = `appId: a\nenv: { A: header, B: "\${A} too" }\n---\n- inputText: \${A}\n- inputText: \${B}\n- inputText: \${C}\n`
    expect((await performed(yaml, {}, { A: 'line', C: 'only' })).typed).toEqual(['header', 'header too', 'only'])
  })

  test('a block and a file have theirs, which end with them', async () => {
    const { typed } = await performed(
      flow(
        '- runFlow: { env: { X: block }, commands: [inputText: "${X}"] }',
        '- runFlow: { env: { X: file }, file: sub.yaml }',
        '- inputText: ${output.seen}',
      ),
      {
        '/flows/sub.yaml':
          'appId: a\nenv: { Y: "y of ${X}" }\n---\n- inputText: ${Y}\n- evalScript: ${output.seen = X}\n',
      },
    )
    expect(typed).toEqual(['block', 'y of file', 'file'])
  })

  test('of one that is around a subflow, the subflow sees what it is told', async () => {
    const { typed } = await performed(`appId: a\nenv: { OUTER: o }\n---\n- runFlow: sub.yaml\n`, {
      '/flows/sub.yaml': `appId: a\n---\n${typing('OUTER')}\n`,
    })
    expect(typed).toEqual(['o'])
  })

  test('the header is evaluated once, for the hooks too', async () => {
    const yaml =
      'appId: a\nenv: { R: "${random()}" }\nonFlowStart: [inputText: "${R}"]\nonFlowComplete: [inputText: "${R}"]\n---\n- inputText: ${R}\n'
    const { typed } = await performed(yaml)
    expect(new Set(typed).size).toBe(1)
    expect(typed).toHaveLength(3)
  })

  test('a header whose script fails fails the flow', async () => {
    const { verdict, failure, taps } = await performed('appId: a\nenv: { R: "${nothing.x}" }\n---\n- tapOn: a\n')
    expect({ verdict, failure, taps }).toEqual({
      verdict: 'failed',
      failure: { code: 'SCRIPT_FAILED', index: null },
      taps: [],
    })
  })
})
