/** `test` and `[`: questions about files, texts and numbers. */
import { shellMayWrite } from '../../file-access.ts'
import { normalPath } from '../../files.ts'
import { type Command, type Context, fail } from '../command.ts'

const NUMBERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
}

/** Another word is not a number, and no answer either. */
const WHOLE = /^\s*[-+]?\d+\s*$/

const one = ({ phone, scope }: Context, question: string, word: string): boolean | undefined => {
  const path = normalPath(word, scope.cwd)
  const file = phone.files.read(path)
  const isFolder = phone.files.list(path) !== undefined
  switch (question) {
    case '-n':
      return word !== ''
    case '-z':
      return word === ''
    case '-e':
    case '-r':
      return file !== undefined || isFolder
    case '-w':
      return (file !== undefined || isFolder) && shellMayWrite(path)
    case '-f':
      return file !== undefined
    case '-d':
    case '-x':
      return isFolder
    case '-s':
      return (file?.content.byteLength ?? 0) > 0
    default:
      return undefined
  }
}

const two = (left: string, operator: string, right: string): boolean | undefined => {
  if (operator === '=' || operator === '==') return left === right
  if (operator === '!=') return left !== right
  const compare = NUMBERS[operator]
  return compare && [left, right].every(word => WHOLE.test(word)) ? compare(Number(left), Number(right)) : undefined
}

const evaluate = (context: Context, words: readonly string[]): boolean | undefined => {
  const [first = '', second = '', third = ''] = words
  if (words.length === 0) return false
  if (words.length === 1) return first !== ''
  if (words.length === 3) {
    const answer = two(first, second, third)
    if (answer !== undefined) return answer
  }
  if (first === '!') {
    const answer = evaluate(context, words.slice(1))
    return answer === undefined ? undefined : !answer
  }
  for (const joint of ['-o', '-a']) {
    const at = words.indexOf(joint, 1)
    if (at < 0) continue
    const left = evaluate(context, words.slice(0, at))
    const right = evaluate(context, words.slice(at + 1))
    if (left === undefined || right === undefined) return undefined
    return joint === '-o' ? left || right : left && right
  }
  return words.length === 2 ? one(context, first, second) : undefined
}

export const test: Command = async context => {
  const { name, args } = context
  if (name === '[' && args.at(-1) !== ']') return fail(context, '[: missing ]', 2)
  const answer = evaluate(context, name === '[' ? args.slice(0, -1) : args)
  if (answer === undefined) return fail(context, `${name}: ${args.join(' ')}: unexpected operator/operand`, 2)
  return answer ? 0 : 1
}
