/** The whole numbers of `$((...))`, in 32 bits as the shell of Android counts. */
import { NESTING_MAX } from './syntax.ts'

/** Thrown for text that is not arithmetic, in the words of the shell. */
export class ArithmeticError extends Error {}

const TOKEN = /\s*(?:(0[xX][\da-fA-F]+|\d+)|([A-Za-z_]\w*)|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>!~&|^?:]))\s*/y

/** Variables may hold expressions of variables: so many are worked out for one expression. */
const LOOKUPS_MAX = 10_000

/** Each line binds tighter than the one before it. */
const OPERATORS = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

const divided = (a: number, b: number, how: (a: number, b: number) => number) => {
  if (b === 0) throw new ArithmeticError('zero divisor')
  return how(a, b)
}

const APPLY: Readonly<Record<string, (a: number, b: number) => number>> = {
  '||': (a, b) => Number(a !== 0 || b !== 0),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => Math.imul(a, b),
  '/': (a, b) => divided(a, b, (x, y) => Math.trunc(x / y)),
  '%': (a, b) => divided(a, b, (x, y) => x % y),
}
const UNARY: Readonly<Record<string, (value: number) => number>> = {
  '-': value => -value,
  '+': value => value,
  '!': value => Number(value === 0),
  '~': value => ~value,
}

const tokensOf = (text: string): string[] => {
  const tokens: string[] = []
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) throw new ArithmeticError(`${text}: unexpected '${text[at]}'`)
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  return tokens
}

const DIGITS = /^(?:0[xX][\da-fA-F]+|\d+)$/
const numberOf = (digits: string): number => (/^0\d/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)) | 0

/** An empty text is 0, as is a variable without a value. */
export const evaluate = (
  text: string,
  variable: (name: string) => string | undefined,
  depth = 0,
  lookups = { left: LOOKUPS_MAX },
): number => {
  lookups.left -= 1
  if (depth > NESTING_MAX || lookups.left < 0) throw new ArithmeticError('expression recurses')
  const tokens = tokensOf(text.trim())
  let at = 0
  let open = depth
  const unexpected = () => new ArithmeticError(`${text}: unexpected '${tokens[at] ?? 'end of expression'}'`)
  const take = (token: string): boolean => {
    const isNext = tokens[at] === token
    if (isNext) at += 1
    return isNext
  }
  const insideOf = <T>(read: () => T): T => {
    open += 1
    if (open > NESTING_MAX) throw new ArithmeticError('nested too deeply')
    const value = read()
    open -= 1
    return value
  }

  /** Above 0 while an operand is read but not computed, because it does not count: it may divide by zero. */
  let skipping = 0
  const unless = (isDecided: boolean, read: () => number): number => {
    skipping += Number(isDecided)
    const value = read()
    skipping -= Number(isDecided)
    return value
  }

  const single = (): number => {
    const token = tokens[at]
    if (token === undefined) throw unexpected()
    at += 1
    const unary = UNARY[token]
    if (unary) return insideOf(() => unary(single())) | 0
    if (token === '(') {
      const value = insideOf(choice)
      if (!take(')')) throw unexpected()
      return value
    }
    if (DIGITS.test(token)) return numberOf(token)
    if (/^\w/.test(token)) return skipping > 0 ? 0 : evaluate(variable(token) ?? '', variable, depth + 1, lookups)
    at -= 1
    throw unexpected()
  }
  const binary = (level: number): number => {
    const operators = OPERATORS[level]
    if (!operators) return single()
    let value = binary(level + 1)
    for (let operator = tokens[at]; operator !== undefined && operators.includes(operator); operator = tokens[at]) {
      at += 1
      const isDecided = (operator === '&&' && value === 0) || (operator === '||' && value !== 0)
      const right = unless(isDecided, () => binary(level + 1))
      value = skipping > 0 ? 0 : (APPLY[operator]?.(value, right) ?? 0) | 0
    }
    return value
  }
  const choice = (): number => {
    const value = binary(0)
    if (!take('?')) return value
    const yes = unless(value === 0, () => insideOf(choice))
    if (!take(':')) throw unexpected()
    const no = unless(value !== 0, () => insideOf(choice))
    return value === 0 ? no : yes
  }

  if (tokens.length === 0) return 0
  const value = choice()
  if (at < tokens.length) throw unexpected()
  return value
}
