/** Reads the named operator: from the flag, else from SVC_OPERATOR_PACKAGE when it is not blank. */
import { type Call, usage } from './command.ts'

export const namedOperator = ({ text, env }: Pick<Call, 'text' | 'env'>): string | undefined => {
  const given = text('operator-package')
  if (given?.trim() === '') throw usage('--operator-package is blank.')
  const inherited = env.SVC_OPERATOR_PACKAGE
  return given ?? (inherited?.trim() ? inherited : undefined)
}
