/** Which operator app is meant: the flag, else SVC_OPERATOR_PACKAGE when it is not blank, else ours. */
import { DEFAULT_OPERATOR_PACKAGE } from '../contracts/literals.ts'
import { type Call, usage } from './command.ts'

export const operatorPackageOf = ({ text, env }: Pick<Call, 'text' | 'env'>): string => {
  const given = text('operator-package')
  if (given?.trim() === '') throw usage('--operator-package is blank.')
  const inherited = env.SVC_OPERATOR_PACKAGE
  return given ?? (inherited?.trim() ? inherited : DEFAULT_OPERATOR_PACKAGE)
}
