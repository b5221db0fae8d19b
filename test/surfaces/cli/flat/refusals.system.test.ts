import { describe, expect, test } from 'vitest'
import { expectReadable, refusal } from '../../../service/executions/refusals.ts'
import { payloadOf } from './call.ts'

const errorOf = (...words: string[]) => {
  const result = payloadOf(...words)
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.payload)}`)
  expectReadable(result.error)
  return result.error
}

const selector = ['--text', 'OK']

describe('USAGE states the shape of the command', () => {
  test.each([
    [['open'], '<package|uri> is missing: svc open <package|uri>'],
    [['open', 'a', 'b'], '"b" is one argument too many: svc open <package|uri>'],
    [['open', 'a', '--argument', 'b'], '--argument is name=value: svc open'],
    [['open', 'a', '--permission', '=allow'], '--permission is name=value: svc open'],
    [['open', 'tel:1', '--clear-state'], '--clear-state is for a package, not for a URI: svc open'],
    [['open', 'tel:1', '--argument', 'a=b'], '--argument is for a package, not for a URI: svc open'],
    [['close'], '<package> is missing: svc close <package>'],
    [['back', 'now'], '"now" is one argument too many: svc back'],
    [['press'], '<key> is missing: svc press <key>'],
    [['sleep'], '<ms> is missing: svc sleep <ms>'],
    [['type', ...selector], '<text> is missing: svc type <text> [<label> | <@ref> | <selector>]'],
    [['read'], 'a selector is missing: svc read'],
    [
      ['wait', '--timeout', '5'],
      'a selector is missing: svc wait (<label> | <@ref> | <selector>) [--gone] [--timeout <ms>]',
    ],
    [['wait-for-nav'], '--app or a selector is missing: svc wait-for-nav'],
    [['read-value', '--all'], 'a label is missing: svc read-value (<label> | <@ref> | --label <text>'],
    [['scroll-until', '--click'], '--click needs a selector: svc scroll-until'],
    [['swipe', '1', '2', '3'], '<y2> is missing: svc swipe <x1> <y1> <x2> <y2>'],
    [['click'], 'a label, a point or a selector is missing: svc click'],
    [['click', ...selector, '--coordinate', '1', '2'], 'a selector and a point cannot be combined: svc click'],
    [['click', '1', '2', ...selector], 'a selector and a point cannot be combined: svc click'],
    [['click', 'OK', '--coordinate', '1', '2'], '--coordinate takes two numbers: svc click'],
    [['click', '1', '2', '3'], '"2" is one argument too many: svc click'],
    [['click', '--coordinate', '1'], '--coordinate takes two numbers: svc click'],
    [['click', '--coordinate', '1,2', '3'], '--coordinate takes two numbers: svc click'],
    [['click', '--coordinate', ''], '--coordinate takes two numbers: svc click'],
    [['click', ...selector, '--long', '--focus'], '--long and --focus cannot be combined: svc click'],
    [['click', '--coordinate', '1', '2', '--focus'], '--focus needs a selector, not a point: svc'],
    [['click', '1', '2', '--focus'], '--focus needs a selector, not a point: svc'],
    [['click', ...selector, '--selector', '{}'], '--selector cannot be combined with other selector flags: svc click'],
    [['scroll', '--container-id', 'a', '--container-selector', '{}'], '--container-selector cannot be combined'],
    [['toast'], '<text> is missing: svc toast'],
    [['toast', 'Hi', '--cancel'], '--cancel cannot be combined with a text or --duration: svc toast'],
    [['on-screen-log', 'set'], '<text> or --template is missing: svc on-screen-log set'],
    [
      ['on-screen-log', 'set', 'Hi', '--template', 'Hi'],
      '<text> and --template cannot be combined: svc on-screen-log set',
    ],
  ])('%j', (words, message) => {
    const error = errorOf(...words)
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain(message)
    expect(error.message).toContain('svc ')
  })

  test.each([
    [['click', 'About', 'phone'], '"phone" is one argument too many', 'svc click "About phone"'],
    [['wait', 'a', 'b', 'c'], '"b" is one argument too many', 'svc wait "a b c"'],
    [['read', 'costs', '$5'], '"$5" is one argument too many', "svc read 'costs $5'"],
    [['read-value', 'Android', 'version'], '"version" is one argument too many', 'svc read-value "Android version"'],
    [['type', 'hi', 'Search', 'box'], '"box" is one argument too many', 'svc type "hi" "Search box"'],
    [
      ['click', 'OK', '--id', 'a:id/b'],
      '"OK" cannot be combined with --id',
      'svc click "OK", or svc click --text "OK" --id "a:id/b"',
    ],
    [
      ['click', 'OK', '--text', 'Yes'],
      '"OK" cannot be combined with --text',
      'svc click "OK", or svc click --text "Yes"',
    ],
    [
      ['wait', 'OK', '--selector', '{"role": "button"}'],
      '"OK" cannot be combined with --selector',
      `svc wait "OK", or svc wait --selector '{"role": "button"}'`,
    ],
    [
      ['read', '@1.2', '--role', 'text'],
      '"@1.2" cannot be combined with --role',
      'svc read @1.2, or svc read --role "text"',
    ],
    [
      ['type', "it's", 'OK', '--id', 'b'],
      '"OK" cannot be combined with --id',
      `svc type "it's" "OK", or svc type "it's" --text "OK" --id "b"`,
    ],
    [
      ['read-value', 'A', '--label-id', 'b'],
      '"A" cannot be combined with --label-id',
      'svc read-value "A", or svc read-value --label "A" --label-id "b"',
    ],
    [
      ['click', '1,299'],
      '"1,299" can be a point or a label',
      'svc click 1 299. For the label: svc click --text "1,299"',
    ],
    [
      ['click', '10 20'],
      '"10 20" can be a point or a label',
      'svc click 10 20. For the label: svc click --text "10 20"',
    ],
  ])('%j is answered with what to write', (words, message, way) => {
    const error = errorOf(...words)
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain(message)
    expect(error.hint).toContain(way)
  })

  test('a missing selector is explained, with the short forms where there are some', () => {
    const flags =
      "<selector> is one or more of --text, --text-contains, --id, --desc, --desc-contains, --ref, --role, or --selector '<json>'."
    const short = `Give the label of the node, a ref such as @12.7, or a selector. ${flags}`
    for (const command of ['wait', 'read', 'click']) expect(errorOf(command).hint).toBe(short)
    expect(errorOf('wait-for-nav').hint).toBe(flags)
  })
})

describe('bad values are EXECUTION_VALIDATION_FAILED', () => {
  const finite = (field: string, from: string, text: string) =>
    `${field} must be a finite number, but ${from} is "${text}"`

  test.each([
    [['open', 'a', '--timeout', 'soon'], finite('timeoutMs', '--timeout', 'soon'), 'timeoutMs'],
    [['back', '--timeout', ''], finite('timeoutMs', '--timeout', ''), 'timeoutMs'],
    [['back', '--timeout', 'Infinity'], finite('timeoutMs', '--timeout', 'Infinity'), 'timeoutMs'],
    [['back', '--timeout', '1e400'], finite('timeoutMs', '--timeout', '1e400'), 'timeoutMs'],
    [['back', '--timeout', 'NaN'], finite('timeoutMs', '--timeout', 'NaN'), 'timeoutMs'],
    [['back', '--timeout', '0x3e8'], finite('timeoutMs', '--timeout', '0x3e8'), 'timeoutMs'],
    [
      ['back', '--timeout', '999'],
      'timeoutMs must be an integer from 1000 to 120000, but --timeout is "999"',
      'timeoutMs',
    ],
    [['back', '--timeout', '120001'], 'timeoutMs must be an integer from 1000 to 120000', 'timeoutMs'],
    [['back', '--timeout', '1500.5'], 'timeoutMs must be an integer from 1000 to 120000', 'timeoutMs'],
    [
      ['wait', ...selector, '--timeout', '0'],
      'timeoutMs must be an integer from 1 to 120000',
      'actions.0.params.timeoutMs',
    ],
    [['wait', ...selector, '--timeout', 'x'], finite('timeoutMs', '--timeout', 'x'), 'actions.0.params.timeoutMs'],
    [
      ['wait-for-nav', '--app', 'a', '--timeout', '30001'],
      'timeoutMs must be an integer from 1 to 30000',
      'actions.0.params.timeoutMs',
    ],
    [['sleep', 'long'], finite('durationMs', '<ms>', 'long'), 'actions.0.params.durationMs'],
    [['sleep', '5', '--timeout', 'x'], finite('timeoutMs', '--timeout', 'x'), 'timeoutMs'],
    [['click', '--coordinate', '1', 'b'], finite('y', '--coordinate', 'b'), 'actions.0.params.coordinate.y'],
    [['swipe', 'a', '2', '3', '4'], finite('x', '<x1> <y1>', 'a'), 'actions.0.params.start.x'],
    [['swipe', '1', '2', '3', 'd'], finite('y', '<x2> <y2>', 'd'), 'actions.0.params.end.y'],
    [
      ['swipe', '1', '2', '3', '4', '--duration', 'x'],
      finite('durationMs', '--duration', 'x'),
      'actions.0.params.durationMs',
    ],
    [['on-screen-log', 'set', 'a', '--width', 'x'], finite('widthDp', '--width', 'x'), 'actions.0.params.widthDp'],
  ])('%j', (words, message, path) => {
    const error = errorOf(...words)
    expect(error).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED', details: { path } })
    expect(error.message).toContain(message)
  })

  test('a selector that is not JSON is named with its position', () => {
    expect(errorOf('click', '--selector', "{'textEquals': 'A'}")).toMatchObject({
      code: 'EXECUTION_VALIDATION_FAILED',
      message:
        '--selector, line 1, column 2: not valid JSON: expected a key in double quotes or "}", but there is "\'"',
      hint: 'Use double quotes: JSON has no single quotes.',
    })
    expect(errorOf('read', ...selector, '--container-selector', '[').message).toContain('--container-selector, line 1')
  })
})

describe('what only the schema knows is left to it', () => {
  test.each([
    [['open', ''], 'actions.0.params.applicationId'],
    [['press', 'up'], 'actions.0.params.key'],
    [['scroll', 'sideways'], 'actions.0.params.direction'],
    [['sleep', '--', '-1'], 'actions.0.params.durationMs'],
    [['sleep', '1e300'], 'actions.0.params.durationMs'],
    [['click', '--text', ''], 'actions.0.params.matcher.textEquals'],
    [['click', '--selector', '{}'], 'actions.0.params.matcher'],
    [['click', '--selector', '{"bogus": 1}'], 'actions.0.params.matcher'],
    [['click', '--selector', '5'], 'actions.0.params.matcher'],
    [['click', '--coordinate=-1', '5'], 'actions.0.params.coordinate.x'],
    [['click', '--coordinate', '1.5', '5'], 'actions.0.params.coordinate.x'],
    [['toast', ' '], 'actions.0.params.text'],
    [['toast', 'a', '--duration', 'forever'], 'actions.0.params.duration'],
    [['on-screen-log', 'set', 'a', '--ttl', '1'], 'actions.0.params.ttlMs'],
  ])('%j', (words, path) => {
    const result = payloadOf(...words)
    if (!result.ok) throw new Error(JSON.stringify(result.error))
    expect(refusal(result.payload).details).toMatchObject({ path })
  })
})
