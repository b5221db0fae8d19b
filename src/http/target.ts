/** The request target, judged before it is routed: what cannot be decoded is refused, not guessed. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export const targetProblem = (target: string): ErrorObject | undefined => {
  if (!target.includes('%') || isDecodable(target)) return undefined
  return failure('INVALID_QUERY', 'The path or the query holds a percent sign that begins no UTF-8 character.', {
    hint: 'Write a percent sign itself as %25.',
  })
}
