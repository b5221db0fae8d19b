// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** What scripts of flows can say and see, as Maestro has it. */
import { describe, expect, test } from 'vitest'
import { isTruthy } from '../../../../src/service/flows/language/coerce.ts'
import { ScriptFailure } from '../../../../src/service/flows/script/script-answer.ts'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

describe('the value of a script', () => {
  test.each([
    ['1 + 1', '2', 2, true],
    ['"a"', 'a', 'a', true],
    ['if (true) { 7 }', '7', 7, true],
    ['', 'undefined', undefined, false],
    ['null', 'null', null, false],
    ['false', 'false', false, false],
    ['"FALSE"', 'FALSE', 'FALSE', false],
    ['0', '0', 0, false],
    ['"0.0"', '0.0', '0.0', false],
    ['"  "', '  ', '  ', false],
    ['[]', '[]', [], true],
    ['({ a: [1] })', '[object Object]', { a: [1] }, true],
    ['Object.create(null)', '[object]', {}, true],
    ['const circle = {}; circle.circle = circle', '[object Object]', undefined, true],
    ['10n', '10', undefined, true],
    ['Symbol("s")', 'Symbol(s)', undefined, true],
  ])('%s', async (source, text, value, isTrue) => {
    const answer = await startScripts().evaluate(source, place())
    expect(answer).toEqual({ ok: true, text, value, logs: [], effects: [] })
    expect(isTruthy(text)).toBe(isTrue)
  })
})

describe('names', () => {
  test('a name that nobody declared is undefined', async () => {
    const { evaluate } = startScripts()
    expect(outcomeOf(await evaluate('nobody', place()))).toBe('undefined')
    expect(outcomeOf(await evaluate('typeof nobody', place()))).toBe('undefined')
    expect(outcomeOf(await evaluate('nobody || "else"', place()))).toBe('else')
    expect(outcomeOf(await evaluate('setTimeout(() => 1)', place()))).toBe('TypeError: setTimeout is not a function')
  })

  test('the environment is text, and only of this evaluation', async () => {
    const { evaluate } = startScripts()
    const env = { A: '1', B: '2', __proto__: 'p', 'a-b': 'dash' }
    expect(outcomeOf(await evaluate('A + B', place({ env })))).toBe('12')
    expect(outcomeOf(await evaluate('globalThis.A + globalThis["a-b"]', place({ env })))).toBe('1dash')
    expect(outcomeOf(await evaluate('typeof A', place()))).toBe('undefined')
  })

  test('what a script declares or assigns is gone afterwards', async () => {
    const { evaluate } = startScripts()
    await evaluate('var a = 1; let b = 2; const c = 3; function d() {}; e = 4; globalThis.f = 5', place())
    const left = '[a, b, c, d, e, f].every(value => value === undefined)'
    expect(outcomeOf(await evaluate(left, place()))).toBe('true')
    await evaluate('const c = 6; MY = 4', place({ env: { MY: '1' } }))
    expect(outcomeOf(await evaluate('MY', place({ env: { MY: '1' } })))).toBe('1')
  })

  test('the names of Maestro are its own, also after a script assigned them', async () => {
    const { evaluate } = startScripts()
    const env = { output: 'o', http: 'h', maestro: 'm', json: 'j', faker: 'f', eval: 'e' }
    const kinds = '[typeof output, typeof http.get, maestro.platform, typeof json, typeof faker, typeof eval].join()'
    const own = 'object,function,android,function,object,function'
    expect(outcomeOf(await evaluate(`${kinds}`, place({ env })))).toBe(own)
    await evaluate('http = 1; json = 2; faker = 3; maestro = 4; Math = 5; undefined', place())
    expect(outcomeOf(await evaluate(`${kinds} + Math.abs(-1)`, place()))).toBe(`${own}1`)
  })

  test('there is nothing of Node.js', async () => {
    const { evaluate } = startScripts()
    const names = ['require', 'process', 'module', 'Buffer', 'fetch', 'setTimeout', 'WebAssembly', 'SharedArrayBuffer']
    expect(outcomeOf(await evaluate(`[${names.map(name => `typeof ${name}`)}].join()`, place()))).toBe(
      names.map(() => 'undefined').join(),
    )
  })
})

describe('output', () => {
  test('lives as long as the flow, with the functions in it', async () => {
    const { evaluate } = startScripts()
    await evaluate(
      'output.count = 1; output.more = by => { output.count += by; return NAME }',
      place({ env: { NAME: 'a' } }),
    )
    expect(
      outcomeOf(await evaluate('output.more(2)', place({ env: { NAME: 'b' } }))),
      'the environment of the call',
    ).toBe('b')
    expect(outcomeOf(await evaluate('output.count', place()))).toBe('3')
  })

  test('can be replaced', async () => {
    const { evaluate } = startScripts()
    await evaluate('output = { other: 1 }', place())
    expect(outcomeOf(await evaluate('output.other', place()))).toBe('1')
  })
})

test('maestro.copiedText is what was set last', async () => {
  const { evaluate, setCopiedText } = startScripts()
  expect(outcomeOf(await evaluate('maestro.copiedText', place()))).toBe('undefined')
  setCopiedText('\\\n"')
  await evaluate('1', place())
  expect(outcomeOf(await evaluate('maestro.copiedText', place()))).toBe('\\\n"')
  setCopiedText(null)
  expect(outcomeOf(await evaluate('maestro.copiedText', place()))).toBe('null')
})

test('json and relativePoint', async () => {
  const { evaluate } = startScripts()
  expect(outcomeOf(await evaluate('json(\'{"a":[1,2]}\').a[1]', place()))).toBe('2')
  expect(outcomeOf(await evaluate('relativePoint(0.5, 0.251)', place()))).toBe('50%,26%')
})

test('a line of the console has the place of its call', async () => {
  const places: string[] = []
  const { evaluate } = startScripts()
  const onLog = (text: string, { file, line }: { file: string; line: number }) => places.push(`${file}:${line} ${text}`)
  const helper = 'output.say = text => {\n  console.log(text)\n}\nconsole.info("defined")'
  await evaluate(helper, place({ file: '/flows/helper.js', line: 9, isFile: true, onLog }))
  await evaluate('output.say("called"); console.log("here")', place({ file: '/flows/main.yaml', line: 7, onLog }))
  await evaluate(
    'Error = RangeError = RegExp = 1; [console.log][0]("still")',
    place({ file: '/flows/main.yaml', line: 8, onLog }),
  )
  expect(places).toEqual([
    '/flows/helper.js:4 defined',
    '/flows/helper.js:2 called',
    '/flows/main.yaml:7 here',
    '/flows/main.yaml:8 still',
  ])
})

test('console lines are handed out as they come, and no more than a thousand', async () => {
  const lines: string[] = []
  const { evaluate } = startScripts()
  const at = place({ onLog: line => lines.push(line) })
  const answer = await evaluate('console.log("a", 1, { b: [2] }, undefined); console.error(new Error("no"))', at)
  expect(lines).toEqual(['a 1 {"b":[2]} undefined', 'Error: no'])
  expect(answer.logs).toEqual(lines)
  const { logs } = await evaluate('for (let i = 0; i < 5000; i++) console.log(i)', place())
  expect(logs).toHaveLength(1_001)
  expect(logs.at(-1)).toMatch(/^The script logged more than 1000 lines/)
})

describe('a failure names its place', () => {
  test('in a file', async () => {
    const at = place({ file: '/flows/my scripts/(a)#1.js', isFile: true })
    const answer = await startScripts().evaluate('const a = null\n\n  a.name', at)
    const problem = "TypeError: Cannot read properties of null (reading 'name')"
    expect(answer).toMatchObject({
      ok: false,
      kind: 'threw',
      problem,
      file: '/flows/my scripts/(a)#1.js',
      line: 3,
      column: 5,
    })
  })

  test('in a flow, by its line', async () => {
    const answer = await startScripts().evaluate('output.a = 1\nthrow new Error("stop")', place())
    expect(answer).toMatchObject({
      kind: 'threw',
      problem: 'Error: stop',
      file: '/flows/login.yaml',
      line: 8,
      column: 7,
    })
  })

  test('also when the function comes from another file', async () => {
    const { evaluate } = startScripts()
    await evaluate(
      'output.fail = () => {\n  throw new Error("deep") }',
      place({ file: '/flows/helpers.js', isFile: true }),
    )
    expect(await evaluate('output.fail()', place())).toMatchObject({ file: '/flows/helpers.js', line: 2 })
  })

  test.each([
    ['let a = 1\nlet b = ;', { line: 2, column: 9 }],
    ['let a = ;', { line: 1, column: 9 }],
    ["import a from 'b'", { line: 1, column: 1 }],
    ['if (a) {', { line: 1 }],
  ])('a syntax error: %s', async (source, found) => {
    const answer = await startScripts().evaluate(source, place({ isFile: true }))
    expect(answer).toMatchObject({ ok: false, kind: 'syntax', ...found })
  })

  test('what a script parses is not its own syntax', async () => {
    expect(await startScripts().evaluate('\njson("{")', place())).toMatchObject({ kind: 'threw', line: 8 })
  })

  test.each([
    ['throw 5', '5'],
    ['throw null', 'null'],
    ['throw { toString() { throw 1 } }', 'The script threw a value that has no text.'],
    ['const f = () => f(); f()', 'RangeError: Maximum call stack size exceeded'],
  ])('whatever is thrown: %s', async (source, problem) => {
    expect(await startScripts().evaluate(source, place())).toMatchObject({ ok: false, kind: 'threw', problem })
  })
})

describe('a text', () => {
  test('its scripts are replaced by their values', async () => {
    const { interpolate } = startScripts()
    const at = place({ env: { USER: 'ann', N: '2' } })
    expect(await interpolate('Hi ${USER}, ${N + 1} of \\${N}: ${({ a: "}" }).a}${nobody}${ }.', at)).toBe(
      'Hi ann, 21 of ${N}: }undefined.',
    )
  })

  test('values are not looked at again', async () => {
    const at = place({ env: { A: '${B}', B: 'b' } })
    expect(await startScripts().interpolate('${A} ${"" + A}', at)).toBe('${B} ${B}')
  })

  test('each script has variables of its own', async () => {
    expect(await startScripts().interpolate('${x = 1} ${x} ${output.y = 2} ${output.y}', place())).toBe(
      '1 undefined 2 2',
    )
  })

  test('needs no process without scripts, nor for plain names of the environment', async () => {
    const { interpolate, evaluate } = startScripts({ program: undefined })
    expect(await interpolate('plain \\${A}', place())).toBe('plain ${A}')
    expect(await interpolate('${A}-${ B }', place({ env: { A: '1', B: '$&' } }))).toBe('1-$&')
    await expect(evaluate('1', place())).rejects.toThrow('The program for the scripts of flows is missing.')
    await expect(interpolate('${output}', place({ env: { output: '1' } }))).rejects.toThrow('is missing')
  })

  test('the pieces may be longer together than any text', async () => {
    const at = place({ env: { A: 'x'.repeat(50_000) } })
    expect(await startScripts({ program: undefined }).fillIn('${A}'.repeat(20_000), at)).toHaveLength(20_000)
  })

  test('fails with the answer of the script', async () => {
    const failure = await startScripts()
      .interpolate('${1} ${null.x}', place())
      .catch(error => error)
    expect(failure).toBeInstanceOf(ScriptFailure)
    expect(failure.answer).toMatchObject({ ok: false, kind: 'threw', line: 7 })
    const mismatched = await startScripts()
      .interpolate("${it's}", place())
      .catch(error => error)
    expect(mismatched.answer).toMatchObject({ kind: 'syntax' })
  })
})

test('evaluations run one after the other, in order', async () => {
  const { evaluate } = startScripts()
  await evaluate('output.order = []', place())
  await Promise.all([1, 2, 3].map(each => evaluate(`output.order.push(${each})`, place())))
  expect(outcomeOf(await evaluate('output.order.join()', place()))).toBe('1,2,3')
})

test('a thousand scripts leave nothing but output', async () => {
  const { evaluate } = startScripts()
  for (let i = 0; i < 1_000; i++)
    await evaluate(`const text${i} = 'x'.repeat(1e6); output.sum = (output.sum ?? 0) + 1`, place())
  expect(outcomeOf(await evaluate('output.sum', place()))).toBe('1000')
})

test('promises run before the next script does', async () => {
  const { evaluate } = startScripts()
  await evaluate(
    'Promise.resolve(5).then(value => { output.late = value }); Promise.reject(new Error("unheard"))',
    place(),
  )
  expect(outcomeOf(await evaluate('output.late', place()))).toBe('5')
})
