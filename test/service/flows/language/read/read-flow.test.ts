/** A flow file is read as a whole, or refused with every fault at its place. */
import { describe, expect, test } from 'vitest'
import { readFlow } from '../../../../../src/service/flows/language/read/read-flow.ts'
import { flowText } from '../../../../support/flows/flow-files.ts'

const FILE = '/flows/login.yaml'

const read = (text: string | Uint8Array) => {
  const result = readFlow(text, FILE)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result
}

/** Each fault as `line:column message hint`. */
const faults = (text: string | Uint8Array): string[] => {
  const result = readFlow(text, FILE)
  if (result.ok) return []
  expect(result.problems.every(problem => problem.file === FILE)).toBe(true)
  return result.problems.map(({ line, column, message, hint }) =>
    [`${line}:${column}`, message, hint ?? ''].join(' ').trim(),
  )
}

/** The commands start in line 3. */
const faultsOf = (...lines: readonly string[]) => faults(flowText(...lines))

describe('a flow', () => {
  test('has what its header says', () => {
    const { flow } = read(
      [
        'appId: com.example',
        'name: Log in',
        'tags: [smoke, "2"]',
        'env:',
        '  PIN: 0042',
        '  EMPTY: ""',
        'properties:',
        '  owner: qa',
        'androidWebViewHierarchy: devtools',
        'onFlowStart: [back]',
        'onFlowComplete:',
        '  - stopApp',
        '---',
        '- launchApp',
      ].join('\n'),
    )
    expect(flow.config).toMatchObject({
      appId: 'com.example',
      name: 'Log in',
      tags: ['smoke', '2'],
      env: { PIN: '0042', EMPTY: '' },
      properties: { owner: 'qa' },
      usesWebViewHierarchy: true,
    })
    expect(flow.config.onFlowStart.map(({ key }) => key)).toEqual(['back'])
    expect(flow.config.onFlowComplete.map(({ key }) => key)).toEqual(['stopApp'])
    expect(flow.commands.map(({ key }) => key)).toEqual(['launchApp'])
  })

  test('knows the place, the line, the label and the optionality of each command', () => {
    const { flow } = read(flowText('- back', '- tapOn:', '    text: Pay', '    label: Pay it', '    optional: true'))
    expect(flow.commands[1]?.written).toBe('- tapOn: {text: Pay, label: Pay it, optional: true}')
    expect(flow.commands).toMatchObject([
      { key: 'back', place: { file: FILE, line: 3, column: 3 }, written: '- back', optional: false },
      { key: 'tapOn', place: { line: 4, column: 3 }, label: 'Pay it', optional: true },
    ])
  })

  test('keeps numbers as they are written', () => {
    const { flow } = read(flowText('- inputText: 0012.50', '- tapOn: 1_000'))
    expect(flow.commands[0]?.params).toMatchObject({ text: { text: '0012.50' } })
    expect(flow.commands[1]?.params).toMatchObject({ selector: { selector: { texts: { text: { text: '1_000' } } } } })
  })

  test('may be for a browser', () => {
    expect(read('url: https://example.com\n---\n- back').flow.config).toMatchObject({ url: 'https://example.com' })
  })

  test('may have a byte order mark, carriage returns, and aliases', () => {
    const text = '\uFEFFappId: com.example\r\n---\r\n- tapOn: &next Next\r\n- tapOn: *next\r\n'
    expect(read(Buffer.from(text)).flow.commands.map(({ place }) => place.line)).toEqual([3, 4])
    expect(read(text).flow.commands).toHaveLength(2)
  })

  test('an optional selector makes its command optional, but for a crop', () => {
    const { flow } = read(
      flowText(
        '- extendedWaitUntil: {visible: {text: a, optional: true}}',
        '- takeScreenshot: {path: p, cropOn: {id: a, optional: true}}',
      ),
    )
    expect(flow.commands.map(({ optional }) => optional)).toEqual([true, false])
  })

  test('an unknown key of the header has no effect, which a warning says', () => {
    const { warnings } = read('appId: a\nonFlowstart: []\n---\n- back')
    expect(warnings).toEqual([
      {
        file: FILE,
        line: 2,
        column: 1,
        message: 'The header has no key onFlowstart: it has no effect.',
        hint: 'Did you mean onFlowStart?',
      },
    ])
  })
})

describe('as the format has it', () => {
  const warningsOf = (...lines: string[]) => read(flowText(...lines)).warnings.map(({ message }) => message)

  test('inputText passes over keys that it does not have', () => {
    expect(warningsOf('- inputText: {id: search, text: general}')).toEqual([
      'inputText has no key id: it has no effect.',
    ])
  })

  test('an assertion that names no element asks for any', () => {
    const text = flowText('- assertVisible: {label: The list is there}')
    const { flow, warnings } = read(text)
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('assertVisible names no element')])
    expect(flow.commands[0]).toMatchObject({
      label: 'The list is there',
      params: { selector: { selector: { texts: { text: { text: '.*' } } } } },
    })
  })

  test('the point of a swipe may stand in its element', () => {
    const { flow } = read(flowText('- swipe: {from: {id: row, point: "10%,20%"}, direction: LEFT}'))
    expect(flow.commands[0]?.params.point).toMatchObject({ kind: 'text', text: '10%,20%' })
    expect(faultsOf('- swipe: {from: {id: row, point: there}, direction: LEFT}')[0]).toMatch(/point must be/)
  })
})

describe('a command as it is told', () => {
  test.each([
    [['- tapOn:', '    text: Pay # now', '    index: 1'], '- tapOn: {text: Pay, index: 1}'],
    [['- swipe:', '    start: 90%,50%', '    end: 10%,50%'], '- swipe: {start: "90%,50%", end: "10%,50%"}'],
    [['- runFlow:', '    commands:', '      - back', '      - tapOn: A'], '- runFlow: {commands: [back, {tapOn: A}]}'],
    [['- inputText: |', '    one', '    two'], '- inputText: "one\\ntwo\\n"'],
    [['- tapOn: {text: Pay}  # as it stands'], '- tapOn: {text: Pay}  # as it stands'],
  ])('%j', (lines, written) => {
    expect(read(flowText(...lines)).flow.commands[0]?.written).toBe(written)
  })
})

describe('a file that is no flow', () => {
  test.each([
    ['', '1:1 The file is empty.'],
    ['---\n---\n', '1:1 The file is empty.'],
    ['appId: a', '1:1 The list of commands is missing.'],
    ['- back', '1:1 The commands stand without a header.'],
    ['name: a\n---\n- back', '1:1 The header needs the application: appId.'],
    ['appId: a\n---\nback', '3:1 A flow must be a list of commands; here it is a text.'],
    ['appId: a\n---\n- back\n---\n- back', '5:1 A flow has one list of commands;'],
    ['hello', '1:1 The header must be a map of keys such as appId; here it is a text.'],
    ['appId: a\n---\n- tapOn:\n\ttext: a', '4:1 Tabs are not allowed as indentation. Indent with spaces.'],
    ['appId: a\n---\n- tapOn:\n    text: a\n   id: b', '5:1 All mapping items must start at the same column.'],
    ['appId: a\n---\n- tapOn: *a', '3:10 No anchor &a stands before *a. Put a text that begins with * in quotes.'],
    ['appId: a\n---\n- tapOn: !a b', '3:13 Flows have no tags such as !a.'],
    ['appId: a\n---\n- tapOn:\n    <<: {id: a}', '4:5 Flows have no merge keys (<<).'],
    ['appId: a\n---\n- tapOn:\n    id: a\n    id: b', '5:5 The key id stands here a second time.'],
    ['appId: a\n---\n- tapOn: {id: a${B}}', '3:17 Unexpected flow-map-start at node end. Put an expression in quotes'],
    ['appId: a\n---\n- tapOn: "a', '3:12 A quote " does not end.'],
  ])('%j', (text, start) => {
    const [first = '', ...others] = faults(text)
    expect(first).toContain(start)
    expect(others).toEqual([])
  })

  test('is refused for its encoding and its length', () => {
    expect(faults(Buffer.from([0x61, 0xff, 0x62]))).toEqual(['1:1 The file is not UTF-8 text; save it as UTF-8.'])
    expect(faults(Buffer.from([0xff, 0xfe, 0x61, 0]))).toEqual(['1:1 The file is UTF-16; save it as UTF-8.'])
    expect(faults(`appId: a # ${'x'.repeat(1_048_576)}`)).toEqual(['1:1 The file has more than 1048576 bytes.'])
  })
})

describe('a fault of a command', () => {
  test('all of a file are told, each at its place with what was probably meant', () => {
    expect(
      faultsOf('- tapOnn: Pay', '- tapOn:', '    txt: Pay', '- pressKey: Entr', '- swipe:', '    direction: upp'),
    ).toEqual([
      '3:3 There is no command tapOnn. Did you mean tapOn?',
      '5:5 tapOn has no key txt. Did you mean text?',
      '6:13 key must be a key by its name; here it is "Entr". Did you mean Enter?',
      '8:16 direction must be one of UP, DOWN, LEFT, RIGHT; here it is "upp". Did you mean UP?',
    ])
  })

  test.each([
    ['- tapOn', 'tapOn needs a value. Write it as - tapOn: with a value or keys.'],
    ['- back:', 'back has a colon and no value. Write it as - back without a colon.'],
    [
      '- launchApp:\n  clearState: true',
      'clearState stands beside the command launchApp. Indent it deeper than launchApp.',
    ],
    ['- tapOn: a\n  inputText: b', 'inputText stands beside the command tapOn. Write a dash in front of it.'],
    ['- - back', 'A command is a name with a value; here is a list. Write one dash for each command.'],
    ['-', 'A dash stands here without a command.'],
    ['- swipe: up', 'swipe must be a map with the keys direction, start, end, from'],
    ['- swipe: {start: "1,1"}', 'swipe needs both start and end.'],
    ['- swipe: {start: "1,1", end: "2,2", direction: UP}', 'swipe takes start and end without direction'],
    ['- swipe: {duration: 3}', 'swipe needs a direction.'],
    ['- tapOn: {optional: true}', 'tapOn names no element.'],
    ['- tapOn: {below: {}}', 'below names no element.'],
    ['- tapOn: {index: two}', 'index must be a whole number; here it is "two".'],
    ['- tapOn: {point: "150%,3%"}', 'point must be within 0 % and 100 %'],
    ['- tapOn: {point: "1,2,3"}', 'point must be two numbers such as "50%,50%" or "100,200"'],
    ['- tapOn: {text: a, optional: "${X}"}', 'optional must be true or false'],
    ['- tapOn: {traits: txt}', 'traits must be one of text, square, long-text; here it is "txt". Did you mean text?'],
    ['- assertVisible: {text: a, timeout: 3}', 'assertVisible has no key timeout. Use extendedWaitUntil'],
    ['- extendedWaitUntil: {timeout: 3}', 'extendedWaitUntil needs visible or notVisible.'],
    ['- runFlow: {when: {visible: a}}', 'runFlow needs file or commands.'],
    ['- runFlow: {file: a, commands: []}', 'runFlow takes file or commands, not both.'],
    ['- runFlow: {file: a, when: {visble: b}}', 'The condition when has no key visble. Did you mean visible?'],
    ['- runFlow: {file: a, when: {platform: Windows}}', 'platform must be one of Android, iOS, Web'],
    ['- repeat: {commands: []}', 'repeat needs times or while'],
    ['- repeat: {times: 2}', 'repeat needs commands.'],
    ['- setLocation: {latitude: 91, longitude: 0}', 'latitude must be a number from -90 to 90'],
    ['- travel: {points: ["52"]}', 'An entry of points must be a latitude and a longitude'],
    ['- setAirplaneMode: on', 'value must be one of enabled, disabled'],
    ['- launchApp: {clearState: yes}', 'clearState must be true or false'],
    ['- launchApp: {permissions: {camra: allow}}', 'Did you mean camera?'],
    ['- launchApp: {permissions: {camera: granted}}', 'The permission camera must be one of allow, deny, unset'],
    ['- launchApp: {arguments: {a: [1]}}', 'a in arguments must be one value; here it is a list.'],
    ['- runScript: {file: a, env: {A: }}', 'A in env has no value. Write A: ""'],
    ['- action: jump', 'action must be one of back, hideKeyboard'],
    ['- constructor', 'There is no command constructor.'],
    ['- launchApp: {__proto__: a}', 'launchApp has no key __proto__.'],
    ['- eraseText: many', 'charactersToErase must be a whole number, 0 or more'],
  ])('%s', (line, message) => {
    const found = faultsOf(...line.split('\n'))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  test.each(['assertWithAI: {assertion: a}', 'assertNoDefectsWithAI', 'extractTextWithAI: {query: a}'])('%s', line => {
    const [fault] = faultsOf(`- ${line}`)
    expect(fault).toContain(`${line.split(':')[0]} needs an AI model in a cloud, which svc does not use.`)
  })

  test('stands in a nested command as well, and an expression is none', () => {
    const inside = ['- repeat:', '    times: ${N}', '    commands:', '      - tapOn: {index: "${I}", enabled: "${E}"}']
    expect(faultsOf(...inside, '      - tapon: a')).toEqual(['7:9 There is no command tapon. Did you mean tapOn?'])
  })

  test('a selector has at most eight levels', () => {
    const nested = (levels: number): string => (levels === 1 ? '{id: a}' : `{id: a, below: ${nested(levels - 1)}}`)
    expect(faultsOf(`- tapOn: ${nested(8)}`)).toEqual([])
    expect(faultsOf(`- tapOn: ${nested(9)}`)).toHaveLength(1)
  })

  test('faults beyond a hundred are counted', () => {
    const result = readFlow(flowText(...Array.from({ length: 150 }, () => '- nothing')), FILE)
    expect(result.ok ? [] : result.problems.slice(100)).toEqual([
      { file: FILE, message: 'The file has 50 more problems.' },
    ])
  })
})
